"""PageRank: the long-run position of a random surfer who follows links and occasionally jumps.

With probability d, the surfer follows a link of the page; all links are equally likely. Otherwise,
and always from a page without links (a dangling page), the surfer jumps to a page drawn from the
teleport vector t. A page's score is the share of time spent there:

    x = F(x) = d Lᵀ D⁻¹ x + J(x) t,    J(x) = d Σ x over the dangling pages + (1-d) Σ x

L is the link matrix, D holds the out-degrees, and J(x) is the amount that jumps. The teleport
vector is uniform, or uniform over the given pages only (Personalized PageRank).

1. Run Gauss–Seidel sweeps in single precision, until the residual ‖F(x) - x‖ is below the tolerance
   or 1e-6, the limit of single precision.
2. For a smaller tolerance, compute r = F(x) - x in double precision; stop if ‖r‖ is below the
   tolerance.
3. The error of x solves e = F(e) + r. It needs only a few digits, so the sweeps of step 1 solve for
   it in single precision. Set x ← x + e, and repeat from step 2.

**Gauss–Seidel.** Power iteration, x ← F(x), computes all scores from those of the previous round. A
sweep overwrites x in place, so a page reads the newest scores of its parents, and half as many
rounds are enough. It runs from the last page to the first, since most links within a site lead to
its first pages. If x′ are the scores that the sweep has already computed, at p > q, then

    x′[q] = d (Σ over parents p > q: x′[p]/D[p]  +  Σ over parents p < q: x[p]/D[p]) + J(x) t[q].

**The residual.** After a sweep, F would read x′[p] for each parent, where the sweep read x′[p] or
x[p], and would let J(x′) jump instead of J(x). Applied once, it would change the scores by

    ‖F(x′) - x′‖  ≤  d Σ over p with links: |x′[p] - x[p]|  +  |J(x′) - J(x)|.

This bound, divided by Σ x′, is compared with the tolerance. Sweeps do not preserve the sum of the
scores, so they are divided by it at the end; F is linear.

**Threads.** Several threads share a sweep in four phases. In each phase, a thread sweeps its part
of its own copy of x, then copies the results of the others. The scores therefore depend on the
number of threads, within the tolerance, but are otherwise reproducible.

**Without jumps** (d = 1) the scores depend on the start, and sweeps do not preserve the total score
of a part of the graph. Step 3 is then e = r, which amounts to power iteration.

Cost: one read of the links into pages per round. Memory: 12 bytes per page in single precision and
32 in double, plus up to 4 for each thread from the third on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.options import option
from whatsrelated.ranks.iterative import (
    REDUCTION,
    SINGLE,
    IterativeRank,
    Scores,
    max_rounds_option,
    tolerance_option,
)
from whatsrelated.ranks.vectors import Floats, Precision, Vector, normalize, uniform

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks.iterative import Convergence
    from whatsrelated.ranks.link_matrix import LinkMatrix

PHASES = 4
"""The number of phases of a sweep by several threads."""
MAX_COPIES = 4
"""Maximum number of sweeping threads, since each has a copy of the contributions."""
PATIENCE = 5
"""Sweeps end after this many rounds without a new smallest residual."""


def damping_option() -> Any:
    """Options that split a random walk between links and jumps."""
    return option(
        0.85,
        "probability that the surfer follows a link instead of jumping",
        symbol="d",
        low=0,
        high=1,
    )


@dataclass(frozen=True)
class PageRank(IterativeRank):
    """The long-run position of a random surfer who follows links and occasionally jumps."""

    name = "pagerank"

    damping: float = damping_option()
    teleport: tuple[str, ...] = option((), "pages to jump to; all pages if none are given")
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        def weights(dtype: Precision) -> Floats:
            chosen: Floats = np.zeros(store.n_pages, dtype)
            chosen[[store.page(name) for name in self.teleport]] = 1
            return chosen

        walk = RandomWalk(links, self.damping, weights if self.teleport else None)
        return walk.stationary_distribution(convergence), None


class RandomWalk:
    """A random surfer; the teleport vector is the weights (1 by default) divided by their sum.

    Vectors hold contributions (see `vectors`).
    """

    def __init__(self, links: LinkMatrix, damping: float, weights: Vector | None = None) -> None:
        self.links, self.damping, self._weights = links, damping, weights
        self.mass = (
            max(float(len(links)), 1.0) if weights is None else float(weights(np.float64).sum())
        )

    def stationary_distribution(self, convergence: Convergence) -> Floats:
        """The scores x = F(x), scaled to sum to 1."""
        x = self._start(convergence.start)
        if self.damping < 1:
            self.gauss_seidel(x, max(convergence.tolerance, SINGLE), convergence)
        if convergence.dtype is np.float64 or not convergence.converged:
            x = x.astype(np.float64)
            residual = np.empty_like(x)
            while True:
                convergence.record(self.residual(x, residual))
                if convergence.ended:
                    break
                x += self.correction(residual, convergence) if self.damping < 1 else residual
            x += residual
        convergence.check()
        x *= np.maximum(self.links.degrees(x.dtype.type), 1)
        return normalize(x)

    def _start(self, scores: Floats | None) -> Floats:
        """The contributions of the given scores, or of the teleport vector."""
        if scores is not None:
            x = normalize(scores.astype(np.float32))
        else:
            weights = self.weights(np.float32)
            x = uniform(len(self.links), np.float32) if weights is None else normalize(weights)
        x /= np.maximum(self.links.degrees(np.float32), 1)
        return x

    def weights(self, dtype: Precision) -> Floats | None:
        """The weights of the jump targets; None if they are all 1."""
        return None if self._weights is None else self._weights(dtype)

    def sums(self, x: Floats) -> tuple[float, float]:
        """The sum of the scores of the dangling pages, and the sum of all scores."""
        degrees = self.links.degrees(x.dtype.type)
        dangling = float(x[degrees == 0].sum(dtype=np.float64))
        # We avoid np.dot because BLAS may use several threads, and waiting for them takes longer
        # than the sum.
        scores = np.maximum(degrees, 1, out=degrees)
        scores *= x
        return dangling, float(scores.sum(dtype=np.float64))

    def jumps(self, dangling: float, total: float) -> float:
        """J(x), computed from these two sums."""
        return self.damping * dangling + (1 - self.damping) * total

    def residual(self, x: Floats, out: Floats) -> float:
        """Compute out ← F(x) - x in double precision; return its norm divided by Σ x."""
        dangling, total = self.sums(x)
        norm, _ = self.links.T.pull(
            x,
            self.links.degrees(np.float64),
            out,
            damping=self.damping,
            jump=self.jumps(dangling, total) / self.mass,
            weights=self.weights(np.float64),
            previous=x,
        )
        out -= x
        return norm / (total or 1.0)

    def correction(self, residual: Floats, convergence: Convergence) -> Floats:
        """The solution of e = F(e) + r, to a few digits."""
        error = residual.astype(np.float32)
        scores = np.maximum(self.links.degrees(np.float32), 1)
        scores *= error
        target = max(REDUCTION * convergence.residual, convergence.tolerance)
        self.gauss_seidel(error, target, convergence, scores)
        return error

    def gauss_seidel(
        self, x: Floats, target: float, convergence: Convergence, residual: Floats | None = None
    ) -> None:
        """Solve x = F(x) + r in single precision, in place; r holds scores, 0 by default.

        Stops when the bound on the residual is below the target or no longer shrinks, and leaves
        the last allowed round to double precision.
        """
        dangling, total = self.sums(x)
        weights, sweeps = self.weights(np.float32), Sweeps(self.links, x)
        smallest, stalled = float("inf"), 0
        while smallest >= target and stalled < PATIENCE and convergence.remaining > 1:
            jumps = self.jumps(dangling, total)
            changed, dangling, total = sweeps.sweep(
                damping=self.damping, jump=jumps / self.mass, weights=weights, residual=residual
            )
            bound = self.damping * changed + abs(self.jumps(dangling, total) - jumps)
            convergence.record(bound / (total or 1.0) if residual is None else bound)
            stalled = stalled + 1 if convergence.residual >= smallest else 0
            smallest = min(smallest, convergence.residual)


class Sweeps:
    """Gauss–Seidel sweeps over contributions, in place, by several threads."""

    def __init__(self, links: LinkMatrix, x: Floats) -> None:
        chunks = links.columns.chunks
        copies = max(min(links.threads.count, MAX_COPIES, chunks // PHASES), 1)
        self._links = links
        self._copies = [x, *(x.copy() for _ in range(copies - 1))]
        self._phases = PHASES if copies > 1 else 1
        parts = self._phases * copies
        self._parts = [range(chunks * p // parts, chunks * (p + 1) // parts) for p in range(parts)]

    def sweep(self, **settings: Any) -> list[float]:
        """Make one sweep.

        Return Σ |x′ - x| over the pages with links, Σ x′ over the dangling pages, and Σ x′.
        """
        threads, copies = self._links.threads, len(self._copies)
        sums = np.zeros((len(self._parts), 3))
        for phase in reversed(range(self._phases)):
            threads.run(partial(self._sweep_part, settings, sums, phase), copies)
        threads.run(partial(self._synchronize, 0), copies)
        totals: list[float] = sums.sum(axis=0).tolist()
        return totals

    def _sweep_part(
        self, settings: dict[str, Any], sums: NDArray[float64], phase: int, copy: int
    ) -> None:
        """Sweep a copy's part of a phase, using the other threads' results of the previous
        phase.
        """
        if phase + 1 < self._phases:
            self._synchronize(phase + 1, copy)
        part = phase * len(self._copies) + copy
        self._links.columns.call(
            kernels.sweep.gauss_seidel,
            self._links.rows.offsets,
            self._copies[copy],
            chunks=self._parts[part],
            sums=sums[part],
            **settings,
        )

    def _synchronize(self, phase: int, copy: int) -> None:
        """Update a copy with the other threads' results of a phase."""
        bounds = self._links.columns.bounds
        for other, x in enumerate(self._copies):
            if other != copy:
                chunks = self._parts[phase * len(self._copies) + other]
                pages = slice(bounds[chunks.start], bounds[chunks.stop])
                self._copies[copy][pages] = x[pages]
