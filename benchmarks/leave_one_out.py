"""What is the default worth on sets that had no say in its numbers?

    python -m benchmarks.leave_one_out SETS [--sets git,php …] [--queries 400] [--seed 0]

SETS is a folder of sets as `benchmarks.sets` makes them; docs/reports/default.md has
the commands.  Of each set, queries are drawn by a seed, and the recall at 10 (for labels
the precision) is measured of all of the gold and of the gold that a page does not link to:

- *left out*: the product of walk, proximity and coupling, whose numbers were chosen on the
  other sets alone, by the mean logarithm of what they have over the plain sum, where a loss
  counts as much as three gains;
- *fitted*: `blend` as it is, from links alone and with names, each with the p of a paired
  test (Wilcoxon) against the plain sum.  With --as-it-is these alone, for sets that had no say.
  Below the table are the significant losses (p < 0.05), each with Holm's p as well, which is
  corrected for how many comparisons the table has.

The plain sum is walk, a quarter of cpa and a quarter of coupling, each over its largest,
as these methods have them.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import wilcoxon

import whatsrelated as wr
from benchmarks.sets import collection
from whatsrelated.methods import blend
from whatsrelated.stream import Page

Numbers = NDArray[np.float64]
Setting = tuple[float, float, float, float, float, float]
"""What is added to the walk's largest by what disagrees with it, the doubts of the three parts,
the power of the degree for the walk, that of the in-degree for proximity."""

GRID: list[Setting] = list(
    itertools.product(
        (0.005, 0.01, 0.015),
        (0.05,),
        (0.5, 0.75, 1.0),
        (0.75, 1.0, 1.5),
        (0.35,),
        (0.0, 0.15, 0.3),
    )
)
LOSS = 3
"""How many gains make good a loss against the plain sum: no set shall pay for the others."""


@dataclass
class Query:
    """A page of a set, what the parts say of others, and which of these are its gold.

    `left` is what is left of the score of each by the rule for pages outside of the site.
    """

    page: int
    pages: NDArray[np.uint32]
    parts: Numbers
    walked: Numbers
    degrees: Numbers
    parents: Numbers
    left: Numbers
    gold: set[int]
    linked: set[int]

    def product(self, setting: Setting) -> Numbers:
        """The scores by a setting of the product."""
        faint, walked, near, coupled, popular, common = setting
        walk = self.parts[0] * self.degrees ** (blend.POPULAR - popular)
        agreed = max(blend.LEAST_AGREED, *(_cosine(walk, part) for part in self.parts[1:]))
        beside = self.parts[1] / np.maximum(self.parents, 1) ** common
        return np.asarray(
            (walk / (walk.max() + faint * (1 / agreed - 1)) + walked)
            * (_over_largest(beside) + near)
            * (_over_largest(self.parts[2]) + coupled)
            * blend.KNOWN[np.minimum(self.parents, len(blend.KNOWN) - 1).astype(int)]
            * self.left
        )

    def plain_sum(self) -> Numbers:
        """Walk, a quarter of cpa and a quarter of coupling, each over its largest."""
        near, coupled = _over_largest(self.parts[1]), _over_largest(self.parts[2])
        return np.asarray(_over_largest(self.walked) + 0.25 * near + 0.25 * coupled)

    def ranked(self, scores: Numbers) -> list[int]:
        """The pages that come first, enough of them to leave out those that are linked."""
        rounded = np.round(scores / scores.max(), 9)
        order = np.lexsort((self.pages, self.parents, -rounded))
        found: list[int] = self.pages[order[: 10 + len(self.linked)]].tolist()
        return found

    def measures(self, ranked: list[int], precision: bool) -> tuple[float, float]:
        """Recall at 10 of all gold, and of what is not linked; or precision."""
        fresh = [page for page in ranked if page not in self.linked]
        both = []
        for listed, gold in ((ranked, self.gold), (fresh, self.gold - self.linked)):
            hits = sum(page in gold for page in listed[:10])
            most = 10 if precision else min(10, len(gold))
            both.append(hits / most if gold else float("nan"))
        return both[0], both[1]


def _over_largest(part: Numbers) -> Numbers:
    largest = float(part.max())
    return part / largest if largest > 0 else part


def _cosine(one: Numbers, other: Numbers) -> float:
    length = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / length if length > 0 else 0.0


class Collection:
    """A set with its graph and the queries that were drawn."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        about, pages, links, gold = collection.read(folder)
        names = [row[0] for row in pages]
        targets: list[list[str]] = [[] for _ in names]
        for source, target in links:
            targets[source].append(names[target])
        self.name, self.precision = folder.name, about["measure"] == "precision"
        self.graph = wr.Graph.from_pages(
            (Page(row[0], to, read=row[2] == "1") for row, to in zip(pages, targets, strict=True)),
            urls="keep",
            ordered=about["ordered"],
        )
        numbers = [self.graph.page(name) for name in names]
        degrees = self.graph.store.in_degree(np.arange(len(self.graph)))
        degrees = degrees + self.graph.store.out_degree(np.arange(len(self.graph)))
        listed: dict[int, set[int]] = {}
        for query, page in ((numbers[query], numbers[page]) for query, page in gold):
            if query != page and degrees[query] and degrees[page]:
                listed.setdefault(query, set()).add(page)
        drawn = random.Random(seed).sample(sorted(listed), min(count, len(listed)))
        self.gold = {query: listed[query] for query in sorted(drawn)}

    @cached_property
    def queries(self) -> list[Query]:
        store, found = self.graph.store, []
        for page, gold in self.gold.items():
            question = self.graph.question([page], site="page")
            vicinity = blend.gather(question, 2000)
            pages = vicinity.pages
            walked = dict(self.walk(page))
            alone = np.array([walked.get(other, 0.0) for other in pages.tolist()])
            parents = store.in_degree(pages).astype(np.float64)
            degrees = parents + store.out_degree(pages)
            left = np.where(blend.outside(question, pages), blend.OUTSIDE, 1)
            linked = set(store.links_from(page).tolist())
            numbers = (vicinity.parts, alone, degrees, parents, left)
            found.append(Query(page, pages, *numbers, gold, linked))
        return found

    def walk(self, page: int) -> Iterator[tuple[int, float]]:
        """What the method walk says, which is not quite the walk of blend."""
        url = self.graph.url(page)
        for result in self.graph.related(url, by="walk", limit=len(self.graph), chop=False):
            yield result.page, result.score

    def measures(self, setting: Setting | None) -> Numbers:
        """Both measures of each query, by a setting or by the plain sum."""
        rows = [
            query.measures(
                query.ranked(query.plain_sum() if setting is None else query.product(setting)),
                self.precision,
            )
            for query in self.queries
        ]
        return np.array(rows)

    def default(self, names: bool) -> Numbers:
        """The same by the product itself."""
        rows = []
        for query in self.queries:
            most = 10 + len(query.linked)
            answer = self.graph.related(
                self.graph.url(query.page), by=blend.Blend(names=names), limit=most, chop=False
            )
            rows.append(query.measures([result.page for result in answer], self.precision))
        return np.array(rows)


def chance(rows: Numbers, others: Numbers, measure: int) -> float:
    """The p of a paired test of two lists of figures."""
    apart = np.round((rows - others)[:, measure], 9)
    apart = apart[~np.isnan(apart)]
    return float(wilcoxon(apart).pvalue) if apart.any() else 1.0


def shown(rows: Numbers, plain: Numbers | None = None) -> str:
    """The means of both measures, and the p of each against the plain sum."""
    every, fresh = np.nanmean(rows, axis=0)
    told = f"{every:.3f} / {fresh:.3f}"
    if plain is None:
        return told
    return f"{told} (p {chance(rows, plain, 0):.2g} / {chance(rows, plain, 1):.2g})"


class Comparisons:
    """Paired tests that were made, to correct their p by how many there are (Holm)."""

    def __init__(self) -> None:
        self.made: list[tuple[float, str]] = []

    def add(self, label: str, rows: Numbers, others: Numbers) -> None:
        """Both measures of a method against those of another."""
        for measure, kind in enumerate(("all", "not linked")):
            less = np.nanmean(others[:, measure]) - np.nanmean(rows[:, measure])
            lost = f"{label}, {kind}, {-less / np.nanmean(others[:, measure]):+.1%}"
            self.made.append((chance(rows, others, measure), lost if less > 0 else ""))

    def told(self) -> str:
        """The significant losses, each with its p and with Holm's."""
        corrected, losses = 0.0, []
        for place, (p, lost) in enumerate(sorted(self.made)):
            corrected = max(corrected, min(1.0, p * (len(self.made) - place)))
            if lost and p < 0.05:
                losses.append(f"{lost} (p {p:.2g}, Holm {corrected:.2g})")
        return f"{len(self.made)} comparisons; significantly below: {'; '.join(losses) or 'none'}"


def left_out(sets: list[Collection], plain: list[Numbers]) -> list[str]:
    """For each set, the setting that the others choose, and what it has there."""
    table = np.array(
        [[np.nanmean(one.measures(setting), axis=0) for one in sets] for setting in GRID]
    )
    base = np.array([np.nanmean(rows, axis=0) for rows in plain])
    gains = np.log(np.maximum(table, 1e-3) / np.maximum(base, 1e-3))
    gains = np.where(gains < 0, LOSS * gains, gains).mean(axis=2)
    cells = []
    for place, one in enumerate(sets):
        picked = GRID[int(np.argmax(np.delete(gains, place, axis=1).mean(axis=1)))]
        numbers = ", ".join(f"{value:g}" for value in picked)
        cells.append(f"{shown(one.measures(picked), plain[place])} | {numbers}")
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets")
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--as-it-is", action="store_true")
    asked = parser.parse_args()
    names = asked.sets.split(",") if asked.sets else sorted(p.name for p in asked.folder.iterdir())
    sets = [Collection(asked.folder / name, asked.queries, asked.seed) for name in names]
    plain = [one.measures(None) for one in sets]
    chosen = [] if asked.as_it_is or len(sets) < 2 else left_out(sets, plain)
    head = ["set", "asked", "plain sum", *(["product, left out", "picked"] if chosen else [])]
    head += ["blend, links alone", "blend"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    made = Comparisons()
    for place, one in enumerate(sets):
        cells = [one.name, str(len(one.gold)), shown(plain[place]), *chosen[place : place + 1]]
        for kind, rows in (("links alone", one.default(False)), ("names", one.default(True))):
            cells.append(shown(rows, plain[place]))
            made.add(f"{one.name}, {kind}", rows, plain[place])
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{made.told()}")


if __name__ == "__main__":
    main()
