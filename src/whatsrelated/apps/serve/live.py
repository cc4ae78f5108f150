"""The graph being served, and how a new generation replaces it.

A request reads `served` once and uses it throughout. The graph and everything derived from it
(cached responses, completions) form one value, which is replaced as a whole. The old value is
released after its last query. If a new generation cannot be opened, only `trouble` is set.
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
from whatsrelated.api.limits import Limits
from whatsrelated.api.stores import disk
from whatsrelated.apps.serve.metrics import Metrics
from whatsrelated.apps.serve.responses import HTTPResponse
from whatsrelated.errors import GraphFormatError, RelatedError

T = TypeVar("T")

INDEXED_AT_START = 100_000
"""If a graph has more pages than this, the server builds its word index as soon as it opens it."""
log = logging.getLogger("whatsrelated.apps.serve")


class ResponseCache:
    """A cache of responses, least recently used first, limited in bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.size = 0
        self._responses: OrderedDict[tuple[str, bytes], HTTPResponse] = OrderedDict()

    def get(self, key: tuple[str, bytes]) -> HTTPResponse | None:
        response = self._responses.get(key)
        if response is not None:
            self._responses.move_to_end(key)
        return response

    def put(self, key: tuple[str, bytes], response: HTTPResponse) -> None:
        size = len(response) + len(key[1])
        if size > self.room // 4 or key in self._responses:
            return
        self._responses[key] = response
        self.size += size
        while self.size > self.room:
            (_, query), oldest = self._responses.popitem(last=False)
            self.size -= len(oldest) + len(query)

    def __len__(self) -> int:
        return len(self._responses)


class ServedGraph:
    """One generation of the graph, and the data derived from it."""

    def __init__(self, graph: Graph, room: int) -> None:
        self.graph = graph
        graph.rankings.stores = False
        self.cache = ResponseCache(room)
        self._derived: dict[str, Any] = {}
        self._deriving = threading.Lock()
        self._starting = threading.Lock()
        self._indexing: threading.Thread | None = None

    def derived(self, name: str, derive: Callable[[Graph], T]) -> T:
        """The result of `derive` for this graph, computed once."""
        if name not in self._derived:
            with self._deriving:
                if name not in self._derived:
                    with Limits(alone=True):  # computed once, however long it takes
                        self._derived[name] = derive(self.graph)
        value: T = self._derived[name]
        return value

    def prepare(self) -> None:
        """Start building the word index of a large graph, before anyone searches."""
        if self.graph.store.n_pages > INDEXED_AT_START:
            self.has_word_index(0)

    def has_word_index(self, wait: float) -> bool:
        """Whether the word index is ready within this many seconds.

        The first call starts a thread that builds it; no deadline stops that thread.
        """
        with self._starting:
            if self._indexing is None:
                self._indexing = threading.Thread(target=self._build_word_index, daemon=True)
                self._indexing.start()
        self._indexing.join(wait)
        return not self._indexing.is_alive()

    def _build_word_index(self) -> None:
        try:
            self.graph.store.lookup.index(build=True)
        except (RelatedError, MemoryError) as error:
            log.error("The word index could not be built: %s", error)


class Live:
    """The generation being served, and a watch on the file that names it."""

    def __init__(self, open_graph: Callable[[], Graph], path: Path | None, room: int) -> None:
        self._open = open_graph
        self._path = path
        self._room = room
        self._seen: _OnDisk | None = None
        self._served: ServedGraph | None = None
        self.trouble: str | None = None
        self.switches = 0
        self._wake = asyncio.Event()
        self._looking = threading.Lock()

    @property
    def path(self) -> Path | None:
        """The folder of the graph; None if it is in memory."""
        return self._path

    @property
    def served(self) -> ServedGraph:
        """The generation from which requests are answered."""
        if self._served is None:
            raise GraphFormatError(self.trouble or "No graph is open.")
        return self._served

    @property
    def cached_bytes(self) -> int:
        return self._served.cache.size if self._served else 0

    def open(self) -> None:
        """Open the graph for the first time; errors go to the caller."""
        self._seen = _on_disk(self._path) if self._path else None
        self._served = ServedGraph(self._open(), self._room)

    def close(self) -> None:
        """Release the graph if it can be opened again."""
        if self._path is not None:
            self._served = self._seen = None

    def look(self) -> bool | None:
        """Serve the graph on disk.

        Return True if it is new, False if opening it failed, otherwise None.
        """
        if self._path is None:
            return None
        with self._looking:
            return self._look(self._path)

    def _look(self, path: Path) -> bool | None:
        seen = _on_disk(path)
        if self._served is not None and self._seen is not None:
            if seen == self._seen:
                self.trouble = None
                return None
            if seen.current == self._seen.current:
                return self._fail(f"{path} was changed in place; build the graph again.")
        try:
            fresh = ServedGraph(self._open(), self._room)
            fresh.graph.store.verify()
        except Exception as error:  # keep serving the old graph, whatever the error is
            return self._fail(str(error) or repr(error))
        self._seen, self.trouble = seen, None
        self._served = fresh
        fresh.prepare()
        self.switches += 1
        log.info("Serving a new generation: %s", fresh.graph)
        return True

    def _fail(self, trouble: str) -> bool | None:
        if trouble == self.trouble:
            return None
        self.trouble = trouble
        log.error("Still serving the old graph: %s", trouble)
        return False

    def wake(self) -> None:
        """Check immediately, after SIGHUP."""
        self._wake.set()

    async def watch(self, every: float, metrics: Metrics) -> None:
        """Check for a new generation at intervals, forever."""
        while self._path is not None:
            try:
                async with asyncio.timeout(every):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            switched = await asyncio.to_thread(self.look)
            if switched is not None:
                metrics.add("switches" if switched else "failed_switches")


class _OnDisk(NamedTuple):
    """A value that identifies the state of a graph on disk."""

    current: tuple[str | int, ...]
    files: tuple[tuple[str | int, ...], ...]


def _on_disk(path: Path) -> _OnDisk:
    """The file that names the generation, and the generation's files, which never change."""
    try:
        folder, checksum = disk.current_generation(path)
        with os.scandir(folder) as entries:
            files = tuple(sorted((entry.name, *_identity(entry.stat())) for entry in entries))
        return _OnDisk((checksum, *_identity((path / disk.CURRENT).stat())), files)
    except (OSError, RelatedError):
        return _OnDisk((), ())


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns
