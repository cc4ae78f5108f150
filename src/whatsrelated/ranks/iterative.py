"""Ranks that iterate until their scores converge.

An iteration (users call it a round) reads all links. The *residual* is the change that an iteration
makes to the scores, in the L1 norm. A rank has converged when its residual is below the tolerance.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from whatsrelated.errors import NotConverged
from whatsrelated.options import option
from whatsrelated.ranks import Rank
from whatsrelated.ranks.link_matrix import LinkMatrix, Threads
from whatsrelated.ranks.ranking import Ranking

if TYPE_CHECKING:
    from typing import Unpack

    from whatsrelated.graph import Store
    from whatsrelated.ranks import Computing
    from whatsrelated.ranks.vectors import Floats, Precision
    from whatsrelated.stream import Progress

SINGLE = 1e-6
"""The smallest tolerance for which single precision is enough."""
REDUCTION = 1e-5
"""Corrections in single precision reduce a residual by this factor."""

Scores: TypeAlias = "tuple[Floats, Floats | None]"
"""The scores, and the hubs if the rank has them."""


@dataclass
class Convergence:
    """The number of iterations so far, and the residual of the last one."""

    name: str
    tolerance: float
    max_iterations: int
    progress: Progress | None = None
    accept: bool = False
    iterations: int = 0
    residual: float = float("inf")
    residuals: list[float] = field(default_factory=list)
    """The residuals of all iterations."""
    remarks: list[str] = field(default_factory=list)
    """Notes from the rank about its scores."""
    start: Floats | None = None
    """Initial scores, if similar ones are known, such as those from before an update."""

    @property
    def dtype(self) -> Precision:
        """The precision that the tolerance requires."""
        return np.float32 if self.tolerance >= SINGLE else np.float64

    @property
    def converged(self) -> bool:
        return self.residual < self.tolerance

    @property
    def remaining(self) -> int:
        """The number of iterations that are still allowed."""
        return self.max_iterations - self.iterations

    @property
    def ended(self) -> bool:
        return self.converged or self.remaining <= 0

    def record(self, residual: float) -> None:
        """Count an iteration, and report it."""
        self.iterations += 1
        self.residual = float(residual)
        self.residuals.append(self.residual)
        if self.progress is not None:
            self.progress(f"{self.name}, change {residual:.1e}, round", self.iterations, None)

    def check(self) -> None:
        """Raise NotConverged, unless the scores have converged or the caller accepts any."""
        if not self.converged and not self.accept:
            raise NotConverged(
                f"{self.name}: round {self.iterations:,} still changed the scores by "
                f"{self.residual:.2g}, and the tolerance is {self.tolerance:g}; allow more rounds "
                "(max_rounds) or a larger tolerance, or accept the scores as they are (accept).",
                self.iterations,
                self.residual,
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user about the scores."""
        if self.converged:
            return tuple(self.remarks)
        return (*self.remarks, f"The scores still change by {self.residual:.2g} per round.")


class IterativeRank(Rank):
    """A rank that reads all links repeatedly."""

    tolerance: float
    max_rounds: int

    def compute(self, store: Store, **how: Unpack[Computing]) -> Ranking:
        convergence = Convergence(
            self.name,
            self.tolerance,
            self.max_rounds,
            how.get("progress"),
            how.get("accept", False),
            start=how.get("start"),
        )
        with closing(Threads(how.get("threads"))) as threads, store.read_through():
            scores, hubs = self.solve(store, LinkMatrix.of(store, threads), convergence)
        return Ranking(
            store,
            self,
            scores,
            hubs,
            convergence.iterations,
            convergence.residual,
            convergence.converged,
            convergence.notes,
            tuple(convergence.residuals),
        )

    @abstractmethod
    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        """The scores to which the rank converges."""


def tolerance_option() -> Any:
    """The tolerance at which an iteration has converged."""
    return option(
        1e-10,
        "stop when a round changes the scores by less than this in total",
        low=0,
        open_low=True,
    )


def max_rounds_option() -> Any:
    """The number of rounds after which to give up."""
    return option(1000, "maximum number of rounds", low=1)
