"""Answers saved to a file as they arrive, so that an interrupted experiment can resume.

The file has one JSON value per line. The first line records what the answers depend on (the graph,
the number of results, whether linked pages count); the other lines are answers. Gold, queries and
contenders may change between runs: saved answers are reused; missing and failed ones are computed.
An incomplete last line is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from whatsrelated import __version__
from whatsrelated.apps.evaluate.trials import Trial
from whatsrelated.errors import OptionError
from whatsrelated.machine.locks import try_lock

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.contenders import Contender

VERSION = 1
FLUSH_SECONDS = 1.0
"""Seconds between flushes of the file."""


class CheckpointLine(msgspec.Struct, array_like=True):
    """A line of the file: a contender and its answer."""

    by: str
    answer: Trial


class Checkpoint:
    """The answers of an earlier run, to which this run adds more."""

    def __init__(self, path: str | Path, graph: Graph, limit: int, unlinked: bool) -> None:
        self.path = Path(path)
        self.answers: dict[tuple[str, str], Trial] = {}
        self._head = {
            "evaluation": VERSION,
            "graph": graph.store.fingerprint,
            "limit": limit,
            "unlinked": unlinked,
            "whatsrelated": __version__,
        }
        self._file: IO[bytes] | None = None
        self._flushed = time.monotonic()

    def __enter__(self) -> Checkpoint:
        try:
            self._file = self.path.open("a+b", buffering=1 << 16)
        except OSError as error:
            raise OptionError(
                f"evaluate: the checkpoint {self.path} cannot be used: {error.strerror or error}."
            ) from error
        try:
            self._lock()
            end = self._read()
        except OptionError:
            self._file.close()
            raise
        self._file.truncate(end)
        if not end:
            self._write(self._head)
        return self

    def __exit__(self, *error: object) -> None:
        assert self._file is not None
        self._file.close()

    def trials(
        self, contenders: Sequence[Contender], work: Iterable[tuple[int, str]]
    ) -> dict[tuple[int, str], Trial]:
        """The saved answers for this work, except those that failed."""
        keys = [key(contender) for contender in contenders]
        saved = {(number, query): self.answers.get((keys[number], query)) for number, query in work}
        return {item: trial for item, trial in saved.items() if trial and not trial.error}

    def add(self, contender: Contender, trial: Trial) -> None:
        """Save an answer."""
        self._write(CheckpointLine(key(contender), trial))
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            assert self._file is not None
            self._file.flush()
            self._flushed = time.monotonic()

    def _write(self, value: Any) -> None:
        assert self._file is not None
        self._file.write(msgspec.json.encode(value) + b"\n")

    def _lock(self) -> None:
        """Lock the file, since two processes would overwrite each other's lines."""
        assert self._file is not None
        if not try_lock(self._file):
            raise OptionError(
                f"evaluate: another process is using the checkpoint {self.path}; use another file."
            )

    def _read(self) -> int:
        """Read the file; return the length of its complete lines in bytes."""
        end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                if number == 0:
                    self._check(line)
                else:
                    try:
                        saved = msgspec.json.decode(line, type=CheckpointLine)
                    except msgspec.DecodeError as error:
                        raise OptionError(
                            f"evaluate: {self.path}, line {number + 1}, is not a saved answer "
                            f"({error}); delete the file to start again."
                        ) from None
                    self.answers[saved.by, saved.answer.query] = saved.answer
                end += len(line)
        return end

    def _check(self, line: bytes) -> None:
        """Reject a file whose answers belong to other queries or options."""
        try:
            head = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            head = {}
        if head.get("evaluation") != VERSION:
            raise OptionError(
                f"evaluate: {self.path} is not a checkpoint of this program; use another file."
            )
        names = {
            "graph": "for another graph",
            "limit": f"for answers with --limit {head.get('limit')}",
            "unlinked": f"with linked pages {'left out' if head.get('unlinked') else 'counted'}",
            "whatsrelated": f"from version {head.get('whatsrelated')}",
        }
        for name, difference in names.items():
            if head.get(name) != self._head[name]:
                raise OptionError(
                    f"evaluate: the checkpoint {self.path} is {difference}; "
                    f"delete it, or use another file."
                )


def key(contender: Contender) -> str:
    """Everything that a contender's answers depend on, as text."""
    return f"{contender.method!r} {sorted(contender.request)!r}"
