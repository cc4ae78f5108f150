"""Compare ranks on one graph: their cost, and how well they agree.

1. Compute every rank again, to compare times, iterations and residuals (XH14, sec. 4).
2. List the best pages of the first rank, with their positions in the others (CON04, Fig. 1; XH14,
   Tables 2 and 3). Pages with equal scores share the first of their positions.
3. For each pair of ranks, compute the overlap of their first k pages (XH14, Table 4), Kendall's τ-b
   over all pages, and the rank-biased overlap of the two orders.

Rank-biased overlap (Webber, Moffat and Zobel, 2010) imagines a reader who continues to the next
position with probability p. It averages the overlap of the two orders at the depth where the reader
stops. This is (1-p) Σ p^(d-1) X(d)/d over every depth d, where X(d) is the number of pages that
both have among the first d. Both orders contain all pages, so the rest of the sum, past the last
page, is p^n.

Cost: computing the ranks, plus one sort of all pages for each rank and each pair.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.contract.candidates import Candidates, order
from whatsrelated.errors import OptionError
from whatsrelated.options import configure, declared_options
from whatsrelated.ranks import RANKS

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    from whatsrelated.contract.candidates import Result
    from whatsrelated.graph import Store
    from whatsrelated.ranks import Rank
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.stream import Progress

TOPS = (10, 20, 30, 40, 50)
"""The numbers of top pages that XH14 compares."""
PERSISTENCE = 0.9
"""With this persistence, the reader sees ten positions on average."""


@dataclass(frozen=True, slots=True)
class PlacedResult:
    """One of the best pages of the first rank, with its links and its position in every rank."""

    result: Result
    links: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RankPair:
    """How well two ranks agree: overlap of their first k, Kendall's τ-b, rank-biased overlap.

    τ-b is None if one of the two gives all pages the same score.
    """

    x: str
    y: str
    shares: dict[int, float]
    kendall: float | None
    rbo: float


@dataclass(frozen=True)
class RankComparison:
    """Ranks of one graph, each with the seconds it took."""

    rankings: tuple[Ranking, ...]
    seconds: tuple[float, ...]
    hubs: bool = False
    tops: tuple[int, ...] = TOPS
    persistence: float = PERSISTENCE

    @property
    def names(self) -> list[str]:
        return [ranking.by.name for ranking in self.rankings]

    @cached_property
    def _scores(self) -> list[NDArray[float64]]:
        """The scores of each rank, divided by the largest score and rounded for comparison."""
        scores = [np.asarray(one.scores_of(hubs=self.hubs), np.float64) for one in self.rankings]
        return [np.asarray(np.round(x / (x.max(initial=0) or 1), 9)) for x in scores]

    @cached_property
    def _orders(self) -> list[NDArray[int64]]:
        """All pages in the order of each rank."""
        links = self.rankings[0].store.links
        pages = np.arange(len(self.rankings[0]), dtype=np.uint32)
        return [order(Candidates(pages, scores), links) for scores in self._scores]

    def best(self, count: int = 20) -> list[PlacedResult]:
        """The best pages of the first rank, with their positions in all ranks."""
        first, store = self.rankings[0], self.rankings[0].store
        degree = store.out_degree if self.hubs else store.in_degree
        results = first.top(count, hubs=self.hubs)
        pages = np.array([result.page for result in results], np.uint32)
        columns = [_places(scores, pages) for scores in self._scores]
        rows = zip(results, degree(pages).tolist(), zip(*columns, strict=True), strict=True)
        return [PlacedResult(*row) for row in rows]

    def pairs(self) -> list[RankPair]:
        """Every pair of ranks, in the order given."""
        rows = []
        for i, j in combinations(range(len(self.rankings)), 2):
            depths = _depths(self._orders[i], self._orders[j])
            rows.append(
                RankPair(
                    self.names[i],
                    self.names[j],
                    {top: float((depths <= top).sum()) / top for top in self.tops},
                    kendall(self._scores[i], self._scores[j]),
                    overlap(depths, self.persistence),
                )
            )
        return rows

    def as_dict(self, count: int = 20) -> dict[str, Any]:
        """The whole comparison as plain values."""
        return {
            "version": 1,
            "of": "hubs" if self.hubs else "scores",
            "ranks": [
                {
                    "by": ranking.by.name,
                    "options": ranking.by.settings(),
                    "rounds": ranking.rounds,
                    "residual": ranking.residual,
                    "converged": ranking.converged,
                    "seconds": seconds,
                    "residuals": list(ranking.residuals),
                }
                for ranking, seconds in zip(self.rankings, self.seconds, strict=True)
            ],
            "pages": [
                {
                    "url": row.result.url,
                    "title": row.result.title,
                    "score": row.result.score,
                    "links": row.links,
                    "places": dict(zip(self.names, row.places, strict=True)),
                }
                for row in self.best(count)
            ],
            "persistence": self.persistence,
            "pairs": [
                {
                    "x": pair.x,
                    "y": pair.y,
                    "shares": {str(top): share for top, share in pair.shares.items()},
                    "kendall": pair.kendall,
                    "rbo": pair.rbo,
                }
                for pair in self.pairs()
            ],
        }


def compare_ranks(
    store: Store,
    by: Sequence[str],
    *,
    hubs: bool = False,
    tops: Sequence[int] = TOPS,
    persistence: float = PERSISTENCE,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RankComparison:
    """Compute and compare these ranks; an option applies to every rank that has it.

    Scores are compared even if they did not converge.
    """
    ranks = _ranks(by, options)
    if not 0 < persistence < 1:
        raise OptionError(f"rank: persistence must be above 0 and below 1, got {persistence:g}.")
    rankings, seconds = [], []
    for rank in ranks:
        begun = time.perf_counter()
        ranking = rank.compute(store, threads=threads, progress=progress, accept=True)
        seconds.append(time.perf_counter() - begun)
        ranking.scores_of(hubs=hubs)
        rankings.append(ranking)
    return RankComparison(tuple(rankings), tuple(seconds), hubs, tuple(tops), persistence)


def _ranks(by: Sequence[str], options: Mapping[str, Any]) -> list[Rank]:
    """The ranks with these names; an option that none of them has raises an error."""
    if len(set(by)) < max(len(by), 2):
        raise OptionError(
            f"rank: a comparison needs at least two different ranks, got {', '.join(by) or 'none'}."
        )
    kinds = [RANKS[name] for name in by]
    known = {name for kind in kinds for name in declared_options(kind)}
    for name in options:
        if name not in known:
            raise OptionError(
                f"rank: none of {', '.join(by)} has the option {name!r:.80}; "
                f"they have: {', '.join(sorted(known)) or 'none'}."
            )
    return [
        configure(kind, {name: options[name] for name in options if name in declared_options(kind)})
        for kind in kinds
    ]


def kendall(x: NDArray[float64], y: NDArray[float64]) -> float | None:
    """Kendall's τ-b of two scores of the same pages; None if one has a single value."""
    from scipy.stats import kendalltau  # type: ignore[import-untyped]

    if not len(x) or (x == x[0]).all() or (y == y[0]).all():
        return None
    return float(kendalltau(x, y).statistic)


def overlap(depths: NDArray[int64], persistence: float) -> float:
    """Rank-biased overlap, given the depth at which each page has appeared in both orders."""
    pages = len(depths)
    both = np.cumsum(np.bincount(depths, minlength=pages + 1)[1:])
    depth = np.arange(1, pages + 1)
    weights = persistence ** (depth - 1.0)
    past = persistence**pages
    return float((1 - persistence) * np.dot(weights, both / depth) + past)


def _depths(one: NDArray[int64], two: NDArray[int64]) -> NDArray[int64]:
    """For each page, the depth (from 1) at which it has appeared in both orders."""
    places = np.empty((2, len(one)), np.int64)
    for row, pages in zip(places, (one, two), strict=True):
        row[pages] = np.arange(1, len(pages) + 1)
    return np.asarray(places.max(axis=0))


def _places(scores: NDArray[float64], pages: NDArray[Any]) -> list[int]:
    """The positions of pages, from 1; pages with equal scores share the first of their
    positions."""
    places: list[int] = (
        1 + len(scores) - np.searchsorted(np.sort(scores), scores[pages], side="right")
    ).tolist()
    return places
