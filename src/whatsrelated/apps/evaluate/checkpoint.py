"""Answers saved in a file as they come in, so that an interrupted experiment can resume.

A line of JSON each: first what the answers depend on (the graph, how many
results, whether linked pages count), then answer after answer.  Gold, queries
and contenders may change between two runs: a saved answer is used, one that
failed or is missing is asked.  A last line that was cut short is dropped.
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
"""After so long, the answers so far are safe in the file."""


class CheckpointLine(msgspec.Struct, array_like=True):
    """A line of the file: which contender, and its answer."""

    by: str
    answer: Trial


class Checkpoint:
    """The answers of an earlier experiment, and a place for those of this one."""

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
        """What is already answered of the work; what failed is not."""
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
        """Two processes at a time would write into each other's lines."""
        assert self._file is not None
        if not try_lock(self._file):
            raise OptionError(
                f"evaluate: another process is using the checkpoint {self.path}; give another file."
            )

    def _read(self) -> int:
        """Read the file; how many of its bytes are whole lines."""
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
        """Refuse a file whose answers are to other questions."""
        try:
            head = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            head = {}
        if head.get("evaluation") != VERSION:
            raise OptionError(
                f"evaluate: {self.path} is not a checkpoint of this program; give another file."
            )
        names = {
            "graph": "of another graph",
            "limit": f"of answers with --limit {head.get('limit')}",
            "unlinked": f"with linked pages {'left out' if head.get('unlinked') else 'counted'}",
            "whatsrelated": f"of version {head.get('whatsrelated')}",
        }
        for name, difference in names.items():
            if head.get(name) != self._head[name]:
                raise OptionError(
                    f"evaluate: the checkpoint {self.path} is {difference}; "
                    f"delete it, or give another file."
                )


def key(contender: Contender) -> str:
    """All that a contender's answers depend on, as text."""
    return f"{contender.method!r} {sorted(contender.request)!r}"
