"""How good are the first missing links suggested for a site?  Links are removed, then searched for.

    python -m benchmarks.gaps SETS [--sets python,mdn] [--seeds 0,1,2,3,4] [--cache FOLDER]

SETS is a folder of sets made by `benchmarks.sets` (docs/reports/default.md has the commands).
A random tenth of each site's links is removed, and all pairs of the remaining pages are ranked
in one list; like `whatsrelated.apps.gaps`, this leaves out index pages as sources.  The figures
are the share of removed links among the first 50 (100, 200) pairs, averaged over all draws:

- *peers by place*: the first result of the method peers for every page, by score, then the
  second results, and so on;
- *fixed*: the score with the powers chosen by the other sites, the same for every site;
- *own*: with powers chosen by the rest of the site's own links (apps.gaps.calibration),
  starting from those of the other sites; *draws* counts the draws in which it is better
  than peers by place at 50, equal, and worse;
- *as listed*: the list that the command prints, with at most 3 from one page and 5 to one page.

Sites given by --fresh are only tested, never used to choose numbers.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whatsrelated as wr
from benchmarks.sets import collection
from whatsrelated.apps.gaps.calibration import DEPTHS, GRID, choose, own_trials
from whatsrelated.apps.gaps.site_gaps import GapOptions
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.apps.gaps.suggestions import Powers, Suggester, weigh
from whatsrelated.methods.peers import POPULAR
from whatsrelated.stream import Page

Numbers = NDArray[np.float64]
ENOUGH = 5000
"""Number of best suggestions to sort."""
FEWEST_PAGES = 300
"""Sites with fewer pages are not used to choose numbers."""


@dataclass(frozen=True)
class Draw:
    """The suggestions for a site without the links of one draw, and its calibration."""

    rows: Numbers
    """Source, target, whether the link was removed, place, the score of peers, and the signals."""
    own: Numbers
    """The precision of each setting on the remaining links; empty if too few remain."""
    pages: int

    def score(self, powers: Powers | None) -> Numbers:
        """The score with these powers; without them, the place and then the score of peers."""
        if powers is not None:
            return weigh(self.rows[:, 5:], powers)
        place, score = self.rows[:, 3], self.rows[:, 4]
        return np.asarray(-place + score / (score.max() + 1))

    def precision(self, powers: Powers | None, listed: bool = False) -> Numbers:
        """The share of removed links among the first, by powers, by place, or as listed."""
        scores = self.score(powers)
        best = np.argpartition(-scores, min(ENOUGH, len(scores) - 1))[:ENOUGH]
        best.sort()
        order = best[np.argsort(-scores[best], kind="stable")]
        if listed:
            order = self._bounded(order, GapOptions().per_page, GapOptions().per_target)
        return np.array([self.rows[order[:depth], 2].mean() for depth in DEPTHS])

    def _bounded(
        self, order: NDArray[np.int64], per_page: int, per_target: int
    ) -> NDArray[np.int64]:
        given: Counter[float] = Counter()
        named: Counter[float] = Counter()
        kept = []
        for at in order.tolist():
            source, target = self.rows[at, :2]
            if given[source] < per_page and named[target] < per_target:
                given[source] += 1
                named[target] += 1
                kept.append(at)
                if len(kept) == DEPTHS[-1]:
                    break
        return np.array(kept)


def draw(folder: Path, seed: int) -> Draw:
    """The suggestions for all pages of a site without a tenth of its links."""
    about, pages, links, gold = collection.read(folder)
    pairs = [*links, *(gold if about["measure"] == "recall" else [])]
    pairs = [[a, b] for a, b in dict.fromkeys(map(tuple, pairs)) if a != b]
    held = (np.random.default_rng(seed).random(len(pairs)) < 0.1).tolist()
    targets: list[list[str]] = [[] for _ in pages]
    for (source, target), gone in zip(pairs, held, strict=True):
        if not gone:
            targets[source].append(pages[target][0])
    graph = wr.Graph.from_pages(
        (Page(row[0], to, read=row[2] == "1") for row, to in zip(pages, targets, strict=True)),
        urls="keep",
        ordered=about["ordered"],
    )
    number = {name: page for page, name in enumerate(graph)}
    gone = np.array(
        [
            number.get(pages[a][0], -1) * len(graph) + number.get(pages[b][0], -1)
            for (a, b), out in zip(pairs, held, strict=True)
            if out
        ]
    )
    site = SiteStructure(graph.store)
    sources = np.flatnonzero(site.is_page & ~site.is_hub)
    suggester = Suggester(graph.store.links, site.is_page)
    parts = []
    for page in sources.tolist():
        found = suggester.suggest(page)
        if found is None:
            continue
        true = np.isin(page * len(graph) + found.targets.astype(np.int64), gone)
        parents = np.maximum(graph.store.in_degree(found.targets), 1)
        first = [np.full(len(true), page), found.targets, true]
        score = found.mass / parents**POPULAR
        parts.append(np.column_stack([*first, found.places, score, found.signals()]))
    trials = own_trials(site, sources)
    own = np.array([np.mean([t.precision(p) for t in trials]) for p in GRID] if trials else [])
    return Draw(np.vstack(parts), own, int(site.is_page.sum()))


def cached(folder: Path, seed: int, cache: Path | None) -> Draw:
    """The suggestions, cached if a folder was given."""
    if cache is None:
        return draw(folder, seed)
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / f"{folder.name}-{seed}.npz"
    if not file.exists():
        one = draw(folder, seed)
        np.savez(file, rows=one.rows.astype(np.float32), own=one.own, pages=one.pages)
    kept = np.load(file)
    return Draw(kept["rows"].astype(np.float64), kept["own"], int(kept["pages"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets")
    parser.add_argument("--fresh", default="", help="sites that are only judged")
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--cache", type=Path, help="a folder for cached suggestions")
    asked = parser.parse_args()
    names = collection.names_of(asked)
    fresh = [name for name in asked.fresh.split(",") if name]
    seeds = [int(seed) for seed in asked.seeds.split(",")]
    draws = {
        name: [cached(asked.folder / name, seed, asked.cache) for seed in seeds]
        for name in dict.fromkeys([*names, *fresh])
    }
    voters = [n for n in names if n not in fresh and draws[n][0].pages >= FEWEST_PAGES]
    worth = np.array([[worth_of(draws[name], powers) for powers in GRID] for name in voters])
    print("| site | pages | peers by rank | fixed | tuned | draws | as listed | tuned powers |")
    print("|---|---|---|---|---|---|---|---|")
    for name in draws:
        others = worth[[place for place, voter in enumerate(voters) if voter != name]]
        fixed = choose(others.mean(axis=0), Powers()) if len(others) else Powers()
        print(row(name, draws[name], fixed), flush=True)


def worth_of(draws: list[Draw], powers: Powers) -> float:
    """The mean precision of all draws and depths."""
    return float(np.mean([one.precision(powers) for one in draws]))


def row(name: str, draws: list[Draw], fixed: Powers) -> str:
    """A row of the table."""
    own = [choose(one.own, fixed) if len(one.own) else fixed for one in draws]
    pairs = list(zip(draws, own, strict=True))
    place = np.array([one.precision(None) for one in draws])
    ours = np.array([one.precision(powers) for one, powers in pairs])
    cells = [
        place,
        np.array([one.precision(fixed) for one in draws]),
        ours,
        np.array([one.precision(powers, listed=True) for one, powers in pairs]),
    ]
    shown = [" ".join(f"{value:.2f}" for value in cell.mean(axis=0)) for cell in cells]
    signs = np.sign(np.round(ours[:, 0] - place[:, 0], 9)).tolist()
    shown.insert(3, "/".join(str(signs.count(sign)) for sign in (1, 0, -1)))
    numbers = ", ".join(f"{value:.2g}" for value in np.mean(own, axis=0))
    return f"| {name} | {draws[0].pages:,} | {' | '.join(shown)} | {numbers} |"


if __name__ == "__main__":
    main()
