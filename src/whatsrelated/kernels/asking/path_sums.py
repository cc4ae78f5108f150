"""Sums of values that pages hand along simple paths, in plain Python."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import out_degree, row_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links

TOGETHER = 3


class Paths:
    """The sums that arrive at each page from one root at a time, along links or against them."""

    def __init__(
        self,
        links: Links,
        radius: int,
        least: float,
        deadline: float,
        rank: NDArray[float64] | None = None,
        damping: float = 1.0,
    ) -> None:
        self.links, self.radius, self.least, self.deadline = links, radius, least, deadline
        self.rank = rank
        self.passing = [0.0]
        for _ in range(TOGETHER):
            self.passing.append((self.passing[-1] + 1) / damping if damping else np.inf)
        self.read = 0

    def row(self, page: int) -> list[int]:
        """The links to follow: backwards if there is a rank."""
        return row_of(self.links, page, backward=self.rank is not None)

    def out_degree(self, page: int) -> int:
        return out_degree(self.links, page)

    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def abandons(self, page: int, value: float, share: float, links_left: int) -> bool:
        """Whether to abandon a path because the possible loss is too small to justify reading its
        links.
        """
        loss = share
        if self.rank is not None:
            if 0 < links_left <= TOGETHER:
                loss = share * min(1.0, float(self.rank[page]) * self.passing[links_left])
        elif links_left != 1:
            loss = value
        if loss >= self.least * len(self.row(page)) and not self.is_late():
            return False
        self.lost += loss
        return True

    def follow(self, root: int, share: float) -> dict[int, float]:
        """The sum at each page if the root hands `share` to each of its links."""
        self.lost = 0.0
        self.arrived: dict[int, float] = {}
        if 0 <= self.radius <= TOGETHER:
            self._follow_together(root, share)
        else:
            self._follow_each(root, share, [root])
        return self.arrived

    def _arrive(self, page: int, share: float) -> None:
        self.arrived[page] = self.arrived.get(page, 0.0) + share

    def _follow_together(self, root: int, share: float) -> None:
        children = self.row(root) if self.radius > 0 else []
        self.read += len(children)
        seconds: dict[int, dict[int, float]] = {}
        for page in children:
            self._arrive(page, share)
        for page in children if self.radius > 1 else []:
            if not self.out_degree(page):
                continue
            handed = share / self.out_degree(page)
            if self.abandons(page, share, handed, self.radius - 1):
                continue
            self.read += len(self.row(page))
            for second in self.row(page):
                if second != root:
                    self._arrive(second, handed)
                    seconds.setdefault(second, {})[page] = handed
        for page, by in seconds.items() if self.radius > 2 else ():
            if not self.out_degree(page):
                continue
            value = sum(by.values())
            if self.abandons(page, value, value / self.out_degree(page), 1):
                continue
            self.read += len(self.row(page))
            for third in self.row(page):
                handed = (value - by.get(third, 0.0)) / self.out_degree(page)
                if third != root and handed > 0:
                    self._arrive(third, handed)

    def _follow_each(self, root: int, share: float, path: list[int]) -> None:
        for page in self.row(path[-1]):
            self.read += 1
            if page in path:
                continue
            self._arrive(page, share)
            links_left = self.radius - len(path)
            if links_left == 0 or not self.out_degree(page):
                continue
            handed = share / self.out_degree(page)
            if not self.abandons(page, share, handed, links_left):
                self._follow_each(root, handed, [*path, page])


def arrivals(
    links: Links,
    root: int,
    share: float,
    *,
    radius: int,
    least: float,
    rank: NDArray[float64] | None,
    damping: float,
    deadline: float,
) -> tuple[NDArray[uint32], NDArray[float64], float, int]:
    """The pages that `root` reaches over simple paths (backwards if `rank` is given) and their
    sums; a bound on the loss, as received by the root; the number of links read.
    """
    paths = Paths(links, radius, least, deadline, rank, damping)
    arrived = {page: value for page, value in paths.follow(root, share).items() if value > 0}
    pages = np.array(list(arrived), np.uint32)
    return pages, np.array(list(arrived.values()), np.float64), paths.lost, paths.read


def shared_scores(
    links: Links,
    rank: NDArray[float64],
    page: int,
    sources: NDArray[uint32],
    given: NDArray[float64],
    *,
    radius: int,
    least: float,
    deadline: float,
) -> tuple[NDArray[uint32], NDArray[float64], float, int, int]:
    """For every page, the sum over the sources of min(share of `page`, share of that page); a bound
    on the loss; the numbers of links read and of sources followed.
    """
    paths = Paths(links, radius, least, deadline)
    scores: dict[int, float] = {}
    lost, followed = 0.0, 0
    for source, share in zip(map(int, sources), map(float, given), strict=True):
        scores[source] = scores.get(source, 0.0) + share
        if not paths.out_degree(source):
            continue
        if paths.is_late():
            lost += share
            continue
        followed += 1
        for other, value in paths.follow(source, rank[source] / paths.out_degree(source)).items():
            scores[other] = scores.get(other, 0.0) + min(share, value)
        lost += min(share, paths.lost)
    scores.pop(page, None)
    pages = np.array(list(scores), np.uint32)
    return pages, np.array(list(scores.values()), np.float64), lost, paths.read, followed
