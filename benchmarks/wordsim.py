"""Do people and `graph.similarity` agree on how related two words are?

    python -m benchmarks.wordsim DATA PAIRS [--by blend,walk …]

DATA is a folder of public link graphs, as `benchmarks.ground_truth` reads them: of these
Wikispeedia is taken.  PAIRS has two words and people's judgement of how related they are,
divided by tabs, such as WordSim-353, which the package gensim has among its test data
(gensim/test/test_data/wordsim353.tsv).  Asked for are the pairs whose words are both titles
of articles.  Printed is Spearman's correlation and an interval that has it in 95 of 100
samples drawn anew from the pairs.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from benchmarks import ground_truth

Pair = tuple[str, str, float]


def pairs_of(path: Path, titles: dict[str, str]) -> Iterator[Pair]:
    """The articles of each pair of words, and what people say."""
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if line.startswith("#") or len(cells) < 3:
            continue
        one, other = (titles.get(word.strip().lower()) for word in cells[:2])
        if one and other and one != other:
            yield one, other, float(cells[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--by", default="blend,walk,coupling,cocitation,pagesim,simrank")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        graph = next(ground_truth.wikispeedia(ground_truth.Data(asked.data, Path(scratch)))).graph
        names = (graph.url(page) for page in range(len(graph)))
        titles = {name.replace("_", " ").lower(): name for name in names}
        pairs = list(pairs_of(asked.pairs, titles))
        judged = np.array([pair[2] for pair in pairs])
        drawn = np.random.default_rng(0).integers(len(pairs), size=(1000, len(pairs)))
        print(f"| method | Spearman, {len(pairs)} pairs | 95 % |\n|---|---|---|")
        for by in asked.by.split(","):
            alike = np.array([graph.similarity(one, other, by=by) for one, other, _ in pairs])
            found = spearmanr(alike, judged)[0]
            again = [spearmanr(alike[rows], judged[rows])[0] for rows in drawn]
            low, high = np.percentile(again, (2.5, 97.5))
            print(f"| {by} | {found:.3f} | {low:.2f} to {high:.2f} |", flush=True)


if __name__ == "__main__":
    main()
