"""SimRank of one page with all others: eight estimates at once, each right on the average."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float32, float64, int64, uint32
    from numpy.typing import NDArray

LANES = 8
MOST_LEVELS = 4094
COARSEST = 5
ALL = 2**64 - 1

Lanes = Any  # an array of as many numbers of 32 bits
Level = dict[int, Lanes]
Lump = tuple[int, int]  # a page, and the lane in which it has the least that is handed on


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


def coarseness(level: int) -> float:
    """How much more is a lump than at the first level: 1, 3, 5, 7, 9."""
    return 2 * min(level, COARSEST) - 1


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


def sum_of(lanes: Lanes) -> float:
    """In the order of the compiled sum."""
    a, b, c, d, e, f, g, h = lanes
    return float(((a + e) + (c + g)) + ((b + f) + (d + h)))


def lanes_of(lane: int, lump: float) -> Lanes:
    """What a page has that has one lump."""
    lanes = np.zeros(LANES, np.float32)
    lanes[lane] = lump
    return lanes


def is_lump(lanes: Lanes, lump: float) -> bool:
    return bool(lanes.max() == np.float32(lump) and np.count_nonzero(lanes) == 1)


class _Estimate:
    """One estimate, in eight lanes."""

    def __init__(self, parents: _Rows, children: _Rows, page: int, decay: float) -> None:
        self.parents, self.children, self.page = parents, children, page
        self.decay, self.stays = decay, decay**0.5
        self.read = 0
        self.exact = True

    def back(self, key: int, least: float) -> list[Level]:
        """Where a walker from the page is after 1, 2, ... steps."""
        levels: list[Level] = []
        here: Level = {self.page: np.ones(LANES, np.float32)}
        while here and len(levels) < MOST_LEVELS:
            ahead: Level = {}
            least /= self.stays
            for page, lanes in here.items():
                self._hand_back(page, lanes, drawn(key, len(levels)), least, ahead)
            here = dict(sorted(ahead.items()))
            levels.append(here)
        return levels

    def _hand_back(self, page: int, lanes: Lanes, key: int, least: float, ahead: Level) -> None:
        parents = self.parents[page]
        if not parents:
            return
        if self.stays * sum_of(lanes) >= LANES * least * len(parents):
            share = (self.stays * lanes.astype(np.float64) / len(parents)).astype(np.float32)
            for parent in parents:
                self._send(parent, share, ahead)
            return
        self.exact = False
        key = drawn(key, page)
        for k, lane in enumerate(lanes.tolist()):
            draw = fraction(drawn(key, 2 * k))
            count = math.floor(self.stays * lane / (LANES * least) + draw)
            offset = fraction(drawn(key, 2 * k + 1))
            share = np.zeros(LANES, np.float32)
            share[k] = LANES * least
            for j in range(count):
                self._send(parents[int((j + offset) * len(parents) / count)], share, ahead)

    def _send(self, page: int, lanes: Lanes, ahead: Level) -> None:
        self.read += 1
        ahead[page] = ahead.get(page, np.zeros(LANES, np.float32)) + lanes

    def meet(self, levels: list[Level], key: int, least: float) -> None:
        """Multiply each place by the chance that two walkers from there never meet again."""
        number, sent = 1, 0
        walks = drawn(key, 1 + sum(map(len, levels)))
        for level, here in enumerate(levels, 1):
            each = LANES * least / self.stays**level
            for page, lanes in here.items():
                parents = len(self.parents[page])
                self.exact = self.exact and parents < 2
                for k in range(LANES if parents else 0):
                    value, hits = max(each, float(lanes[k])), 0
                    count = math.ceil(value / each)
                    if parents > 1 and fraction(drawn(drawn(key, number), k)) * each < lanes[k]:
                        for pair in range(count):
                            draws = drawn(drawn(walks, sent), pair)
                            hits += meet(self.parents, page, page, self.decay, draws)
                        sent += 1
                    lanes[k] *= np.float32(1 - self.decay / parents)
                    lanes[k] -= np.float32(value / count * hits * self.decay * (1 - 1 / parents))
                number += 1

    def forward(
        self, levels: list[Level], key: int, sure: float, most: float, last: float
    ) -> Level:
        """Hand on what the places have, level by level, to the pages themselves."""
        here: Level = {}
        alone: list[Lump] = []
        lump = 0.0
        for level in range(len(levels), 0, -1):
            draws, part = drawn(key, level), self.stays**level
            # What a page with one parent gets from a lump, in lumps of its own.
            ratio = coarseness(level + 1) / coarseness(level)
            lumps = self._round_alone(alone, draws, ratio, lump, here)
            for page, lanes in levels[level - 1].items():
                own = np.float32(self._weight(page) / self.stays) * lanes
                here[page] = here.get(page, np.zeros(LANES, np.float32)) + own
            lump = LANES * most * coarseness(level) / part
            here = self._all_rounded(here, draws, sure / part, lump)
            for page in [page for page, lanes in here.items() if is_lump(lanes, lump)]:
                lumps.append((page, int(here.pop(page).argmax())))
            here, alone = self._hand_on(here, lumps, lump)
        exact = self.exact
        found = self._all_rounded(here, 0, last, math.inf)
        self.exact = exact
        return found

    def _hand_on(self, here: Level, lumps: list[Lump], lump: float) -> tuple[Level, list[Lump]]:
        """Send it over all links; lumps for pages that get nothing else are given apart."""
        ahead: Level = {}
        alone: list[Lump] = []
        for page, lanes in here.items():
            for child in self.children[page]:
                self._send(child, lanes, ahead)
        more = set(ahead)
        for page, lane in lumps:
            for child in self.children[page]:
                if child in more:
                    self._send(child, lanes_of(lane, lump), ahead)
                else:
                    self.read += 1
                    alone.append((child, lane))
        return ahead, alone

    def _round_alone(
        self, alone: list[Lump], key: int, ratio: float, lump: float, here: Level
    ) -> list[Lump]:
        """Let lumps that come alone become lumps of this level, by a draw; few parents get more."""
        lumps = []
        for page, lane in alone:
            parents = len(self.parents[page])
            if parents < ratio:
                here[page] = here.get(page, np.zeros(LANES, np.float32)) + lanes_of(lane, lump)
            elif fraction(drawn(key, (lane + 1) << 32 | page)) * parents < ratio:
                lumps.append((page, lane))
        return lumps

    def _all_rounded(self, here: Level, key: int, sure: float, most: float) -> Level:
        found = {page: self._rounded(page, here[page], key, sure, most) for page in sorted(here)}
        return {page: lanes for page, lanes in found.items() if lanes.any()}

    def _weight(self, page: int) -> float:
        """What a sum over the parents is divided by, and multiplied by √decay, to be the page's."""
        return len(self.parents[page]) or self.stays

    def _rounded(self, page: int, sums: Lanes, key: int, sure: float, most: float) -> Lanes:
        """What is enough stays; else each lane becomes 0 or `most`, by one draw for all."""
        weight, total, squares = self._weight(page), sum_of(sums), sum_of(sums * sums)
        least = LANES * LANES * sure * weight / self.stays
        much = total * total >= 2 * squares and total * total * total > least * squares
        if sure == 0 or (much and self.stays * total >= LANES * sure * weight):
            return np.float32(self.stays / weight) * sums
        self.exact = False
        lanes = np.zeros(LANES, np.float32)
        if most == math.inf:
            return lanes
        full = weight * most
        at = fraction(drawn(key, page)) * full
        for k, lane in enumerate(sums.tolist()):
            at += self.stays * abs(lane)
            while at >= full:
                at -= full
                lanes[k] += np.float32(math.copysign(most, lane))
        return lanes


def estimate(
    scratch: Any,
    in_offsets: Any,
    in_links: Any,
    out_offsets: Any,
    out_links: Any,
    page: int,
    decay: float,
    key: int,
    back: float,
    meeting: float,
    sure: float,
    forward: float,
    last: float,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[float64], int, bool, NDArray[float32]]:
    """The pages like `page`: the lanes' mean, its variance; links read; if it is exact; the lanes.

    `back` is the least part of a score that is handed back, `meeting` the part that a pair of
    walkers stands for.  What is less than `sure` on the way forward is rounded to `forward`; at
    the pages themselves, what is less than `last` is left out; 0: nothing.
    """
    run = _Estimate(_Rows(in_offsets, in_links), _Rows(out_offsets, out_links), page, decay)
    levels = run.back(drawn(key, 0), back)
    run.meet(levels, drawn(key, 1), meeting)
    found = run.forward(levels, drawn(key, 2), sure, forward, last)
    found.pop(page, None)
    lanes = np.array(list(found.values()), np.float64).reshape(-1, LANES)
    means = np.array([sum_of(own) / LANES for own in found.values()], np.float64)
    variances = ((lanes - means[:, None]) ** 2).sum(axis=1) / (LANES * (LANES - 1))
    pages, estimates = np.array(list(found), np.uint32), lanes.astype(np.float32)
    return pages, means, variances, run.read, run.exact, estimates
