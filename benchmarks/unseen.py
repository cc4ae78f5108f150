"""Is the default worse than one of its parts, the plain sum or a paper's method on any set?

    python -m benchmarks.unseen SETS [--sets scilab,petsc …] [--queries 200] [--seed 0]

SETS is a folder of sets made by `benchmarks.sets`, ideally sets that were not used to choose
the numbers of `blend`.  Cells give capped recall@10 (precision for labels) for all of the gold /
for the gold that a page does not link to, with p of a paired Wilcoxon test of `blend` against the
plain sum of walk, ¼ cpa and ¼ coupling.

- *times*: the ratio of `blend` to the best method of the papers on this set, for each measure;
- *any*: what an oracle would reach by choosing the best method for each query;
- *fitted here*: the best of a fifth of the settings of `benchmarks.leave_one_out`, links alone,
  chosen on this very set for each measure.

Single methods that are significantly better (p < 0.05) than `blend` from links alone follow the
table, with p, also with Holm's correction for all comparisons.
"""

from __future__ import annotations

import numpy as np

from benchmarks.default_against_papers import PAPERS
from benchmarks.leave_one_out import GRID, Collection, Comparisons, Numbers, shown
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
    print(f"\nlinks alone against single methods: {made.summary()}")


if __name__ == "__main__":
    main()
