"""Rounds in place, group by group of pages: less than half of them to the same rest.

Power iteration computes all of x = A x + b from the x of the round before.  Three
things make its rounds fewer:

1. **In place.**  A page reads what others have got in the same round (Gauss–Seidel).
   From the last page to the first, since most links within a site go to its first pages.
2. **Jumps in balance.**  In place the sum of x is not kept; so a round's jumps hand
   out what the pages really hold for them.
3. **Groups.**  Most links stay on their host: what a host has got in this round, it hands
   to itself again in those to come.  How much that will be is a geometric series, known
   from its links; the host gets it at once, each page in proportion to what it has
   (aggregation; Kamvar and others, 2003, on the block structure of the Web).  Where that
   makes a host's changes swing, it gets half as much from then on.

Nothing is lost by it: what the definition's next round would change is at most d times
what this one has changed, plus what groups got at once (and d times that, read before it
was given), plus what the jumps did not yet know.  The rounds stop when that is less than
the tolerance.

Several threads go over the pages in waves, each over its own part of a wave and with its
own copy of all shares; after a wave they tell one another what they have got.  So the
scores depend on the number of threads, within the tolerance, and are the same each time.

32 bits are enough for steps down to a millionth; where steps no longer shrink, others go on.

Cost: 4 bytes per page for each thread, and 12 for each group.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.ranks.rounds import SINGLE

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.ranks.rounds import Rounds
    from whatsrelated.ranks.sweeping import Direction, Sweeper

WAVES = 4
"""How many waves several threads make of a round."""
MOST_COPIES = 4
"""How many threads sweep at most: each has a copy of the shares."""
FEWEST = 4
"""Hosts that have fewer pages on the average are no groups."""
BLOCK = 64
"""How many pages make a group then."""
MOST_PARTS = 32
"""A group has at most one of so many parts of all pages."""
EAGER = 1.25
"""How much more than from itself a group gets at once: some comes back by way of others."""
MOST_GAIN = 2.0
"""What a group gets at once, at most, for each part that a round brought it."""
PATIENCE = 5
"""After how many rounds that do not change less than all before them others go on."""


class Sweeps:
    """Sweeps over shares in place, by all threads."""

    def __init__(
        self,
        sweeper: Sweeper,
        over: Direction,
        back: Direction,
        damping: float,
        shares: NDArray[Any],
    ) -> None:
        self._sweeper, self._over, self._back, self._damping = sweeper, over, back, damping
        chunks = len(over.chunks)
        copies = max(min(sweeper.threads, MOST_COPIES, chunks // WAVES), 1)
        self._waves = WAVES if copies > 1 else 1
        self._copies = [shares, *(shares.copy() for _ in range(copies - 1))]
        parts = self._waves * copies
        wanted = over.bounds[[chunks * part // parts for part in range(parts + 1)]]
        self._groups = _groups(sweeper.hosts)
        self._firsts = np.searchsorted(self._groups, wanted).tolist()
        self._ends = self._groups[self._firsts].tolist()
        self._gains = np.zeros(len(self._groups) - 1, np.float32)
        self._changes = np.zeros_like(self._gains)

    def sweep(self, jumps: NDArray[Any] | None, constant: float, jump: float) -> list[float]:
        """One sweep; the sums of the tallies of `flow`."""
        links = (*self._over.arrays, self._back.arrays[0])
        flow = partial(kernels.ranking.flow, *links, jumps, self._damping, constant, jump)
        flow = partial(flow, self._groups, self._gains, self._changes)
        copies = range(len(self._copies))
        tallies = np.zeros((len(self._firsts) - 1, 4))
        for wave in reversed(range(self._waves)):
            part = partial(self._part, flow, wave, tallies)
            self._sweeper.share_out([partial(part, copy) for copy in copies])
        self._sweeper.share_out([partial(self._hear, 0, copy) for copy in copies])
        sums: list[float] = tallies.sum(axis=0).tolist()
        return sums

    def _part(self, flow: Any, wave: int, tallies: NDArray[Any], copy: int) -> None:
        """One copy's part of a wave, after what the others got in the wave before it."""
        if wave + 1 < self._waves:
            self._hear(wave + 1, copy)
        part = wave * len(self._copies) + copy
        flow(self._copies[copy], *self._firsts[part : part + 2], tallies[part])

    def _hear(self, wave: int, copy: int) -> None:
        """Put into a copy what the others got in a wave."""
        for other, shares in enumerate(self._copies):
            if other != copy:
                part = wave * len(self._copies) + other
                pages = slice(*self._ends[part : part + 2])
                self._copies[copy][pages] = shares[pages]


class Walk(Sweeps):
    """A walk along the links, its shares brought to rest in place.

    Jumps go to pages as `jumps` weighs them, all alike where it is None.
    """

    def __init__(
        self,
        sweeper: Sweeper,
        over: Direction,
        back: Direction,
        damping: float,
        shares: NDArray[Any],
        jumps: NDArray[Any] | None,
    ) -> None:
        links = back.degrees(np.float32)
        self._stranded = float(shares[links == 0].sum(dtype=np.float64))
        self._total = float(np.dot(shares, np.maximum(links, 1, out=links)))
        del links
        super().__init__(sweeper, over, back, damping, shares)
        self._jumps = jumps
        self._mass = float(len(over) if jumps is None else jumps.sum(dtype=np.float64)) or 1.0
        echoes = partial(kernels.ranking.echoes, *back.arrays, shares, self._groups, damping)
        echoes = partial(echoes, self._gains)
        sweeper.share_out([partial(echoes, *ends) for ends in pairwise(self._firsts)])
        np.minimum(EAGER * self._gains, MOST_GAIN, out=self._gains)

    def rest(self, rounds: Rounds) -> None:
        """Rounds as far as 32 bits go."""
        # What fewer bits call rest, more have to see for themselves.
        most = rounds.most if rounds.kind is np.float32 else rounds.most - 1
        enough = max(rounds.tolerance, SINGLE)
        change, least, stalled = float("inf"), float("inf"), 0
        while change >= enough and stalled < PATIENCE and rounds.done < most:
            change = self.round()
            rounds.count(change)
            stalled = stalled + 1 if change >= least else 0
            least = min(change, least)
            if stalled:
                self._gains[:] = 0

    def round(self) -> float:
        """One round; how far the next could move the scores."""
        jumping = self._jumping()
        jump = jumping / self._mass
        constant = jump if self._jumps is None else 0.0
        moved, given, self._stranded, self._total = self.sweep(self._jumps, constant, jump)
        left = self._damping * (moved + given) + given
        return (left + abs(self._jumping() - jumping)) / (self._total or 1.0)

    def _jumping(self) -> float:
        """What the pages hold that the jumps hand out next."""
        return self._damping * self._stranded + (1 - self._damping) * self._total


class Change(Sweeps):
    """What the change of one round, told as shares, comes to in the rounds after it.

    That is e = d P e + change, up to a part of the scores themselves.
    """

    def rest(self, change: float, enough: float, rounds: Rounds) -> None:
        """Rounds until one changes little enough; the shares are then those of e."""
        brought = self._back.degrees(np.float32)
        np.maximum(brought, 1, out=brought)
        brought *= self._copies[0]
        while change > enough and rounds.done < rounds.most:
            change = self._damping * self.sweep(brought, 0.0, 1.0)[0]
            rounds.count(change)


def _groups(hosts: NDArray[uint32]) -> NDArray[uint32]:
    """Where groups of pages begin, and the last ends: the runs of pages on one host, cut."""
    pages = len(hosts)
    most = max(pages // MOST_PARTS, BLOCK)
    starts = np.flatnonzero(hosts[1:] != hosts[:-1]) + 1
    if FEWEST * len(starts) > pages:
        starts, most = starts[:0], BLOCK
    ends = np.append(starts, pages)
    long = np.flatnonzero(np.diff(ends, prepend=0) > most)
    begun = np.append(0, starts)[long]
    cuts = [np.arange(*run, most) for run in zip(begun, ends[long], strict=True)]
    return np.unique(np.concatenate([[0], ends, *cuts])).astype(np.uint32)
