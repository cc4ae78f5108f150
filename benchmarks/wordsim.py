"""Do people and `graph.similarity` agree on how related two words are?

    python -m benchmarks.wordsim DATA PAIRS … [--by blend,walk …]

DATA is a folder of public link graphs, as `benchmarks.ground_truth` reads them; this uses
Wikispeedia.  Each of PAIRS has two words or titles and people's judgement of how related they
are in its first three columns, separated by tabs (by commas in .csv files).  WordSim-353, for
example, is among gensim's test data (gensim/test/test_data/wordsim353.tsv).  Only pairs whose
words are both article titles are used.  Prints Spearman's correlation, and for `blend` an
interval that contains it in 95 of 100 bootstrap samples of the pairs.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from benchmarks import ground_truth

Pair = tuple[str, str, float]


def pairs_of(path: Path, titles: dict[str, str]) -> Iterator[Pair]:
    """The articles of each pair of words, and what people say."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="," if path.suffix == ".csv" else "\t"):
            if len(row) < 3:
                continue
            one, other = (titles.get(word.strip().lower()) for word in row[:2])
            if one and other and one != other:
                yield one, other, float(row[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--by", default="blend,walk,coupling,cocitation,pagesim,simrank")
    asked = parser.parse_args()
    methods = asked.by.split(",")
    print(f"| judgements | pairs | {' | '.join(methods)} | 95% of {methods[0]} |")
    print("|---" * (len(methods) + 3) + "|")
    with tempfile.TemporaryDirectory() as scratch:
        graph = next(ground_truth.wikispeedia(ground_truth.Data(asked.data, Path(scratch)))).graph
        names = (graph.url(page) for page in range(len(graph)))
        titles = {name.replace("_", " ").lower(): name for name in names}
        for path in asked.pairs:
            pairs = list(pairs_of(path, titles))
            judged = np.array([pair[2] for pair in pairs])
            alike = np.array(
                [[graph.similarity(*pair[:2], by=by) for pair in pairs] for by in methods]
            )
            found = [f"{spearmanr(row, judged)[0]:.3f}" for row in alike]
            drawn = np.random.default_rng(0).integers(len(pairs), size=(1000, len(pairs)))
            again = [spearmanr(alike[0][rows], judged[rows])[0] for rows in drawn]
            low, high = np.percentile(again, (2.5, 97.5))
            cells = [path.stem, str(len(pairs)), *found, f"{low:.2f} to {high:.2f}"]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
