"""Answers kept in a file while they come in, so that an interrupted run goes on.

A line of JSON each: first what the answers depend on (the graph, how many
results, whether linked pages count), then answer after answer.  Gold, queries
and contenders may change between two runs: what is kept is used, what failed or
is missing is asked.  A last line that was cut short is dropped.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from whatsrelated.errors import OptionError
from whatsrelated.evaluation.experiment import Asked

if TYPE_CHECKING:
    from types import TracebackType

    from whatsrelated.api import Graph
    from whatsrelated.evaluation.contenders import Contender

VERSION = 1


class Kept(msgspec.Struct, array_like=True):
    """A line of the file: which contender, and its answer."""

    by: str
    answer: Asked


class Checkpoint:
    """The answers of an earlier run, and a place for those of this one."""

    def __init__(self, path: str | Path, graph: Graph, limit: int, unlinked: bool) -> None:
        self.path = Path(path)
        self.answers: dict[tuple[str, str], Asked] = {}
        self._head = {
            "evaluation": VERSION,
            "graph": graph.store.fingerprint,
            "limit": limit,
            "unlinked": unlinked,
            "whatsrelated": metadata.version("whatsrelated"),
        }
        self._file: IO[bytes] | None = None

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._file is not None
        self._file.close()

    def get(self, contender: Contender, query: str) -> Asked | None:
        """What was answered before; what failed is asked again."""
        answer = self.answers.get((key(contender), query))
        return None if answer is None or answer.error else answer

    def add(self, contender: Contender, answer: Asked) -> None:
        """Keep an answer."""
        self._write(Kept(key(contender), answer))

    def flush(self) -> None:
        """Have what was kept survive this process."""
        assert self._file is not None
        self._file.flush()

    def _write(self, value: Any) -> None:
        assert self._file is not None
        self._file.write(msgspec.json.encode(value) + b"\n")

    def _lock(self) -> None:
        """Two runs at a time would write into each other's lines."""
        assert self._file is not None
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OptionError(
                f"evaluate: another run is using the checkpoint {self.path}; give another file."
            ) from None

    def _read(self) -> int:
        """Take in the file; how far it is whole."""
        end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                if number == 0:
                    self._check(line)
                else:
                    try:
                        kept = msgspec.json.decode(line, type=Kept)
                    except msgspec.DecodeError as error:
                        raise OptionError(
                            f"evaluate: {self.path}, line {number + 1}, is no kept answer "
                            f"({error}); delete the file to begin anew."
                        ) from None
                    self.answers[kept.by, kept.answer.query] = kept.answer
                end += len(line)
        return end

    def _check(self, line: bytes) -> None:
        """Refuse a file whose answers would not be this run's."""
        try:
            head = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            head = {}
        if head.get("evaluation") != VERSION:
            raise OptionError(
                f"evaluate: {self.path} is no checkpoint of this program; give another file."
            )
        names = {
            "graph": "of another graph",
            "limit": f"of answers with --limit {head.get('limit')}",
            "unlinked": f"with linked pages {'left out' if head.get('unlinked') else 'counted'}",
            "whatsrelated": f"of version {head.get('whatsrelated')}",
        }
        for name, said in names.items():
            if head.get(name) != self._head[name]:
                raise OptionError(
                    f"evaluate: the checkpoint {self.path} is {said}; "
                    f"delete it, or give another file."
                )


def key(contender: Contender) -> str:
    """All that a contender's answers depend on, as text."""
    return f"{contender.method!r} {sorted(contender.asking)!r}"
