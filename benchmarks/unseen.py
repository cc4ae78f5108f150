"""Is the default worse than one of its parts, the plain sum or a paper's method on any set?

    python -m benchmarks.unseen SETS [--sets scilab,petsc …] [--queries 200] [--seed 0]

SETS is a folder of sets as `benchmarks.sets` makes them, best such that had no say in the
numbers of `blend`.  Recall at 10 (for labels precision) of all of the gold / of the gold that
a page does not link to, with p of a paired test (Wilcoxon) of `blend` against the plain sum of
walk, ¼ cpa and ¼ coupling.  Below the table are the single methods that have significantly more
(p < 0.05) than `blend` from links alone, with p, and Holm's for all comparisons.  *Times* is
what `blend` has over the best method of the papers on this set, for each measure; *any* is the
most that any of the methods, chosen anew for each query by its answer, would have: what no
choice among them can pass; *fitted here* the most that a fifth of the settings of
`benchmarks.leave_one_out` has, links alone, chosen by this very set for each measure.
"""

from __future__ import annotations

import numpy as np

from benchmarks.leave_one_out import GRID, Collection, Comparisons, Numbers, shown
from benchmarks.papers import PAPERS
from benchmarks.sets import collection
from whatsrelated.methods import METHODS

PARTS = ("walk", "cpa", "coupling")


def by_method(one: Collection, name: str) -> Numbers:
    """Both measures of each query."""
    rows = []
    for query in one.queries:
        limit = 10 + len(query.linked)
        asker = one.graph.asker(METHODS[name](), limit=limit, chop=False, site="page")
        best, _ = asker.best(query.page)
        rows.append(query.measures(best.pages.tolist(), one.precision))
    return np.array(rows)


def main() -> None:
    asked = collection.arguments(__doc__, queries=200).parse_args()
    names = collection.names_of(asked)
    head = ["set", "asked", "plain sum", "blend, links alone", "blend", *PARTS, "best of papers"]
    head += ["times, links alone", "times", "any", "fitted here"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    made = Comparisons()
    for name in names:
        one = Collection(asked.folder / name, asked.queries, asked.seed)
        plain, links, named = one.measures(None), one.default(False), one.default(True)
        singles = {method: by_method(one, method) for method in (*PARTS, *PAPERS)}
        best = np.max([np.nanmean(singles[paper], axis=0) for paper in PAPERS], axis=0)
        most = np.max([plain, links, *singles.values()], axis=0)
        cells = [name, str(len(one.gold)), shown(plain), shown(links, plain), shown(named, plain)]
        for method, rows in singles.items():
            made.add(f"{name}, {method}", links, rows)
        cells += [shown(singles[part]) for part in PARTS]
        cells.append(f"{best[0]:.3f} / {best[1]:.3f}")
        for rows in (links, named):
            times = np.nanmean(rows, axis=0) / best
            cells.append(f"{times[0]:.2f} / {times[1]:.2f}")
        fitted = np.max([np.nanmean(one.measures(each), axis=0) for each in GRID[::5]], axis=0)
        cells += [shown(most), f"{fitted[0]:.3f} / {fitted[1]:.3f}"]
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\nlinks alone against single methods: {made.told()}")


if __name__ == "__main__":
    main()
