"""SimRank of one page with all others: independent estimates, each right on the average."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

MOST_LEVELS = 4094
COARSER = 4
FINER = 5
ALL = 2**64 - 1

Numbers = dict[int, float]


def drawn(key: int, number: int) -> int:
    """64 random bits: the number-th of a key (splitmix64)."""
    x = (key + (number + 1) * 0x9E3779B97F4A7C15) & ALL
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & ALL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & ALL
    return x ^ (x >> 31)


def fraction(bits: int) -> float:
    return (bits >> 11) / 2**53


def one_of(bits: int, count: int) -> int:
    return ((bits >> 32) * count) >> 32


class _Rows:
    """The links of each page, one way."""

    def __init__(self, offsets: Any, links: Any) -> None:
        self.offsets, self.links = offsets, links

    def __getitem__(self, page: int) -> list[int]:
        row: list[int] = self.links[int(self.offsets[page]) : int(self.offsets[page + 1])].tolist()
        return row


def meet(parents: _Rows, one: int, two: int, decay: float, key: int) -> bool:
    """Whether two walkers meet; from one page, they have gone on, and to different parents."""
    step = 0
    while True:
        bits, other = drawn(key, 2 * step), drawn(key, 2 * step + 1)
        ones, twos = parents[one], parents[two]
        together = one == two
        if not ones or not twos or (together and len(ones) == 1):
            return False
        if not together and (other & 0xFFFFFFFF) / 2**32 >= decay:
            return False
        first, second = one_of(bits, len(ones)), one_of(other, len(twos) - together)
        if together and second >= first:
            second += 1
        one, two = ones[first], twos[second]
        if one == two:
            return True
        step += 1


def meetings(
    offsets: Any, links: Any, ones: Any, twos: Any, counts: Any, decay: float, key: int
) -> NDArray[int64]:
    """How many of so many pairs of walkers from ones[i] and twos[i], different pages, meet."""
    parents = _Rows(offsets, links)
    walks = zip(map(int, ones), map(int, twos), map(int, counts), strict=True)
    return np.array(
        [
            sum(meet(parents, one, two, decay, drawn(drawn(key, i), pair)) for pair in range(count))
            for i, (one, two, count) in enumerate(walks)
        ],
        np.int64,
    )


class Scratch:
    """The compiled loops keep their memory here."""


class Runs:
    """Estimates for one page, added up."""

    def __init__(
        self,
        scratch: Any,
        in_offsets: Any,
        in_links: Any,
        out_offsets: Any,
        out_links: Any,
        page: int,
        decay: float,
    ) -> None:
        self.parents = _Rows(in_offsets, in_links)
        self.children = _Rows(out_offsets, out_links)
        self.page, self.decay, self.stays = page, decay, decay**0.5
        self.read = 0
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.sums: Numbers = {}
        self.squares: Numbers = {}
        self.exact = True

    def run(self, key: int, back: float, meeting: float, forward: float) -> None:
        """Add one estimate; the three numbers are the least part of a score that is handed back,
        the part that a pair of walkers stands for, and the least that is handed on.
        """
        levels = self._back(drawn(key, 0), back)
        self._meet(levels, drawn(key, 1), meeting)
        self._forward(levels, drawn(key, 2), forward)

    def _back(self, key: int, least: float) -> list[Numbers]:
        """Where a walker from the page is after 1, 2, ... steps."""
        levels: list[Numbers] = []
        here: Numbers = {self.page: 1.0}
        while here and len(levels) < MOST_LEVELS:
            ahead: Numbers = {}
            least /= self.stays
            for page, value in here.items():
                self._hand_back(page, value, drawn(key, len(levels)), least, ahead)
            here = dict(sorted(ahead.items()))
            levels.append(here)
        return levels

    def _hand_back(self, page: int, value: float, key: int, least: float, ahead: Numbers) -> None:
        parents = self.parents[page]
        share = self.stays * value
        chosen = parents
        if share >= least * len(parents):
            share = share / len(parents) if parents else 0.0
        else:
            count = math.floor(share / least + fraction(drawn(key, 2 * page)))
            offset = fraction(drawn(key, 2 * page + 1))
            if count < len(parents):
                chosen = [parents[int((j + offset) * len(parents) / count)] for j in range(count)]
            share = least
            self.exact = False
        self.read += len(chosen)
        for parent in chosen:
            ahead[parent] = ahead.get(parent, 0.0) + share

    def _meet(self, levels: list[Numbers], key: int, least: float) -> None:
        """Multiply each place by the chance that two walkers from there never meet again."""
        number, total = 0, sum(map(len, levels))
        walks = drawn(key, total)
        for level, here in enumerate(levels, 1):
            each = least / self.stays**level
            for page, value in here.items():
                parents = len(self.parents[page])
                part = value / each
                count = 0
                if parents > 1:
                    self.exact = False
                    lucky = fraction(drawn(key, number)) < part
                    count = math.ceil(part) if part >= 1 else int(lucky)
                hits = sum(
                    meet(self.parents, page, page, self.decay, drawn(drawn(walks, number), pair))
                    for pair in range(count)
                )
                if parents:
                    here[page] = value * (1 - self.decay / parents)
                if hits:
                    weight = value / count if value >= each else each
                    here[page] -= weight * hits * self.decay * (1 - 1 / parents)
                number += 1

    def _forward(self, levels: list[Numbers], key: int, least: float) -> None:
        """Hand on what the places have, level by level, to the pages themselves."""
        here: Numbers = {}
        for level in range(len(levels), 0, -1):
            for page, value in levels[level - 1].items():
                here[page] = here.get(page, 0.0) + value / self._mean_factor(page)
            factor = 2.0 ** min(level - 1, COARSER) / self.stays**level
            ahead: Numbers = {}
            for page, value in self._rounded(here, drawn(key, level), least * factor).items():
                children = self.children[page]
                self.read += len(children)
                for child in children:
                    ahead[child] = ahead.get(child, 0.0) + value
            here = ahead
        for page, value in self._rounded(here, drawn(key, 0), least / FINER).items():
            if page != self.page:
                self.sums[page] = self.sums.get(page, 0.0) + value
                self.squares[page] = self.squares.get(page, 0.0) + value * value

    def _mean_factor(self, page: int) -> float:
        parents = len(self.parents[page])
        return self.stays / parents if parents else 1.0

    def _rounded(self, here: Numbers, key: int, least: float) -> Numbers:
        """Of what is less than `least` some is lost, and some made as much."""
        kept: Numbers = {}
        for page in sorted(here):
            value = here[page] * self._mean_factor(page)
            if abs(value) < least:
                self.exact = False
                if fraction(drawn(key, page)) * least >= abs(value):
                    continue
                value = math.copysign(least, value)
            kept[page] = value
        return kept

    def found(self, least: float) -> tuple[NDArray[uint32], NDArray[float64], NDArray[float64]]:
        """The pages whose sum is at least this, the sum of each, and the sum of squares."""
        pages = sorted(page for page, total in self.sums.items() if total >= least)
        return (
            np.array(pages, np.uint32),
            np.array([self.sums[page] for page in pages], np.float64),
            np.array([self.squares[page] for page in pages], np.float64),
        )
