"""How much more does the default find than the best of the papers' methods, set by set?

    python -m benchmarks.papers SETS [--sets git,php …] [--queries 150] [--seed 0]

SETS is a folder of sets as `benchmarks.sets` makes them.  Recall at 10 (for labels
precision) of all of the gold / of the gold that a page does not link to; *best* is the
method of the papers that has most on this set, which is chosen for each measure by what it
has here, so that it is flattered.  The last rows are the mean over sets of the best of each
set, and of the one method that is best on the mean.
"""

from __future__ import annotations

import numpy as np

from benchmarks import leave_one_out
from benchmarks.leave_one_out import Collection, Numbers
from benchmarks.sets import collection
from whatsrelated.methods import METHODS, Method
from whatsrelated.methods.blend import Blend

PAPERS = ("cocitation", "companion", "hits", "extended-cocitation", "lli", "pagesim")
"""The methods of DH99, HZ03 and those they compare with that answer for any page in little time."""
OURS = {"blend, links alone": Blend(compare_names=False), "blend": Blend()}


def measures(one: Collection, method: Method) -> Numbers:
    """The means of both measures over the queries of a set."""
    rows = []
    for page, gold in one.gold.items():
        linked = set(one.graph.links_from(page).tolist())
        asker = one.graph.asker(method, limit=10 + len(linked), chop=False, site="page")
        answer = asker.best(page)[0].pages.tolist()
        rows.append(leave_one_out.measures(answer, gold, linked, one.precision))
    return np.asarray(np.nanmean(np.array(rows), axis=0))


def shown(values: Numbers) -> str:
    return f"{values[0]:.3f} / {values[1]:.3f}"


def main() -> None:
    asked = collection.arguments(__doc__, queries=150).parse_args()
    names = collection.names_of(asked)
    head = ["set", *PAPERS, "best", *(text for ours in OURS for text in (ours, "times the best"))]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    table = []
    for name in names:
        one = Collection(asked.folder / name, asked.queries, asked.seed)
        found = [measures(one, METHODS[paper]()) for paper in PAPERS]
        found += [measures(one, method) for method in OURS.values()]
        table.append(np.array(found))
        print_row(name, table[-1], table[-1][: len(PAPERS)].max(axis=0))
    mean = np.mean(table, axis=0)
    print_row(
        "mean, best of each set", mean, np.mean([row[:6].max(axis=0) for row in table], axis=0)
    )
    print_row("mean, best method", mean, mean[: len(PAPERS)].max(axis=0))


def print_row(name: str, found: Numbers, best: Numbers) -> None:
    """What each method has, and how many times the best of the papers' ours have."""
    cells = [shown(values) for values in found[: len(PAPERS)]] + [shown(best)]
    for values in found[len(PAPERS) :]:
        cells += [shown(values), shown(values / best)]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
