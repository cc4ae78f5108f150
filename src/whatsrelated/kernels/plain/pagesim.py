"""PageSim of one page with all others within three links, but for a stated part of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

SOURCES, SMALL, THIRDS = 0.6, 0.1, 0.3

Numbers = dict[int, float]


class Scratch:
    """The compiled loops keep their memory here."""


class _Query:
    """One question: the graph, and what the sources hand out."""

    def __init__(self, offsets: Any, links: Any, rank: Any, radius: int) -> None:
        self.offsets, self.links, self.rank, self.radius = offsets, links, rank, radius
        self.read = 0

    def row(self, page: int) -> list[int]:
        listed: list[int] = self.links[
            int(self.offsets[page]) : int(self.offsets[page + 1])
        ].tolist()
        return listed

    def near(self, source: int) -> tuple[Numbers, Numbers]:
        """What the pages within two links get, and what of it over two."""
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

    def third(self, source: int, second: Numbers, by: set[int], into: set[int]) -> Numbers:
        """What the pages of `into` get over three links, the last from a page of `by`.

        No page is twice on a path.
        """
        row = self.row(source)
        first = float(self.rank[source]) / len(row) if row else 0.0
        got: Numbers = {}
        for page in by.intersection(second):
            links = self.row(page)
            for target in into.intersection(links) - {source}:
                got[target] = got.get(target, 0.0) + second[page] / len(links)
        for child in into.intersection(row):
            links = self.row(child)
            for page in by.intersection(links) - {source}:
                if child in self.row(page):
                    got[child] -= first / len(links) / len(self.row(page))
        return got


def similar(
    scratch: Any,
    offsets: Any,
    links: Any,
    rank: Any,
    page: int,
    sources: Any,
    given: Any,
    radius: int,
    allowed: float,
    lost: float,
    most_parents: int,
    most_pages: int,
    halfway: float,
    deadline: float,
) -> tuple[NDArray[uint32], NDArray[float64], tuple[float, float, float], int, int, int]:
    """The pages that share sources with `page`, and their scores; at most how much any page has
    lost, in parts; how many sources were followed, pages met and links read.
    """
    query = _Query(offsets, links, rank, radius)
    scores: Numbers = {}
    shares: dict[int, Any] = {}
    followed: list[tuple[int, float]] = []
    rest, best = lost + float(np.sum(given)), 0.0
    for source, cap in zip(map(int, sources), map(float, given), strict=True):
        if rest <= SOURCES * allowed * best or time.monotonic() > halfway:
            break
        rest -= cap
        followed.append((source, cap))
        scores[source] = scores.get(source, 0.0) + cap
        near, second = query.near(source)
        for other, value in near.items():
            scores[other] = scores.get(other, 0.0) + min(cap, value)
            if other != page:
                best = max(best, scores[other])
        for other, value in second.items() if radius > 2 else ():
            if query.row(other):
                share = np.float32(min(cap, value / len(query.row(other))))
                shares[other] = shares.get(other, np.float32(0)) + share
    most_small = SMALL * allowed * best / most_parents
    slack = 1 + len(followed) * 2.0**-23
    givers = {other for other, share in shares.items() if share > most_small}
    bounds: Numbers = {}  # the compiled loops add up those of several pages
    for other in givers:
        for target in query.row(other):
            bounds[target] = bounds.get(target, 0.0) + float(shares[other]) * slack
    small = most_small * slack * min(len(shares) - len(givers), most_parents)
    heavy = {target for target, bound in bounds.items() if bound > THIRDS * allowed * best}
    third = max((bound for target, bound in bounds.items() if target not in heavy), default=0.0)
    heavy.discard(page)
    left = sum(cap for _, cap in followed)
    for source, cap in followed if heavy else []:
        if time.monotonic() > deadline:
            third = max(third, left)
            break
        left -= cap
        near, second = query.near(source)
        for target, value in query.third(source, second, givers, heavy).items():
            gained = min(value, cap - near.get(target, 0.0))
            scores[target] = scores.get(target, 0.0) + max(gained, 0.0)
            best = max(best, scores[target])
    scores.pop(page, None)
    kept = {other: score for other, score in scores.items() if score > allowed * best / 100}
    pages = np.array(list(kept), np.uint32)
    values = np.array(list(kept.values()), np.float64)
    return pages, values, (rest, small, third), len(followed), len(scores) + 1, query.read
