"""A published web graph, page by page: the plain twin of `_bvgraph.pyx`.

BVGraph (Boldi & Vigna, BV04) stores each page's ascending links as

1. its number of links;
2. how many pages back to find the list it copies from, 0 for none;
3. the runs of that list that are copied and skipped, alternately;
4. intervals of consecutive links among the rest, if they are long enough;
5. the gaps between all remaining links.

Each part has its own code.  The gap before the first link of a part may be negative, so
it is folded: 0, -1, 1, -2, 2 …
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

UNARY, GAMMA, DELTA, ZETA, NIBBLE = range(5)
GOOD, CUT, WRONG = range(3)
LONGEST = 56
"""No value has more bits than this."""


class _Fault(Exception):
    """Reading must stop here; `kind` is the reason."""

    def __init__(self, kind: int) -> None:
        self.kind = kind


class BVGraph:
    """The links of a graph, page by page; `fault` is the reason it ended before `nodes`."""

    def __init__(
        self,
        data: Any,
        nodes: int,
        arcs: int,
        window: int,
        shortest: int,
        zeta_k: int,
        codes: tuple[int, ...],
    ) -> None:
        if not 1 <= zeta_k <= LONGEST:
            raise ValueError(f"zeta_k must be 1 to {LONGEST}, got {zeta_k}")
        self.node = 0
        self.fault = GOOD
        self.position = 0
        self._bits = bytes(data)
        self._nodes = nodes
        self._arcs_left = arcs
        self._window = window
        self._shortest = shortest
        self._zeta_k = zeta_k
        self._codes = codes
        self._recent: list[list[int]] = []

    def read(self, room: int) -> tuple[Any, Any]:
        """The links of the next pages, at least `room` of them unless the graph ends."""
        sources: list[int] = []
        targets: list[int] = []
        while self.node < self._nodes and len(targets) < room and not self.fault:
            try:
                links = self._links()
            except _Fault as fault:
                self.fault = fault.kind
                break
            sources += [self.node] * len(links)
            targets += links
            self._arcs_left -= len(links)
            if self._window:
                self._recent = [*self._recent, links][-self._window :]
            self.node += 1
        return np.array(sources, np.uint64), np.array(targets, np.uint64)

    def _links(self) -> list[int]:
        outdegrees, references, block_counts, blocks, residuals = self._codes
        degree = self._read(outdegrees)
        _require(degree <= min(self._nodes, self._arcs_left))
        if not degree:
            return []
        back = self._read(references) if self._window else 0
        _require(back <= min(self._window, self.node))
        copied = self._copied(self._recent[-back], block_counts, blocks) if back else []
        extra = degree - len(copied)
        _require(extra >= 0)
        ranges: list[int] = []
        gaps: list[int] = []
        if extra and self._shortest:
            ranges = self._intervals(extra)
            extra -= len(ranges)
        if extra > 8 * len(self._bits) - self.position:  # a gap takes at least one bit
            raise _Fault(CUT)
        last = self.node
        for i in range(extra):
            gap = self._read(residuals)
            last = last + _unfolded(gap) if i == 0 else last + 1 + gap
            _require(0 <= last < self._nodes)
            gaps.append(last)
        links = sorted(copied + ranges + gaps)
        _require(all(a < b for a, b in pairwise(links)))
        return links

    def _copied(self, other: list[int], block_counts: int, blocks: int) -> list[int]:
        count = self._read(block_counts)
        _require(count <= len(other) + 1)
        copied = []
        place = 0
        for i in range(count):
            size = self._read(blocks) + (i > 0)
            _require(place + size <= len(other))
            if i % 2 == 0:
                copied += other[place : place + size]
            place += size
        return copied + other[place:] if count % 2 == 0 else copied

    def _intervals(self, extra: int) -> list[int]:
        count = self._read(GAMMA)
        _require(count <= extra // self._shortest)
        values: list[int] = []
        end = self.node
        for i in range(count):
            gap = self._read(GAMMA)
            start = end + _unfolded(gap) if i == 0 else end + 1 + gap
            size = self._read(GAMMA) + self._shortest
            end = start + size
            _require(start >= 0 and end <= self._nodes and len(values) + size <= extra)
            values += range(start, end)
        return values

    def _read(self, code: int) -> int:
        if code == UNARY:
            return self._unary()
        if code == GAMMA:
            size = self._unary()
            return (1 << size | self._take(size)) - 1
        if code == DELTA:
            size = self._read(GAMMA)
            return (1 << _limited(size) | self._take(size)) - 1
        if code == ZETA:
            size = self._unary() * self._zeta_k
            value = self._take(size + self._zeta_k - 1)
            if value < 1 << size:
                return value + (1 << size) - 1
            return (value << 1) + self._take(1) - 1
        value = size = 0
        while True:
            last = self._take(1)
            value = value << 3 | self._take(3)
            size = _limited(size + 3)
            if last:
                return value

    def _unary(self) -> int:
        zeros = 0
        while not self._take(1):
            zeros += 1
        return zeros

    def _take(self, size: int) -> int:
        """The next `size` bits as a number."""
        first, end = self.position, self.position + _limited(size)
        if end > 8 * len(self._bits):
            raise _Fault(CUT)
        self.position = end
        word = int.from_bytes(self._bits[first // 8 : (end + 7) // 8], "big")
        return word >> -end % 8 & ((1 << size) - 1)


def _require(true: bool) -> None:
    if not true:
        raise _Fault(WRONG)


def _limited(size: int) -> int:
    _require(size <= LONGEST)
    return size


def _unfolded(value: int) -> int:
    return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)
