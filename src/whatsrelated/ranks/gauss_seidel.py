"""Gauss–Seidel with aggregation by host, for random walks: under half of the iterations.

A random walk solves x = d Lᵀ D⁻¹ x + J(x) t, where what jumps, J(x), is d times what the
dangling pages hold and 1-d times what all pages hold (`RandomWalk`).

**The sweep.**  Power iteration computes all of x from the x of the iteration before.
Gauss–Seidel overwrites x in place, so that a page reads the newest scores.  It goes from the
last page to the first, since most links within a site go to its first pages: with x′ for
what the sweep has computed already, at p > q,

    x′[q] = d (Σ over parents p > q: x′[p]/D[p]  +  Σ over parents p < q: x[p]/D[p]) + J(x) t[q].

J(x) stays the same throughout a sweep, which takes it from what the pages really hold: in
place, their sum is not invariant.

**Aggregation.**  Most links stay on their host.  What a sweep adds to a host, the host gives
to itself again in the iterations to come.  Take a group of pages that holds the score s.  Of
each unit, the part w = Σ inner links of p · x[p]/D[p] / s goes along links within the group,
and the part v ≤ w along those of them that go to a page swept before p (a larger number),
which reads it in the next sweep only.  What a sweep adds, g, therefore brings d v g late, and
this again d w times as much each time: d v g (1 + d w + (d w)² + …) = g · d v / (1 - d w).
The factor is the *gain* of the group.  That much more is added at once, to each page in
proportion to its score (Kamvar and others, 2003, on the block structure of the Web).  It is
raised by a quarter, since some comes back by way of other groups, and bounded; where the
growth of a group oscillates, its gain is halved from then on.

**The bound.**  Let x be the scores before a sweep, x′ those that it computed, x″ those after
aggregation.  A link was read as one of the three, so that for each parent p with links the
score that was read is off by at most |x′[p] - x[p]| + |x″[p] - x′[p]|.  An iteration of the
definition, F, applied to x″ would change it by

    ‖F(x″) - x″‖  ≤  ‖F(x″) - x′‖ + ‖x″ - x′‖
                  ≤  d (Σ over p with links: |x′[p] - x[p]|  +  ‖x″ - x′‖)
                     + |J(x″) - J(x)|  +  ‖x″ - x′‖.

This is the residual that is compared with the tolerance, over Σ x″, since F is linear and
scores sum to 1 in the end.

**Corrections.**  The same sweeps solve e = d Lᵀ D⁻¹ e + r for the correction of a residual
r (`refine`).  The jumps of the correction are left out: they would add a multiple of the
solution itself, which normalising takes away again.  There is no aggregation, and after a
sweep the residual is at most d Σ over p with links: |e′[p] - e[p]|.

**Threads.**  Several threads sweep in phases, each its own part of a phase, in its own copy
of all contributions; after a phase they copy what the others have computed.  So the scores
depend on the number of threads, within the tolerance, and are the same each time.

Single precision is enough for residuals down to 1e-6.  Where residuals no longer shrink, this
solver gives up, and others go on.

Cost: 4 bytes per page for each thread, and 12 for each group.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from whatsrelated import kernels
from whatsrelated.ranks.vectors import SINGLE, normalize

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.ranks.convergence import Convergence
    from whatsrelated.ranks.operators import Iterate, RandomWalk
    from whatsrelated.ranks.vectors import Floats

PHASES = 4
"""In how many phases several threads make a sweep."""
MAX_COPIES = 4
"""How many threads sweep at most: each has a copy of the contributions."""
MIN_HOST = 4
"""Hosts that have fewer pages on average are not the groups."""
BLOCK = 64
"""How many pages make a group then."""
MIN_GROUPS = 32
"""A group has at most one of so many parts of all pages."""
OVERSHOOT = 1.25
"""How much more than its own series a group gets: some comes back by way of others."""
MAX_GAIN = 2.0
"""What aggregation adds to a group, at most, for each unit that a sweep added."""
PATIENCE = 5
"""After how many iterations without a new least residual the solver gives up."""


class Sums(NamedTuple):
    """What a sweep sums over all pages."""

    changed: float
    """Σ |x′ - x| over the pages with links."""
    aggregated: float
    """Σ |x″ - x′|: what aggregation added."""
    dangling: float
    """Σ x″ over the dangling pages."""
    total: float
    """Σ x″."""


class Sweeps:
    """Sweeps over contributions, in place, by all threads."""

    def __init__(self, walk: RandomWalk, contributions: Floats) -> None:
        self._walk, self._threads = walk, walk.links.threads
        bounds = walk.links.columns.bounds
        chunks = len(bounds) - 1
        copies = max(min(self._threads.count, MAX_COPIES, chunks // PHASES), 1)
        self._phases = PHASES if copies > 1 else 1
        self._copies = [contributions, *(contributions.copy() for _ in range(copies - 1))]
        parts = self._phases * copies
        wanted = bounds[[chunks * part // parts for part in range(parts + 1)]]
        self._groups = groups_of(walk.links.hosts)
        self._first_groups: list[int] = np.searchsorted(self._groups, wanted).tolist()
        self._first_pages: list[int] = self._groups[self._first_groups].tolist()
        self.gains = np.zeros(len(self._groups) - 1, np.float32)
        self._growths = np.zeros_like(self.gains)

    def aggregate(self) -> None:
        """Have the sweeps aggregate from now on: estimate the gain of every group."""
        parts = pairwise(self._first_groups)
        self._threads.run([partial(self._estimate, first, last) for first, last in parts])
        np.minimum(OVERSHOOT * self.gains, MAX_GAIN, out=self.gains)

    def _estimate(self, first: int, last: int) -> None:
        """The gains of some groups."""
        rows = self._walk.links.rows
        for piece in rows.pieces(self._groups, first, last):
            kernels.sweep.aggregation_gains(
                *(rows.offsets, piece.links(), self._copies[0]),
                groups=self._groups,
                damping=self._walk.damping,
                gains=self.gains,
                first=piece.first,
                last=piece.last,
                base=piece.base,
            )

    def sweep(self, constant: float, jump: float, weights: Floats | None) -> Sums:
        """One sweep, with constant + jump · weights for d Lᵀ D⁻¹ x to be added to."""
        kernel = partial(
            kernels.sweep.gauss_seidel,
            damping=self._walk.damping,
            constant=constant,
            jump=jump,
            weights=weights,
            groups=self._groups,
            gains=self.gains,
            growths=self._growths,
        )
        copies = range(len(self._copies))
        sums = np.zeros((self._phases * len(copies), len(Sums._fields)))
        for phase in reversed(range(self._phases)):
            part = partial(self._sweep_part, kernel, phase, sums)
            self._threads.run([partial(part, copy) for copy in copies])
        self._threads.run([partial(self._synchronize, 0, copy) for copy in copies])
        return Sums(*sums.sum(axis=0).tolist())

    def _sweep_part(
        self, kernel: partial[None], phase: int, sums: NDArray[float64], copy: int
    ) -> None:
        """One copy's part of a phase, with what the others computed in the phase before."""
        if phase + 1 < self._phases:
            self._synchronize(phase + 1, copy)
        part = phase * len(self._copies) + copy
        first, last = self._first_groups[part : part + 2]
        matrix = self._walk.links
        for piece in reversed(matrix.columns.pieces(self._groups, first, last)):
            kernel(
                *(matrix.columns.offsets, piece.links()),
                *(matrix.rows.offsets, self._copies[copy]),
                first=piece.first,
                last=piece.last,
                base=piece.base,
                sums=sums[part],
            )

    def _synchronize(self, phase: int, copy: int) -> None:
        """Put into a copy what the others computed in a phase."""
        for other, contributions in enumerate(self._copies):
            if other != copy:
                part = phase * len(self._copies) + other
                pages = slice(*self._first_pages[part : part + 2])
                self._copies[copy][pages] = contributions[pages]


class GaussSeidel:
    """Gauss–Seidel iterations of a random walk, over contributions in single precision."""

    def __init__(self, walk: RandomWalk, contributions: Floats) -> None:
        degrees = walk.links.degrees(np.float32)
        self._dangling = float(contributions[degrees == 0].sum(dtype=np.float64))
        self._total = float(np.dot(contributions, np.maximum(degrees, 1, out=degrees)))
        del degrees
        self._walk = walk
        self._weights = walk.weights and walk.weights(np.float32)
        self._sweeps = Sweeps(walk, contributions)
        self._sweeps.aggregate()

    def solve(self, convergence: Convergence) -> None:
        """Iterate as far as single precision goes."""
        # What single precision calls converged, double precision has to confirm.
        spare = 0 if convergence.dtype is np.float32 else 1
        target = max(convergence.tolerance, SINGLE)
        residual, least, stalled = float("inf"), float("inf"), 0
        while residual >= target and stalled < PATIENCE:
            if convergence.iterations >= convergence.max_iterations - spare:
                break
            residual = self.iterate()
            convergence.record(residual)
            stalled = stalled + 1 if residual >= least else 0
            least = min(residual, least)
            if stalled:
                self._sweeps.gains[:] = 0

    def iterate(self) -> float:
        """One iteration; a bound on what one of the definition would then change."""
        jumps = self._walk.jumps(self._dangling, self._total)
        jump = jumps / self._walk.mass
        constant = jump if self._weights is None else 0.0
        sums = self._sweeps.sweep(constant, jump, self._weights)
        self._dangling, self._total = sums.dangling, sums.total
        outdated = self._walk.damping * (sums.changed + sums.aggregated)
        unbalanced = abs(self._walk.jumps(self._dangling, self._total) - jumps)
        return (outdated + sums.aggregated + unbalanced) / (self._total or 1.0)


def solve(walk: RandomWalk, convergence: Convergence) -> Floats:
    """The scores of a walk, as far as single precision goes, from a start that is known to be
    near them, else from its teleport vector on."""
    if convergence.start is None:
        contributions = walk.teleport(np.float32)
    else:
        contributions = normalize(convergence.start.astype(np.float32))
    contributions /= np.maximum(walk.links.degrees(np.float32), 1)
    # Without jumps nothing brings back what a part of the graph has lost in place.
    if walk.damping < 1:
        GaussSeidel(walk, contributions).solve(convergence)
    contributions *= np.maximum(walk.links.degrees(np.float32), 1)
    return contributions


def correct(
    walk: RandomWalk, x: Iterate, after: Iterate, target: float, convergence: Convergence
) -> None:
    """Add to x the error that its residual tells of; `after` is A x + b, and is overwritten."""
    np.subtract(after.contributions, x.contributions, out=after.contributions)
    error = after.contributions.astype(np.float32)
    solve_error(walk, error, target, convergence)
    x.contributions += error
    degrees = walk.degrees(np.float64)
    x.contributions /= np.dot(x.contributions, np.maximum(degrees, 1))
    x.dangling = float(x.contributions[degrees == 0].sum())


def solve_error(walk: RandomWalk, error: Floats, target: float, convergence: Convergence) -> None:
    """Solve e = d Lᵀ D⁻¹ e + r; `error` has the contributions of r, and then those of e."""
    sweeps = Sweeps(walk, error)  # before the residual: what it needs meanwhile is freed
    residual = walk.links.degrees(np.float32)
    np.maximum(residual, 1, out=residual)
    residual *= error
    while convergence.residual > target and not convergence.exhausted:
        convergence.record(walk.damping * sweeps.sweep(0.0, 1.0, residual).changed)


def groups_of(hosts: NDArray[uint32]) -> NDArray[uint32]:
    """Where groups of pages begin, and the last ends: the runs of pages on one host, cut."""
    pages = len(hosts)
    most = max(pages // MIN_GROUPS, BLOCK)
    starts = np.flatnonzero(hosts[1:] != hosts[:-1]) + 1
    if MIN_HOST * len(starts) > pages:
        starts, most = starts[:0], BLOCK
    ends = np.append(starts, pages)
    long = np.flatnonzero(np.diff(ends, prepend=0) > most)
    first = np.append(0, starts)[long]
    cuts = [np.arange(*run, most) for run in zip(first, ends[long], strict=True)]
    return np.unique(np.concatenate([[0], ends, *cuts])).astype(np.uint32)
