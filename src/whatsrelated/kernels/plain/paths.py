"""Numbers handed along simple paths, from one page or from many, in plain Python."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

TOGETHER = 3


class Paths:
    """What arrives where from one page after another, along links or against them."""

    def __init__(
        self,
        offsets: Any,
        links: Any,
        out_offsets: Any,
        radius: int,
        least: float,
        deadline: float,
        rank: Any = None,
        damping: float = 1.0,
    ) -> None:
        self.offsets, self.links, self.out_offsets = offsets, links, out_offsets
        self.radius, self.least, self.deadline, self.rank = radius, least, deadline, rank
        self.flow = [0.0]
        for _ in range(TOGETHER):
            self.flow.append((self.flow[-1] + 1) / damping if damping else np.inf)
        self.read = 0

    def row(self, page: int) -> list[int]:
        listed: list[int] = self.links[
            int(self.offsets[page]) : int(self.offsets[page + 1])
        ].tolist()
        return listed

    def out_degree(self, page: int) -> int:
        return int(self.out_offsets[page + 1]) - int(self.out_offsets[page])

    def time_is_up(self) -> bool:
        return time.monotonic() > self.deadline

    def given_up(self, page: int, value: float, share: float, left: int) -> bool:
        """Whether what can be lost here is less than its links are worth reading for."""
        loss = share
        if self.rank is not None:
            if 0 < left <= TOGETHER:
                loss = share * min(1.0, float(self.rank[page]) * self.flow[left])
        elif left != 1:
            loss = value
        links = int(self.offsets[page + 1]) - int(self.offsets[page])
        if loss >= self.least * links and not self.time_is_up():
            return False
        self.lost += loss
        return True

    def follow(self, root: int, share: float) -> dict[int, float]:
        """What arrives at each page where the root hands `share` to each of its links."""
        self.lost = 0.0
        self.arrived: dict[int, float] = {}
        if 0 <= self.radius <= TOGETHER:
            self._together(root, share)
        else:
            self._one_by_one(root, share, [root])
        return self.arrived

    def _arrive(self, page: int, share: float) -> None:
        self.arrived[page] = self.arrived.get(page, 0.0) + share

    def _together(self, root: int, share: float) -> None:
        children = self.row(root) if self.radius > 0 else []
        self.read += len(children)
        seconds: dict[int, dict[int, float]] = {}
        for page in children:
            self._arrive(page, share)
        for page in children if self.radius > 1 else []:
            if not self.out_degree(page):
                continue
            handed = share / self.out_degree(page)
            if self.given_up(page, share, handed, self.radius - 1):
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
            if self.given_up(page, value, value / self.out_degree(page), 1):
                continue
            self.read += len(self.row(page))
            for third in self.row(page):
                handed = (value - by.get(third, 0.0)) / self.out_degree(page)
                if third != root and handed > 0:
                    self._arrive(third, handed)

    def _one_by_one(self, root: int, share: float, path: list[int]) -> None:
        for page in self.row(path[-1]):
            self.read += 1
            if page in path:
                continue
            self._arrive(page, share)
            left = self.radius - len(path)
            if left == 0 or not self.out_degree(page):
                continue
            handed = share / self.out_degree(page)
            if not self.given_up(page, share, handed, left):
                self._one_by_one(root, handed, [*path, page])


def arriving(
    offsets: Any,
    links: Any,
    out_offsets: Any,
    root: int,
    share: float,
    radius: int,
    least: float,
    rank: Any,
    damping: float,
    deadline: float,
) -> tuple[NDArray[uint32], NDArray[float64], float, int]:
    """The pages that `root` reaches over simple paths, against links where there is a rank, and
    what arrives at each; at most how much, as received by the root, did not; the links read.
    """
    paths = Paths(offsets, links, out_offsets, radius, least, deadline, rank, damping)
    arrived = {page: value for page, value in paths.follow(root, share).items() if value > 0}
    pages = np.array(list(arrived), np.uint32)
    return pages, np.array(list(arrived.values()), np.float64), paths.lost, paths.read


def shared(
    offsets: Any,
    links: Any,
    rank: Any,
    page: int,
    sources: Any,
    given: Any,
    radius: int,
    least: float,
    deadline: float,
) -> tuple[NDArray[uint32], NDArray[float64], float, int, int]:
    """For every page, the sum over the sources of the lesser of what `page` has been given and
    what arrives there; at most how much of it was lost; the links read; the sources followed.
    """
    paths = Paths(offsets, links, offsets, radius, least, deadline)
    scores: dict[int, float] = {}
    lost, followed = 0.0, 0
    for source, most in zip(map(int, sources), map(float, given), strict=True):
        scores[source] = scores.get(source, 0.0) + most
        if not paths.out_degree(source):
            continue
        if paths.time_is_up():
            lost += most
            continue
        followed += 1
        for other, value in paths.follow(source, rank[source] / paths.out_degree(source)).items():
            scores[other] = scores.get(other, 0.0) + min(most, value)
        lost += min(most, paths.lost)
    scores.pop(page, None)
    pages = np.array(list(scores), np.uint32)
    return pages, np.array(list(scores.values()), np.float64), lost, paths.read, followed
