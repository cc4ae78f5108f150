"""Errors, grouped by what the user can do about them.

Every message is a sentence or two: what happened, the value, and how to fix it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

SIMILAR = 0.7
"""Minimum similarity of a word to the one that was typed, as `get_close_matches` measures it."""


def suggestion(word: str, words: Iterable[str], before: str = "") -> str:
    """A suggestion of a similar word for the end of an error message, after the text `before`;
    empty if no word is similar.
    """
    near = get_close_matches(word, list(words), 1, SIMILAR)
    return f"did you mean {before}{near[0]}?" if near else ""


class RelatedError(Exception):
    """The base of every error that the package raises on purpose."""


class PageNotFound(RelatedError, LookupError):
    """The page is not in the graph, or its name is ambiguous; holds the closest matches."""

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
    """The graph on disk is missing, damaged or in another format version."""

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
    """A query missed its deadline or was cancelled."""


class OutOfMemory(RelatedError, MemoryError):
    """A query would exceed its memory limit."""


class MissingExtra(RelatedError, ImportError):
    """An optional package is needed; the message gives the command that installs it."""


class SparkError(RelatedError, RuntimeError):
    """Spark cannot be started, or one of its jobs failed."""
