"""The graph that is served now, and how a new generation takes its place.

A request takes `serving` once and keeps to it: the graph and all that was made
from it (answers, the list of names to complete) are one value, replaced as a
whole.  The old one goes when its last query has ended; so do its mappings.
A new generation that cannot be opened changes nothing but `trouble`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from whatsrelated.api import Graph
from whatsrelated.errors import GraphFormatError, RelatedError
from whatsrelated.graph import format as disk
from whatsrelated.server.metrics import Board
from whatsrelated.server.replies import Reply

T = TypeVar("T")
log = logging.getLogger("whatsrelated.server")


class Answers:
    """Replies that were given, the latest used last, within a number of bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.held = 0
        self._replies: OrderedDict[tuple[str, bytes], Reply] = OrderedDict()

    def get(self, key: tuple[str, bytes]) -> Reply | None:
        reply = self._replies.get(key)
        if reply is not None:
            self._replies.move_to_end(key)
        return reply

    def put(self, key: tuple[str, bytes], reply: Reply) -> None:
        size = len(reply) + len(key[1])
        if size > self.room // 4 or key in self._replies:
            return
        self._replies[key] = reply
        self.held += size
        while self.held > self.room:
            (_, query), oldest = self._replies.popitem(last=False)
            self.held -= len(oldest) + len(query)

    def __len__(self) -> int:
        return len(self._replies)


class Serving:
    """One generation of the graph, and what was made from it."""

    def __init__(self, graph: Graph, room: int) -> None:
        self.graph = graph
        self.answers = Answers(room)
        self._made: dict[str, Any] = {}
        self._making = threading.Lock()

    def made(self, name: str, make: Callable[[Graph], T]) -> T:
        """What `make` makes of the graph, made once."""
        if name not in self._made:
            with self._making:
                if name not in self._made:
                    self._made[name] = make(self.graph)
        value: T = self._made[name]
        return value


class Live:
    """The generation that is served, and a watch on the file that names it."""

    def __init__(self, open_graph: Callable[[], Graph], path: Path | None, room: int) -> None:
        self._open = open_graph
        self._path = path
        self._room = room
        self._seen: _Seen | None = None
        self._serving: Serving | None = None
        self.trouble: str | None = None
        self.generation = 0
        self._wake = asyncio.Event()

    @property
    def serving(self) -> Serving:
        """What a request is answered from."""
        if self._serving is None:
            raise GraphFormatError(self.trouble or "No graph is open.")
        return self._serving

    @property
    def cached_bytes(self) -> int:
        return self._serving.answers.held if self._serving else 0

    def open(self) -> None:
        """Open the graph for the first time; an error is the caller's."""
        self._seen = _on_disk(self._path) if self._path else None
        self._serving = Serving(self._open(), self._room)

    def close(self) -> None:
        """Let the graph go where it can be opened again."""
        if self._path is not None:
            self._serving = self._seen = None

    def look(self) -> bool | None:
        """Take up what is on disk: True where it is new, False where that failed, else None."""
        if self._path is None:
            return None
        seen = _on_disk(self._path)
        if self._serving is not None and self._seen is not None:
            if seen == self._seen:
                self.trouble = None
                return None
            if seen.current == self._seen.current:
                return self._failed(f"{self._path} was changed in place; build the graph again.")
        try:
            fresh = Serving(self._open(), self._room)
        except Exception as error:  # whatever is on disk, the old graph goes on
            return self._failed(str(error) or repr(error))
        self._seen, self.trouble = seen, None
        self._serving = fresh
        self.generation += 1
        log.info("Took up a new generation: %s", fresh.graph)
        return True

    def _failed(self, trouble: str) -> bool | None:
        if trouble == self.trouble:
            return None
        self.trouble = trouble
        log.error("The old graph goes on: %s", trouble)
        return False

    def wake(self) -> None:
        """Look at once: somebody sent SIGHUP."""
        self._wake.set()

    async def watch(self, every: float, board: Board) -> None:
        """Look for a new generation now and then, for ever."""
        while self._path is not None:
            try:
                async with asyncio.timeout(every):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            taken = await asyncio.to_thread(self.look)
            if taken is not None:
                board.add("switches" if taken else "failed_switches")


class _Seen(NamedTuple):
    """What tells one state of a graph on disk from another."""

    current: tuple[str | int, ...]
    files: tuple[tuple[str | int, ...], ...]


def _on_disk(path: Path) -> _Seen:
    """The file that names the generation, and the generation's files, which never change."""
    try:
        folder, checksum = disk.current_generation(path)
        with os.scandir(folder) as entries:
            files = tuple(sorted((entry.name, *_identity(entry.stat())) for entry in entries))
        return _Seen((checksum, *_identity((path / disk.CURRENT).stat())), files)
    except (OSError, RelatedError):
        return _Seen((), ())


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns
