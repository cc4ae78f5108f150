"""What one iteration is: the link matrix, and the operators x ↦ A x + b made of it.

L is the link matrix: L[p, q] is 1 where page p links to page q.  Its row sums are the
out-degrees, those of its transpose Lᵀ the in-degrees.

A linear rank is the fixed point x = A x + b of an operator; what it is for a random walk
stands at `RandomWalk`.  An operator does not read scores but *contributions*: a page's
score over its degree, which is what the page gives along each of its links, computed once
and read for every link.  A page without links (dangling) has its score as its contribution;
no link reads it, and what all such pages hold is carried beside the vector.

All operators *pull*: a page sums what its links bring, so that no two threads write to one
place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.ranks.parallel import Adjacency, Threads
from whatsrelated.ranks.vectors import Floats, Precision, Vector, cached, uniform

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


@dataclass(frozen=True, eq=False)
class LinkMatrix:
    """L, by its rows and by its columns, with the threads that multiply by it."""

    rows: Adjacency
    columns: Adjacency
    hosts: NDArray[uint32]
    threads: Threads

    @classmethod
    def of(cls, store: Store, threads: Threads) -> LinkMatrix:
        """The link matrix of a graph."""
        outgoing = Adjacency(store.out_offsets, store.out_links)
        incoming = Adjacency(store.in_offsets, store.in_links)
        return cls(outgoing, incoming, store.hosts, threads)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def T(self) -> LinkMatrix:  # noqa: N802 (as NumPy calls it)
        """The transpose."""
        return LinkMatrix(self.columns, self.rows, self.hosts, self.threads)

    @property
    def degrees(self) -> Vector:
        """The sum of every row."""
        return self.rows.degrees

    def multiply(self, x: Floats, out: Floats, total: Floats | None = None) -> float:
        """out ← L x, total ← total + out; ‖total‖², or ‖out‖² where there is no total."""
        return self._sum(kernels.sweep.multiply, x, out, total)[0]

    def pull(
        self,
        contributions: Floats,
        degrees: Floats,
        out: Floats,
        *,
        damping: float,
        constant: float = 0.0,
        jump: float = 0.0,
        weights: Floats | None = None,
        previous: Floats | None = None,
        total: Floats | None = None,
    ) -> tuple[float, float]:
        """Scores damping · L contributions + constant + jump · weights, as contributions.

        Gives the L1 distance of the scores to those of `previous`, and what the pages whose
        degree is 0 hold.  The contributions are added to `total`.
        """
        return self._sum(
            kernels.sweep.pull,
            contributions,
            degrees,
            out,
            damping=damping,
            constant=constant,
            jump=jump,
            weights=weights,
            previous=previous,
            total=total,
        )

    def _sum(
        self, kernel: Callable[..., None], *arguments: object, **settings: object
    ) -> tuple[float, float]:
        call = partial(self.rows.call, kernel)
        return self.threads.sum_chunks(call, self.rows.bounds, *arguments, **settings)


@dataclass
class Iterate:
    """An approximation of x: the pages' contributions, and what the dangling pages hold."""

    contributions: Floats
    dangling: float = 0.0

    @classmethod
    def of(cls, scores: Floats, degrees: Floats) -> Iterate:
        """The iterate of these scores, which are overwritten."""
        dangling = float(scores[degrees == 0].sum(dtype=np.float64))
        scores /= np.maximum(degrees, 1)
        return cls(scores, dangling)

    def scores(self, degrees: Floats) -> Floats:
        """The scores of the pages; the contributions are overwritten."""
        self.contributions *= np.maximum(degrees, 1)
        return self.contributions

    def empty_like(self) -> Iterate:
        return Iterate(np.empty_like(self.contributions))

    def astype(self, dtype: Precision) -> Iterate:
        return Iterate(self.contributions.astype(dtype, copy=False), self.dangling)


class Operator(ABC):
    """x ↦ A x + b, where A reads the contributions of x."""

    @abstractmethod
    def degrees(self, dtype: Precision) -> Floats:
        """By what a score is divided to be a contribution; 0 where the page is dangling."""

    @abstractmethod
    def apply(self, x: Iterate, out: Iterate, total: Floats | None = None) -> float:
        """out ← A x + b; the L1 norm of the change from x.

        With a `total` only the linear part: out ← A x, which is added to the total; the L1
        norm of out.
        """


class RandomWalk(Operator):
    """A reader who follows links with probability d, and else jumps.

        A x + b = d (Lᵀ D⁻¹ x + t · Σ x over the dangling pages) + (1-d) t

    D holds the out-degrees.  The teleport vector t is the `weights` over their sum, uniform
    where there are none.
    """

    def __init__(self, links: LinkMatrix, damping: float, weights: Vector | None = None) -> None:
        self.links, self.damping, self.weights = links, damping, weights
        self._degrees = cached(links.degrees)
        if weights is None:
            self.mass = max(float(len(links)), 1.0)
        else:
            self.mass = float(weights(np.float64).sum())
            # Where the weights are the degrees, one array will do.
            self._weights = self._degrees if weights == links.degrees else cached(weights)

    def degrees(self, dtype: Precision) -> Floats:
        return self._degrees(dtype)

    def cached_weights(self, dtype: Precision) -> Floats | None:
        """The weights, made only once."""
        return None if self.weights is None else self._weights(dtype)

    def teleport(self, dtype: Precision) -> Floats:
        """The teleport vector t."""
        if self.weights is None:
            return uniform(len(self.links), dtype)
        return self.weights(dtype) / dtype(self.mass)

    def jumps(self, dangling: float, total: float) -> float:
        """How much jumps, where all pages hold `total` and the dangling ones `dangling`."""
        return self.damping * dangling + (1 - self.damping) * total

    def apply(self, x: Iterate, out: Iterate, total: Floats | None = None) -> float:
        linear = total is not None
        dtype = x.contributions.dtype.type
        jump = self.jumps(x.dangling, 0.0 if linear else 1.0) / self.mass
        weights = self.cached_weights(dtype)
        change, out.dangling = self.links.T.pull(
            x.contributions,
            self.degrees(dtype),
            out.contributions,
            damping=self.damping,
            constant=jump if weights is None else 0.0,
            jump=jump,
            weights=weights,
            previous=None if linear else x.contributions,
            total=total,
        )
        return change
