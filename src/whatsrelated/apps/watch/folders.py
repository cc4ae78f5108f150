"""Cached graphs, for serving folders of notes or pages.

1. A folder that is not a graph gets a graph in the user's cache, named after the folder and a
   digest of its path. Only the owner can read it.
2. The graph is built when the folder is first served; from then on it opens at once.
3. The server follows the folder in the background: it updates the graph at startup, to catch up on
  changes, and whenever files change.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from whatsrelated.api import Graph, build
from whatsrelated.api import open as open_graph
from whatsrelated.api.stores import disk
from whatsrelated.apps.watch.watching import SHORTEST, watch
from whatsrelated.errors import GraphFormatError, ReadError
from whatsrelated.machine.places import cache_folder
from whatsrelated.stream import Progress, Refused

RETRY = 30.0
"""Seconds to wait before retrying a folder that could not be followed."""
log = logging.getLogger("whatsrelated.updates")


def is_folder_of_pages(path: Path) -> bool:
    """Whether a path is a folder that may hold notes or pages rather than a graph."""
    return path.is_dir() and path.suffix != ".graph" and not (path / disk.CURRENT).exists()


def cached_graph(folder: Path, progress: Progress | None = None) -> Path:
    """The path of the graph for a folder or file, built if it is missing or cannot be opened.

    The graph of a file is built again if the file is newer.
    """
    whole = folder.absolute()
    digest = hashlib.blake2b(os.fsencode(whole), digest_size=8).hexdigest()
    path = cache_folder() / f"{whole.name}-{digest}.graph"
    try:
        open_graph(path)
        if whole.is_file() and whole.stat().st_mtime > (path / disk.CURRENT).stat().st_mtime:
            raise GraphFormatError(f"{path} is older than {folder}.")
    except GraphFormatError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            _log_refused(folder, build([whole], path, progress=progress))
        except ReadError as error:
            raise ReadError(
                f"{folder} is neither a graph nor a source of pages or links: {error}"
            ) from None
    return path


def follow(
    folder: Path,
    path: Path,
    changed: Callable[[], None] = lambda: None,
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Keep the graph of a folder up to date until `stop` returns true; call `changed` after each
    update. Errors are logged, and the update is retried later.
    """
    while not stop():
        try:
            for graph in watch(folder.absolute(), path, stop=stop, longest=SHORTEST):
                _log_refused(folder, graph)
                if not stop():
                    changed()
        except Exception as error:  # on any error, the graph stays unchanged
            log.error("The graph of %s is not up to date: %s", folder, error)
            again = time.monotonic() + RETRY
            while time.monotonic() < again and not stop():
                time.sleep(0.5)


def _log_refused(folder: Path, graph: Graph) -> None:
    """Log what the graph of a folder leaves out, by reason."""
    refused = Refused(graph.store.manifest["refused"])
    if refused.counts:
        log.warning("%s: %s.", folder, refused)
