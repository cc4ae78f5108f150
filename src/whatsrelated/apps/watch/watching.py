"""Keep the graph of a folder up to date while its files are edited.

An update starts once the folder has been quiet for `QUIET` seconds, so a save that writes twice
counts once. The first change is merged immediately. While changes continue, the pauses between
updates double up to `LONGEST`, so a note that is saved 50 times a minute costs only a few merges.
The last change is never lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from whatsrelated.api import Graph, build
from whatsrelated.api import open as open_graph
from whatsrelated.api.reading import is_ignored
from whatsrelated.api.updating import UpdateOptions, update
from whatsrelated.errors import GraphFormatError, ReadError
from whatsrelated.machine.changes import FolderChanges
from whatsrelated.stream import Progress

QUIET = 0.2
"""Seconds without a change before an update starts."""
SHORTEST, LONGEST = 1.0, 30.0
"""Initial pause between the ends of two updates, in seconds."""


class Pauses:
    """The waits between updates, which double each time until changes stop."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, longest: float = LONGEST
    ) -> None:
        self._clock = clock
        self._longest = longest
        self._ended: float | None = None
        self._pause = 0.0

    def remaining(self) -> float:
        """Seconds until the next update may start."""
        return 0.0 if self._ended is None else self._ended + self._pause - self._clock()

    def end(self) -> None:
        """Record that an update has ended."""
        now = self._clock()
        calm = self._ended is None or now - self._ended > 2 * self._longest
        self._pause = SHORTEST if calm else min(2 * self._pause, self._longest)
        self._ended = now


def watch(
    folder: Path,
    path: Path,
    *,
    stop: Callable[[], bool] = lambda: False,
    longest: float = LONGEST,
    progress: Progress | None = None,
    **options: Any,
) -> Iterator[Graph]:
    """Yield the graph of a folder, building it if needed, and again after every change.

    `options` are those of `build`. Options that are stored with the graph and cannot be changed by
    an update apply only when it is built. `longest` is the longest pause between updates. The
    generator ends when `stop()` returns true.
    """
    update_options = {
        name: value for name, value in options.items() if name not in UpdateOptions.fixed
    }
    pauses = Pauses(longest=longest)
    graph_folder = path.absolute()

    def ignored(inner: Path) -> bool:
        return is_ignored(inner.name) or inner.absolute() == graph_folder

    with FolderChanges(folder, ignored) as changes:
        yield _first(folder, path, progress, options, update_options)
        while not stop():
            if not changes.wait(0.5):
                continue
            while not stop() and (changes.wait(QUIET) or pauses.remaining() > 0):
                pass
            before = open_graph(path).store.generation
            try:
                graph = update(path, [folder], missing="delete", wait=True, **update_options)
            except ReadError:
                continue
            pauses.end()
            if graph.store.generation != before:
                yield graph


def _first(
    folder: Path,
    path: Path,
    progress: Progress | None,
    options: dict[str, Any],
    update_options: dict[str, Any],
) -> Graph:
    """The existing graph, brought up to date, or a new one."""
    try:
        open_graph(path)
    except GraphFormatError:
        if path.exists():
            raise
        return build([folder], path, progress=progress, **options)
    return update(path, [folder], missing="delete", progress=progress, wait=True, **update_options)
