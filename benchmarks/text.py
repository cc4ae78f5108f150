"""What does text add to the default?

    python -m benchmarks.text SETS [--sets git,mdn …] [--queries 200] [--seed 0]

SETS is a folder of sets made by `benchmarks.sets`; sets without texts are left out. Cells show
capped recall at 10 for all of the gold / for the gold that a page does not link to. *Difference*
is the mean of the paired differences with its 95% confidence interval, *times* the ratio, and p
comes from a paired Wilcoxon test. *Text alone* ranks pages by the similarity of their texts.
"""

from __future__ import annotations

import numpy as np

from benchmarks.leave_one_out import Collection, Comparisons, Numbers, chance
from benchmarks.sets import collection
from whatsrelated.graph.text_index import text_index


def text_alone(one: Collection) -> Numbers:
    """Both measures of each query, for the pages with the most similar texts."""
    index, rows = text_index(one.graph.store), []
    for query in one.queries:
        similar = index.similar({query.page: 1.0}, np.empty(0, np.uint32), 10 + len(query.linked))
        best = similar.others[np.argsort(-similar.similarities, kind="stable")]
        rows.append(query.measures(best.tolist(), one.precision))
    return np.array(rows)


def interval(differences: Numbers) -> str:
    """The mean of paired differences, and its 95% confidence interval."""
    valid = differences[~np.isnan(differences)]
    mean, half = valid.mean(), 1.96 * valid.std(ddof=1) / np.sqrt(len(valid))
    return f"{mean:+.3f} [{mean - half:+.3f}, {mean + half:+.3f}]"


def pair(numbers: Numbers) -> str:
    return f"{numbers[0]:.3f} / {numbers[1]:.3f}"


def main() -> None:
    asked = collection.arguments(__doc__, queries=200).parse_args()
    head = ["set", "asked", "text alone", "default", "with text", "times"]
    head += ["difference, all", "difference, not linked", "p"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    made, times = Comparisons(), []
    for name in collection.names_of(asked):
        one = Collection(asked.folder / name, asked.queries, asked.seed)
        if not one.has_text:
            continue
        alone, links, text = text_alone(one), one.default(True), one.default(True, text=True)
        means = [np.nanmean(rows, axis=0) for rows in (alone, links, text)]
        times.append(means[2] / means[1])
        cells = [name, str(len(links)), *map(pair, means)]
        cells.append(f"{times[-1][0]:.2f} / {times[-1][1]:.2f}")
        cells += [interval((text - links)[:, measure]) for measure in (0, 1)]
        cells.append(" / ".join(f"{chance(text, links, measure):.2g}" for measure in (0, 1)))
        print(f"| {' | '.join(cells)} |", flush=True)
        made.add(name, text, links)
    print(f"\nMean of the ratios: {pair(np.mean(times, axis=0))}. {made.summary()}.")


if __name__ == "__main__":
    main()
