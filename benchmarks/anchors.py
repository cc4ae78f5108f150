"""Do anchor texts improve the default, beyond the links themselves?

    python -m benchmarks.anchors FOLDER FOLDER… [--queries 400] [--seed 0]

Each FOLDER holds documentation in HTML or Markdown with "See also" sections.  The graph is
built from all other links, with their texts; the links in these sections are the gold.
A page is represented by the words of the links to it.  The weight of a word is
log(1 + pages that use it for the page) · log(pages / pages it is used for).
The first 50 results of `blend` are sorted again by

    score · (1 + weight · cosine of the words of the result and of the query page)

once with the default options and once from links alone.  The weight is chosen on each
folder and tested on the others.  Prints capped recall@10, and p of Wilcoxon's paired test
against weight 0.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from math import log, log1p, sqrt
from pathlib import Path
from statistics import mean

from scipy.stats import wilcoxon

import whatsrelated as wr
from benchmarks.ground_truth import REQUEST
from benchmarks.measure import table
from whatsrelated.apps.evaluate.gold import GoldLinks

CANDIDATES = 50
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
WAYS = {"blend": {}, "blend, links alone": {"compare_names": False}}
Vector = Mapping[str, float]


class Words:
    """The words of the links to each page, with more weight on rare ones."""

    def __init__(self, graph: wr.Graph) -> None:
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        texts = graph.store.column("anchors")
        assert texts is not None
        for page in range(len(graph)):
            used = set()
            for line in texts.text_of(page).splitlines():
                url, _, text = line.partition("\t")
                used |= {(url, word) for word in re.findall(r"\w+", text.casefold())}
            for url, word in used:
                self.counts[url][word] += 1
        self.pages = Counter(word for words in self.counts.values() for word in words)

    def vector(self, url: str) -> Vector:
        """The weights of a page's words, of length 1; empty if no link has a text."""
        weights = {
            word: log1p(count) * log(len(self.counts) / self.pages[word])
            for word, count in self.counts.get(url, {}).items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {word: weight / length for word, weight in weights.items()} if length else {}


def cosine(one: Vector, other: Vector) -> float:
    return sum(weight * other[word] for word, weight in one.items() if word in other)


class Documentation:
    """A folder: its graph, the queries drawn, and the candidates of each."""

    def __init__(self, folder: Path, scratch: Path, queries: int, seed: int) -> None:
        self.name = folder.name
        self.graph = wr.build(folder, scratch / "graph", section="body", anchors=True)
        gold = GoldLinks((str(folder),), options=(("section", "see-also"),))
        self.judged = gold.judge(self.graph, scratch, seed)[1].sample(queries, 1, seed).queries

    @cached_property
    def words(self) -> Words:
        return Words(self.graph)

    def candidates(self, options: Mapping[str, bool]) -> list[list[tuple[str, float, float]]]:
        """The results of each query, with their scores and the similarity of their words."""
        found = []
        for query in self.judged:
            answer = self.graph.related(query, by="blend", limit=CANDIDATES, **REQUEST, **options)
            asked = self.words.vector(query)
            found.append(
                [(r.url, r.score, cosine(asked, self.words.vector(r.url))) for r in answer]
            )
        return found

    def recalls(
        self, candidates: list[list[tuple[str, float, float]]], weight: float
    ) -> list[float]:
        """The capped recall@10 of each query, with its candidates sorted by this weight."""
        found = []
        for gold, results in zip(self.judged.values(), candidates, strict=True):
            ordered = sorted(results, key=lambda r: -r[1] * (1 + weight * r[2]))
            found.append(sum(url in gold for url, *_ in ordered[:10]) / min(10, len(gold)))
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rows, measured = [], {}
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as scratch:
            one = Documentation(folder, Path(scratch), options.queries, options.seed)
            called = sum(1 for query in one.judged if one.words.vector(query))
            for way, options in WAYS.items():
                candidates = one.candidates(options)
                recalls = {weight: one.recalls(candidates, weight) for weight in WEIGHTS}
                measured[folder, way] = recalls
                means = [f"{mean(recalls[weight]):.3f}" for weight in WEIGHTS]
                rows.append([str(folder), len(one.judged), called, way, *means])
    head = ["folder", "queries", "with texts", "method", *map(str, WEIGHTS)]
    table("Capped recall@10 by the weight of anchor texts", head, rows)
    rows = []
    for way in WAYS:
        for chosen_on in options.folders:
            tuned = measured[chosen_on, way]
            best = max(WEIGHTS, key=lambda weight: mean(tuned[weight]))
            for folder in options.folders:
                if folder != chosen_on:
                    before, after = measured[folder, way][0.0], measured[folder, way][best]
                    p = wilcoxon(after, before).pvalue if before != after else 1.0
                    gained = sum(a > b for a, b in zip(after, before, strict=True))
                    lost = sum(a < b for a, b in zip(after, before, strict=True))
                    shown = [f"{mean(before):.3f}", f"{mean(after):.3f}", gained, lost, f"{p:.2g}"]
                    rows.append([way, str(chosen_on), best, str(folder), *shown])
    head = [
        "method",
        "chosen on",
        "weight",
        "counted on",
        "without",
        "with",
        "better",
        "worse",
        "p",
    ]
    table("A weight chosen on one folder, tested on another", head, rows)


if __name__ == "__main__":
    main()
