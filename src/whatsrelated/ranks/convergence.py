"""When an iteration ends: converged to the tolerance, or out of iterations.

The residual is the change that an iteration makes to the scores, in the L1 norm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whatsrelated.errors import NotConverged
from whatsrelated.ranks.vectors import Precision, precision_for

if TYPE_CHECKING:
    from whatsrelated.ranks.vectors import Floats
    from whatsrelated.stream import Progress


@dataclass
class Convergence:
    """How many iterations were made, and the residual of the last one."""

    name: str
    tolerance: float
    max_iterations: int
    progress: Progress | None = None
    accept: bool = False
    iterations: int = 0
    residual: float = float("inf")
    residuals: list[float] = field(default_factory=list)
    """Those of all iterations."""
    start: Floats | None = None
    """Scores that are near those looked for, where they are known: a graph before its update."""

    @property
    def dtype(self) -> Precision:
        """The precision that the tolerance asks for."""
        return precision_for(self.tolerance)

    @property
    def converged(self) -> bool:
        return self.residual < self.tolerance

    @property
    def exhausted(self) -> bool:
        """Whether all iterations that are allowed were made."""
        return self.iterations >= self.max_iterations

    @property
    def ended(self) -> bool:
        return self.converged or self.exhausted

    def record(self, residual: float) -> None:
        """Count an iteration, and report it."""
        self.iterations += 1
        self.residual = float(residual)
        self.residuals.append(self.residual)
        if self.progress is not None:
            self.progress(f"{self.name}, change {residual:.1e}, round", self.iterations, None)

    def check(self) -> None:
        """Raise NotConverged, unless it converged or was asked to accept what there is."""
        if not self.converged and not self.accept:
            raise NotConverged(
                f"{self.name}: after {self.iterations:,} rounds a round still changes the scores "
                f"by {self.residual:.2g}, the tolerance is {self.tolerance:g}; allow more rounds "
                "(max_rounds) or a larger tolerance, or accept the scores as they are (accept).",
                self.iterations,
                self.residual,
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the scores."""
        if self.converged:
            return ()
        return (f"The scores still change by {self.residual:.2g} a round.",)
