"""How good are the first missing links of a site?  Links are taken away, and looked for.

    python -m benchmarks.gaps SETS [--sets python,mdn] [--seeds 0,1] [--cache FOLDER]

SETS is a folder of sets as `benchmarks.sets` makes them (docs/reports/default.md has the
commands).  Of each site a tenth of the links, drawn by a seed, is taken away; all pairs of
pages of the rest are ranked in one list, index pages left out as sources as
`whatsrelated.gaps` leaves them out by their numbers of links, and of the first 50 (100,
200) pairs it is counted how many are links that were taken away:

- *peers by place*: all first results of the method peers, then all second ones, each by score;
- *left out*: the score of `whatsrelated.gaps`, whose four numbers were chosen on the other
  sites alone, by the mean gain over peers by place, where a loss at 50 counts three times;
- *fitted*: the score as it is; *as listed*: with at most 3 of one page and 5 to one page.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whatsrelated as wr
from benchmarks.sets import collection
from whatsrelated.gaps import missing
from whatsrelated.gaps.find import GapOptions
from whatsrelated.gaps.missing import suggest
from whatsrelated.gaps.structure import Site
from whatsrelated.methods.peers import POPULAR
from whatsrelated.stream import Page

Numbers = NDArray[np.float64]
Setting = tuple[float, float, float, float]
"""The powers of the total, of linking back, of linking alike and of the place."""

GRID: list[Setting] = list(
    itertools.product(
        (0.25, 0.5, 0.75), (0.5, 0.75, 1.0, 1.5), (0.0, 0.25, 0.5), (0.5, 0.75, 1.0, 1.5)
    )
)
CHOSEN: Setting = (missing.TOTAL, missing.BACK, missing.ALIKE, missing.PLACE)
DEPTHS = (50, 100, 200)
ENOUGH = 5000
"""How many of the best suggestions are put in order."""
FEWEST_PAGES = 300
"""A site with fewer pages has no say in the numbers."""
COLUMNS = ("source", "target", "true", "mass", "total", "place", "alike", "back", "parents")


def suggestions(folder: Path, seed: int) -> tuple[Numbers, int]:
    """What is suggested for all pages of a site without a tenth of its links; its pages."""
    about, pages, links, gold = collection.read(folder)
    pairs = [*links, *(gold if about["measure"] == "recall" else [])]
    pairs = [[a, b] for a, b in dict.fromkeys(map(tuple, pairs)) if a != b]
    held = np.random.default_rng(seed).random(len(pairs)) < 0.1
    targets: list[list[str]] = [[] for _ in pages]
    for (source, target), gone in zip(pairs, held.tolist(), strict=True):
        if not gone:
            targets[source].append(pages[target][0])
    graph = wr.Graph.from_pages(
        (Page(row[0], to, read=row[2] == "1") for row, to in zip(pages, targets, strict=True)),
        urls="keep",
        ordered=about["ordered"],
    )
    number = {name: page for page, name in enumerate(graph)}
    gone = {
        (number.get(pages[a][0], -1), number.get(pages[b][0], -1))
        for (a, b), out in zip(pairs, held.tolist(), strict=True)
        if out
    }
    site = Site(graph.store)
    parts = []
    for page in np.flatnonzero(site.is_page & ~site.is_hub).tolist():
        found = suggest(site, page, site.is_page)
        if found is None:
            continue
        each = np.ones(len(found.targets))
        true = [(page, target) in gone for target in found.targets.tolist()]
        parents = graph.store.in_degree(found.targets)
        first = [each * page, found.targets, true, found.mass, each * found.total]
        parts.append(np.column_stack([*first, found.places, found.alike, found.back, parents]))
    return np.vstack(parts), int(site.is_page.sum())


class Trial:
    """The suggestions of one site and seed, ranked by a setting."""

    def __init__(self, rows: Numbers) -> None:
        column = dict(zip(COLUMNS, rows.T, strict=True))
        self.sources, self.targets, self.true = (column[name] for name in COLUMNS[:3])
        self.parts = np.column_stack(
            [
                np.log(column["mass"] + 0.01),
                -np.log(column["total"] + 1),
                column["back"],
                np.log(column["alike"] + 0.05),
                -np.log(np.minimum(column["place"], missing.LAST_PLACE) + 1),
            ]
        )
        score = column["mass"] / np.maximum(column["parents"], 1) ** POPULAR
        self.by_place = -column["place"] + score / (score.max() + 1)

    def score(self, setting: Setting) -> Numbers:
        return np.asarray(self.parts @ np.array([1.0, *setting]))

    def precision(self, setting: Setting | None, listed: bool = False) -> Numbers:
        """The share of true links among the first, by a setting or by place; or as listed."""
        scores = self.by_place if setting is None else self.score(setting)
        best = np.argpartition(-scores, min(ENOUGH, len(scores) - 1))[:ENOUGH]
        best.sort()
        order = best[np.argsort(-scores[best], kind="stable")]
        if listed:
            order = self._bounded(order, GapOptions().per_page, GapOptions().per_target)
        return np.array([self.true[order[:depth]].mean() for depth in DEPTHS])

    def _bounded(
        self, order: NDArray[np.int64], per_page: int, per_target: int
    ) -> NDArray[np.int64]:
        given: Counter[float] = Counter()
        named: Counter[float] = Counter()
        kept = []
        for at in order.tolist():
            source, target = self.sources[at], self.targets[at]
            if given[source] < per_page and named[target] < per_target:
                given[source] += 1
                named[target] += 1
                kept.append(at)
                if len(kept) == DEPTHS[-1]:
                    break
        return np.array(kept)


def gain(ours: Numbers, base: Numbers) -> float:
    """The gain over a base, the first 50 counting double, and a loss there three times."""
    better = float(np.average(ours - base, weights=(2, 1, 1)))
    return better - 2 * max(0.0, float(base[0] - ours[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets")
    parser.add_argument("--seeds", default="0,1")
    parser.add_argument("--cache", type=Path, help="a folder to keep suggestions in")
    asked = parser.parse_args()
    names = asked.sets.split(",") if asked.sets else sorted(p.name for p in asked.folder.iterdir())
    seeds = [int(seed) for seed in asked.seeds.split(",")]
    trials: dict[str, list[Trial]] = {}
    sizes: dict[str, int] = {}
    for name in names:
        found = [cached(asked.folder / name, seed, asked.cache) for seed in seeds]
        trials[name], sizes[name] = [Trial(rows) for rows, _ in found], found[0][1]
    base = {name: mean(trials[name], None) for name in names}
    voters = [name for name in names if sizes[name] >= FEWEST_PAGES]
    gains = np.array([[gain(mean(trials[n], s), base[n]) for n in voters] for s in GRID])
    print("| site | pages | peers by place | left out | fitted | as listed | picked |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        others = [place for place, voter in enumerate(voters) if voter != name]
        picked = GRID[int(np.argmax(gains[:, others].mean(axis=1)))] if others else CHOSEN
        cells = [
            base[name],
            mean(trials[name], picked),
            mean(trials[name], CHOSEN),
            mean(trials[name], CHOSEN, listed=True),
        ]
        shown = " | ".join(" ".join(f"{value:.2f}" for value in cell) for cell in cells)
        numbers = ", ".join(f"{value:g}" for value in picked)
        print(f"| {name} | {sizes[name]:,} | {shown} | {numbers} |", flush=True)


def cached(folder: Path, seed: int, cache: Path | None) -> tuple[Numbers, int]:
    """The suggestions, kept where a folder for them was given."""
    if cache is None:
        return suggestions(folder, seed)
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / f"{folder.name}-{seed}.npz"
    if not file.exists():
        rows, pages = suggestions(folder, seed)
        np.savez(file, rows=rows, pages=pages)
    kept = np.load(file)
    return kept["rows"], int(kept["pages"])


def mean(trials: list[Trial], setting: Setting | None, listed: bool = False) -> Numbers:
    """The mean precision over the seeds."""
    return np.asarray(np.mean([one.precision(setting, listed) for one in trials], axis=0))


if __name__ == "__main__":
    main()
