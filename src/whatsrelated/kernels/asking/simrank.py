"""SimRank of one page with all others: eight unbiased estimates at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.asking.meeting_walks import draw, fraction, meet
from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import float32, float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links

LANES = 8
MOST_LEVELS = 4094
COARSEST = 5

Lanes = Any  # an array of LANES 32-bit numbers
Level = dict[int, Lanes]
Quantum = tuple[int, int]  # a page with a single quantum, and its lane


def coarseness(level: int) -> float:
    """The quantum relative to the first level's: 1, 3, 5, 7, 9."""
    return 2 * min(level, COARSEST) - 1


class Scratch:
    """Memory that the compiled kernels reuse."""


def sum_of(lanes: Lanes) -> float:
    """The sum of the lanes, in the order in which the compiled kernel adds them."""
    a, b, c, d, e, f, g, h = lanes
    return float(((a + e) + (c + g)) + ((b + f) + (d + h)))


def one_quantum(lane: int, quantum: float) -> Lanes:
    """The lanes of a page with one quantum."""
    lanes = np.zeros(LANES, np.float32)
    lanes[lane] = quantum
    return lanes


def is_quantum(lanes: Lanes, quantum: float) -> bool:
    return bool(lanes.max() == np.float32(quantum) and np.count_nonzero(lanes) == 1)


class _Estimate:
    """One estimate, in eight lanes."""

    def __init__(self, links: Links, page: int, decay: float) -> None:
        self.links, self.page = links, page
        self.decay, self.root_decay = decay, decay**0.5
        self.read = 0
        self.exact = True

    def parents(self, page: int) -> list[int]:
        return row_of(self.links, page, backward=True)

    def children(self, page: int) -> list[int]:
        return row_of(self.links, page, backward=False)

    def back(self, key: int, threshold: float) -> list[Level]:
        """The places that a walker from the page can reach after 1, 2, ... steps."""
        levels: list[Level] = []
        level: Level = {self.page: np.ones(LANES, np.float32)}
        while level and len(levels) < MOST_LEVELS:
            ahead: Level = {}
            threshold /= self.root_decay
            for page, lanes in level.items():
                self._push_back(page, lanes, draw(key, len(levels)), threshold, ahead)
            level = dict(sorted(ahead.items()))
            levels.append(level)
        return levels

    def _push_back(self, page: int, lanes: Lanes, key: int, threshold: float, ahead: Level) -> None:
        parents = self.parents(page)
        if not parents:
            return
        if self.root_decay * sum_of(lanes) >= LANES * threshold * len(parents):
            share = (self.root_decay * lanes.astype(np.float64) / len(parents)).astype(np.float32)
            for parent in parents:
                self._send(parent, share, ahead)
            return
        self.exact = False
        key = draw(key, page)
        for k, lane in enumerate(lanes.tolist()):
            start = fraction(draw(key, 2 * k))
            count = math.floor(self.root_decay * lane / (LANES * threshold) + start)
            offset = fraction(draw(key, 2 * k + 1))
            share = np.zeros(LANES, np.float32)
            share[k] = LANES * threshold
            for j in range(count):
                self._send(parents[int((j + offset) * len(parents) / count)], share, ahead)

    def _send(self, page: int, lanes: Lanes, ahead: Level) -> None:
        self.read += 1
        ahead[page] = ahead.get(page, np.zeros(LANES, np.float32)) + lanes

    def meet(self, levels: list[Level], key: int, threshold: float) -> None:
        """Multiply each place by the probability that two walkers from there never meet again."""
        number, sent = 1, 0
        walks = draw(key, 1 + sum(map(len, levels)))
        for level, places in enumerate(levels, 1):
            each = LANES * threshold / self.root_decay**level
            for page, lanes in places.items():
                parents = len(self.parents(page))
                self.exact = self.exact and parents < 2
                for k in range(LANES if parents else 0):
                    value, hits = max(each, float(lanes[k])), 0
                    count = math.ceil(value / each)
                    if parents > 1 and fraction(draw(draw(key, number), k)) * each < lanes[k]:
                        for pair in range(count):
                            draws = draw(draw(walks, sent), pair)
                            hits += meet(self.links, page, page, self.decay, draws)
                        sent += 1
                    lanes[k] *= np.float32(1 - self.decay / parents)
                    lanes[k] -= np.float32(value / count * hits * self.decay * (1 - 1 / parents))
                number += 1

    def forward(
        self, levels: list[Level], key: int, significant: float, step: float, last: float
    ) -> Level:
        """Hand on the places' values, level by level, to the pages themselves."""
        sums: Level = {}
        alone: list[Quantum] = []
        quantum = 0.0
        for level in range(len(levels), 0, -1):
            draws, part = draw(key, level), self.root_decay**level
            # What a quantum is worth to a page with one parent, in quanta of that page's level.
            ratio = coarseness(level + 1) / coarseness(level)
            quanta = self._round_alone(alone, draws, ratio, quantum, sums)
            for page, lanes in levels[level - 1].items():
                share = np.float32(self._weight(page) / self.root_decay) * lanes
                sums[page] = sums.get(page, np.zeros(LANES, np.float32)) + share
            quantum = LANES * step * coarseness(level) / part
            sums = self._round_all(sums, draws, significant / part, quantum)
            for page in [page for page, lanes in sums.items() if is_quantum(lanes, quantum)]:
                quanta.append((page, int(sums.pop(page).argmax())))
            sums, alone = self._push_forward(sums, quanta, quantum)
        exact = self.exact
        results = self._round_all(sums, 0, last, math.inf)
        self.exact = exact
        return results

    def _push_forward(
        self, places: Level, quanta: list[Quantum], quantum: float
    ) -> tuple[Level, list[Quantum]]:
        """Send values over all links; quanta for pages without another value are kept separate."""
        ahead: Level = {}
        alone: list[Quantum] = []
        for page, lanes in places.items():
            for child in self.children(page):
                self._send(child, lanes, ahead)
        more = set(ahead)
        for page, lane in quanta:
            for child in self.children(page):
                if child in more:
                    self._send(child, one_quantum(lane, quantum), ahead)
                else:
                    self.read += 1
                    alone.append((child, lane))
        return ahead, alone

    def _round_alone(
        self, alone: list[Quantum], key: int, ratio: float, quantum: float, places: Level
    ) -> list[Quantum]:
        """Turn quanta that arrive alone into quanta of this level, by a draw.

        A quantum is kept whole if the page has so few parents that it is worth more than one.
        """
        quanta = []
        for page, lane in alone:
            parents = len(self.parents(page))
            if parents < ratio:
                places[page] = places.get(page, np.zeros(LANES, np.float32)) + one_quantum(
                    lane, quantum
                )
            elif fraction(draw(key, (lane + 1) << 32 | page)) * parents < ratio:
                quanta.append((page, lane))
        return quanta

    def _round_all(self, places: Level, key: int, significant: float, step: float) -> Level:
        rounded = {
            page: self._round(page, places[page], key, significant, step) for page in sorted(places)
        }
        return {page: lanes for page, lanes in rounded.items() if lanes.any()}

    def _weight(self, page: int) -> float:
        """A page's value is √decay times the sum over its parents, divided by this number."""
        return len(self.parents(page)) or self.root_decay

    def _round(self, page: int, sums: Lanes, key: int, significant: float, step: float) -> Lanes:
        """Keep significant lanes; round the others to multiples of `step`, with one draw for
        all.
        """
        weight, total, squares = self._weight(page), sum_of(sums), sum_of(sums * sums)
        threshold = LANES * LANES * significant * weight / self.root_decay
        much = total * total >= 2 * squares and total * total * total > threshold * squares
        if significant == 0 or (much and self.root_decay * total >= LANES * significant * weight):
            return np.float32(self.root_decay / weight) * sums
        self.exact = False
        lanes = np.zeros(LANES, np.float32)
        if step == math.inf:
            return lanes
        full = weight * step
        at = fraction(draw(key, page)) * full
        for k, lane in enumerate(sums.tolist()):
            at += self.root_decay * abs(lane)
            while at >= full:
                at -= full
                lanes[k] += np.float32(math.copysign(step, lane))
        return lanes


def estimate(
    scratch: Scratch,
    links: Links,
    page: int,
    *,
    decay: float,
    key: int,
    back: float,
    meeting: float,
    significant: float,
    forward: float,
    last: float,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[float64], int, bool, NDArray[float32]]:
    """The pages similar to `page`; mean and variance of the lanes; links read; whether the
    result is exact; the lanes.

    `back` is the smallest part of a score that is handed back; `meeting` is the part that one pair
    of walkers represents. On the way forward, values below `significant` are rounded to multiples
    of `forward`. At the pages themselves, values below `last` are left out. 0 turns either rule
    off.
    """
    run = _Estimate(links, page, decay)
    levels = run.back(draw(key, 0), back)
    run.meet(levels, draw(key, 1), meeting)
    results = run.forward(levels, draw(key, 2), significant, forward, last)
    results.pop(page, None)
    lanes = np.array(list(results.values()), np.float64).reshape(-1, LANES)
    means = np.array([sum_of(page_lanes) / LANES for page_lanes in results.values()], np.float64)
    variances = ((lanes - means[:, None]) ** 2).sum(axis=1) / (LANES * (LANES - 1))
    pages, estimates = np.array(list(results), np.uint32), lanes.astype(np.float32)
    return pages, means, variances, run.read, run.exact, estimates
