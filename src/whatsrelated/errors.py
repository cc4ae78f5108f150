"""What can go wrong, by what the user can do about it.

Every error is one sentence: what, the value got, the way out.
"""

from __future__ import annotations

from collections.abc import Sequence


class RelatedError(Exception):
    """The root of every error that the package raises on purpose."""


class PageNotFound(RelatedError, LookupError):
    """The page is not in the graph, or several may be meant: the nearest one, or the candidates."""

    def __init__(
        self,
        message: str,
        asked: str | None = None,
        nearest: str | None = None,
        candidates: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.asked = asked
        self.nearest = nearest
        self.candidates = list(candidates)


class OptionError(RelatedError, ValueError):
    """An option is unknown, or its value is out of range."""


class GraphFormatError(RelatedError, ValueError):
    """The graph on disk is missing, damaged or of another version."""

    def __init__(self, message: str, newer: bool = False) -> None:
        super().__init__(message)
        self.newer = newer


class ReadError(RelatedError, ValueError):
    """A source cannot be read."""


class BuildError(RelatedError, OSError):
    """A graph or another output cannot be written."""


class NotConverged(RelatedError, ArithmeticError):
    """An iteration did not converge within its rounds."""

    def __init__(self, message: str, rounds: int = 0, residual: float = 0.0) -> None:
        super().__init__(message)
        self.rounds = rounds
        self.residual = residual


class OutOfTime(RelatedError, TimeoutError):
    """A question was not answered before its deadline, or was cancelled."""


class OutOfMemory(RelatedError, MemoryError):
    """A question would take more memory than it may."""


class MissingExtra(RelatedError, ImportError):
    """An optional package is needed; the message gives the command that installs it."""


class SparkError(RelatedError, RuntimeError):
    """Spark cannot be started, or a job of it has failed."""
