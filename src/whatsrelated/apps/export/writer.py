"""Code shared by all writers: pages in blocks, and a file that is replaced only when complete."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.machine.files import output_file
from whatsrelated.options import Configured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress

PAGES = 1 << 15
LINKS = 1 << 19


class Writer(Configured):
    """One format: a frozen dataclass whose fields are its options."""

    suffixes: ClassVar[tuple[str, ...]]
    """The file extensions of this format."""

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class PageBlock:
    """Some consecutive pages, with their links."""

    first: int
    names: list[str]
    titles: list[str]
    """The title of each page, empty if it has none."""
    counts: list[int]
    """The number of links per page."""
    targets: NDArray[Any]
    """The targets of these links, page by page."""

    def target_names(self, store: Store) -> list[str]:
        """The name of each target."""
        distinct, places = np.unique(self.targets, return_inverse=True)
        names = np.array(store.urls(distinct), object)
        target_names: list[str] = names[places].tolist()
        return target_names

    def alone(self, store: Store) -> list[int]:
        """The pages without links in either direction."""
        pages = np.arange(self.first, self.first + len(self.names))
        degrees = store.in_degree(pages) + np.array(self.counts, np.int64)
        without_links: list[int] = pages[degrees == 0].tolist()
        return without_links


def page_blocks(store: Store, progress: Progress | None) -> Iterator[PageBlock]:
    """All pages, in blocks of a few hundred thousand links."""
    first = 0
    offsets = store.out_offsets
    while first < store.n_pages:
        end = int(np.searchsorted(offsets, int(offsets[first]) + LINKS, "right")) - 1
        last = min(max(end, first + 1), first + PAGES, store.n_pages)
        if progress is not None:
            progress("writing links", int(offsets[first]), store.n_links)
        pages = np.arange(first, last, dtype=np.uint32)
        counts = np.diff(offsets[first : last + 1].astype(np.int64)).tolist()
        targets = store.out_links[int(offsets[first]) : int(offsets[last])]
        yield PageBlock(first, store.urls(pages), titles_of(store, pages), counts, targets)
        first = last


def titles_of(store: Store, pages: NDArray[Any]) -> list[str]:
    """The titles of many pages, empty for a page without one."""
    column = store.column("titles")
    return [""] * len(pages) if column is None else column.texts_of(pages)


@contextmanager
def export_file(path: Path) -> Iterator[IO[bytes]]:
    """The output file, compressed if its name ends with .gz; `-` means standard output."""
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with output_file(path) as file:
        if path.name.endswith(".gz"):
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as gzipped:
                yield gzipped  # type: ignore[misc]
        else:
            yield file
