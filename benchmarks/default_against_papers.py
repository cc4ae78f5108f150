"""How much more does the default find than the best of the papers' methods, set by set?

    python -m benchmarks.default_against_papers SETS [--sets git,php …] [--queries 150] [--seed 0]

SETS is a folder of sets made by `benchmarks.sets`.  Cells give capped recall@10 (precision for
labels) for all of the gold / for the gold that a page does not link to.  *Best* is the
paper's method that does best on this set, chosen separately for each measure, which
flatters it.  The last rows average the best of each set, and the single method with the
best mean.
"""

from __future__ import annotations

import numpy as np

from benchmarks import leave_one_out
from benchmarks.leave_one_out import Collection, Numbers
from benchmarks.sets import collection
from whatsrelated.methods import METHODS, Method
from whatsrelated.methods.blend import Blend

PAPERS = ("cocitation", "companion", "hits", "extended-cocitation", "lli", "pagesim")
"""Methods of DH99 and HZ03, and those they compare with, that answer quickly for any page."""
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
    """The figures of each method, and the ratios of ours to the best of the papers."""
    cells = [shown(values) for values in found[: len(PAPERS)]] + [shown(best)]
    for values in found[len(PAPERS) :]:
        cells += [shown(values), shown(values / best)]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
