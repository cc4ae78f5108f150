"""PageSim of one page with all pages within three links, with a bounded loss."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links

SOURCES, SMALL, THIRDS = 0.6, 0.1, 0.3
HOPE = 1.3
LEVELS = 8

Numbers = dict[int, float]


class Scratch:
    """Memory that the compiled kernels reuse."""


class _Query:
    """One query: the graph, the scores that sources hand out, and the scores so far."""

    def __init__(self, links: Links, rank: NDArray[float64], radius: int, page: int) -> None:
        self.links, self.rank, self.radius, self.page = links, rank, radius, page
        self.followed: list[tuple[int, float]] = []
        self.scores: Numbers = {}
        self.shares: dict[int, Any] = {}
        self.best = 0.0
        self.read = 0

    def row(self, page: int) -> list[int]:
        return row_of(self.links, page, backward=False)

    def near(self, source: int) -> tuple[Numbers, Numbers]:
        """The scores of pages within two links: in total, and over exactly two links."""
        row = self.row(source)
        first = float(self.rank[source]) / len(row) if row else 0.0
        second: Numbers = {}
        for child in row if self.radius > 1 else []:
            links = self.row(child)
            self.read += len(links)
            for page in links:
                if page != source:
                    second[page] = second.get(page, 0.0) + first / len(links)
        near = dict(second)
        for child in row:
            near[child] = near.get(child, 0.0) + first
        return near, second

    def follow(self, source: int, cap: float) -> None:
        """Follow a source over two links, and bound the score over a third."""
        self.followed.append((source, cap))
        self.scores[source] = self.scores.get(source, 0.0) + cap
        near, second = self.near(source)
        for other, value in near.items():
            self.scores[other] = self.scores.get(other, 0.0) + min(cap, value)
            if other != self.page:
                self.best = max(self.best, self.scores[other])
        for other, value in second.items():
            if row := self.row(other):
                share = np.float32(min(cap, value / len(row)))
                self.shares[other] = self.shares.get(other, np.float32(0)) + share

    def heavy_links(self, most_small: float, max_loss: float, slack: float) -> _Heavy:
        """The links to follow if no page may lose more than `max_loss`."""
        givers = [other for other, share in self.shares.items() if share > most_small]
        givers.sort(key=lambda other: (_level(self.shares[other], max_loss), other))
        bounds: Numbers = {}  # one per page; in the compiled kernel, pages share buckets
        for other in givers:
            for target in self.row(other):
                bounds[target] = bounds.get(target, 0.0) + float(self.shares[other])
        heavy = _Heavy()
        for other in givers:
            for target in self.row(other):
                if bounds[target] > max_loss / slack:
                    bounds[target] -= float(self.shares[other])
                    heavy.links.setdefault(other, set()).add(target)
        heavy.unfollowed = max(bounds.values(), default=0.0) * slack
        return heavy

    def third(self, source: int, second: Numbers, heavy: _Heavy) -> Numbers:
        """Scores over simple paths of three links, of which the last is heavy."""
        row = self.row(source)
        first = float(self.rank[source]) / len(row) if row else 0.0
        got: Numbers = {}
        for page, value in second.items():
            for target in heavy.links.get(page, set()) - {source}:
                got[target] = got.get(target, 0.0) + value / len(self.row(page))
        for child in set(row).intersection(got):
            links = self.row(child)
            for page in set(links) - {source}:
                if child in heavy.links.get(page, ()):
                    got[child] -= first / len(links) / len(self.row(page))
        return got

    def follow_thirds(self, heavy: _Heavy, deadline: float) -> None:
        """Follow the sources again, over the heavy links."""
        unread = sum(cap for _, cap in self.followed)
        for source, cap in self.followed if heavy.links else []:
            if time.monotonic() > deadline:
                heavy.unfollowed = max(heavy.unfollowed, unread)
                break
            unread -= cap
            near, second = self.near(source)
            for target, value in self.third(source, second, heavy).items():
                gained = min(value, cap - near.get(target, 0.0))
                heavy.gained[target] = heavy.gained.get(target, 0.0) + max(gained, 0.0)
        for target, gained in heavy.gained.items():
            if target != self.page:
                self.best = max(self.best, self.scores.get(target, 0.0) + gained)


class _Heavy:
    """Third links to follow, the scores they gave, and a bound for the links not followed."""

    def __init__(self) -> None:
        self.links: dict[int, set[int]] = {}
        self.gained: Numbers = {}
        self.unfollowed = 0.0


def _level(share: Any, max_loss: float) -> int:
    """The level of a share, which rises as it shrinks relative to the allowed loss; 0 for large
    shares.
    """
    exponent = math.frexp(max_loss / float(share))[1] - 1
    return min(max(exponent // 3, 0), LEVELS - 1)


def similarities(
    scratch: Scratch,
    links: Links,
    rank: NDArray[float64],
    page: int,
    sources: NDArray[uint32],
    given: NDArray[float64],
    *,
    radius: int,
    allowed: float,
    lost: float,
    most_parents: int,
    most_pages: int,
    halfway: float,
    deadline: float,
) -> tuple[NDArray[uint32], NDArray[float64], tuple[float, float, float], int, int, int]:
    """The pages that share sources with `page`, and their scores; upper bounds on the score a page
    lost, by cause; the numbers of sources followed, pages met and links read.
    """
    query = _Query(links, rank, radius, page)
    waiting: Iterator[tuple[int, float]] = zip(sources.tolist(), given.tolist(), strict=True)
    unfollowed, small, heavy = lost + float(np.sum(given)), 0.0, _Heavy()
    hope = HOPE if radius > 2 else 1.0
    while True:
        while unfollowed > SOURCES * allowed * hope * query.best and time.monotonic() <= halfway:
            source, cap = next(waiting, (-1, 0.0))
            if source < 0:
                break
            unfollowed -= cap
            query.follow(source, cap)
        if radius < 3:
            break
        may_lose = allowed * hope * query.best
        most_small = SMALL * may_lose / most_parents
        n_small = sum(1 for share in query.shares.values() if share <= most_small)
        slack = 1 + len(query.followed) * 2.0**-23
        small = most_small * slack * min(n_small, most_parents)
        heavy = query.heavy_links(most_small, THIRDS * may_lose, slack)
        query.follow_thirds(heavy, deadline)
        enough = unfollowed + small + heavy.unfollowed <= allowed * query.best
        all_followed = len(query.followed) == len(sources) and hope < 1
        if enough or all_followed or time.monotonic() > halfway:
            break
        hope = min(0.75 * hope, 0.98)
    scores = {**query.scores, **{other: query.scores.get(other, 0.0) for other in heavy.gained}}
    for other, gained in heavy.gained.items():
        scores[other] += gained
    scores.pop(page, None)
    kept = {other: score for other, score in scores.items() if score > allowed * query.best / 100}
    pages = np.array(list(kept), np.uint32)
    values = np.array(list(kept.values()), np.float64)
    parts = unfollowed, small, heavy.unfollowed
    return pages, values, parts, len(query.followed), len(scores) + 1, query.read
