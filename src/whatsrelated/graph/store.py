"""The connectivity server: who links where, in what order, and under which name.

One class for a graph in memory and one on disk: the same arrays, held or
mapped.  It knows no method.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError, OptionError
from whatsrelated.graph import format as disk
from whatsrelated.graph import verification
from whatsrelated.graph.lookup import Lookup
from whatsrelated.graph.names import PageNames, StringTable
from whatsrelated.names.titles import shorten

if TYPE_CHECKING:
    from numpy import bool_, int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.kernels.plain.links import Links

PATIENCE = 100
"""How often a reader tries again when the graph was replaced between two of its steps."""

LinkPiece = tuple[int, "NDArray[uint64]", "NDArray[uint32]"]


class Store:
    """A graph of pages: both directions of its links, sites, names, titles."""

    def __init__(
        self,
        arrays: dict[str, NDArray[Any]],
        manifest: dict[str, Any],
        path: Path | None = None,
        generation: int | None = None,
    ) -> None:
        self.arrays = arrays
        self.manifest = manifest
        self.path = path
        self.generation = generation
        """Its number among the states that the graph on disk has had."""
        self.out_offsets = arrays["out.offsets"]
        self.out_links = arrays["out.links"]
        self.in_offsets = arrays["in.offsets"]
        self.in_links = arrays["in.links"]
        self.hosts = arrays["hosts"]
        self.domains = arrays["domains"]
        self.n_pages: int = manifest["pages"]
        self.n_links: int = manifest["links"]
        self.ordered: bool = manifest["ordered"]
        self.auto_site: str = manifest["auto_site"]
        self.fingerprint: str = manifest["fingerprint"]
        self.names = PageNames(arrays["names.text"], arrays["names.blocks"], self.n_pages)
        self._titles = self.column("titles")
        self._is_verified = path is None
        self._mappings = {
            name: (base, len(base))
            for name, array in arrays.items()
            if isinstance(base := _buffer(array), mmap.mmap)
        }

    @classmethod
    def open(cls, path: Path, verify: str = "lazy", generation: int | None = None) -> Store:
        """The graph in a folder, every file mapped; `verify`: full, lazy or none.

        `generation`: an older state of it, where it was kept.
        """
        verification.require_known(verify)
        for attempt in range(PATIENCE):
            folder, checksum = disk.current_generation(path, generation)
            try:
                return cls._open_generation(path, folder, checksum, verify)
            except GraphFormatError:
                replaced = disk.current_generation(path, generation)[0] != folder
                if not replaced or attempt == PATIENCE - 1:
                    raise
        raise AssertionError("unreachable")

    @classmethod
    def _open_generation(cls, path: Path, folder: Path, checksum: str, verify: str) -> Store:
        manifest = disk.read_manifest(folder, checksum)
        fault = verification.manifest_fault(manifest)
        if fault:
            raise GraphFormatError(f"{folder}: {fault}; build the graph again.")
        note = None
        if verify == "lazy" and not verification.is_cheap(manifest):
            note = verification.Note(path, folder, checksum, manifest)
        number = disk.number_of(folder.name)
        store = cls(disk.map_arrays(folder, manifest), manifest, path, number)
        if verify != "none" and not (note and note.is_valid()):
            store.verify()
            if note:
                note.write()
        return store

    def verify(self) -> None:
        """Refuse a graph whose bytes are not those that were written, or not safe to read."""
        if not self._is_verified:
            fault = verification.content_fault(self.arrays, self.manifest)
            if fault:
                raise GraphFormatError(f"{self.path or 'The graph'}: {fault}; build it again.")
            self._is_verified = True

    def require_mapped(self, *names: str) -> None:
        """Refuse to read files that became shorter since they were mapped; all, or the named."""
        for name in names or self._mappings:
            if name in self._mappings:
                mapping, size = self._mappings[name]
                if mapping.size() < size:
                    raise GraphFormatError(
                        f"{self.path}: {name}.npy was cut short while the graph was open; "
                        "build the graph again."
                    )

    @cached_property
    def links(self) -> Links:
        """Both directions as the kernels of questions take them."""
        return kernels.links.Links(self.out_offsets, self.out_links, self.in_offsets, self.in_links)

    def column(self, name: str) -> StringTable | None:
        """A string for every page (titles, terms), where the graph was built with it."""
        if f"{name}.blocks" not in self.arrays:
            return None
        return StringTable(self.arrays[f"{name}.text"], self.arrays[f"{name}.blocks"], self.n_pages)

    def url(self, page: int) -> str:
        return self.names.url(page)

    def urls(self, pages: NDArray[uint32]) -> list[str]:
        return self.names.urls(pages)

    def find(self, url: str) -> int | None:
        return self.names.find(url)

    @cached_property
    def lookup(self) -> Lookup:
        """Finds pages by what people type."""
        return Lookup(self)

    def look_up(self, text: str) -> int | None:
        """The page of that name or of another spelling of it, or None."""
        return self.lookup.exact(text)

    def page(self, text: str) -> int:
        """The page that somebody means; where there is none the error names the nearest."""
        if not isinstance(text, str):
            raise OptionError(f"A page is named by its URL, got {text!r:.80}.")
        return self.lookup.page(text)

    def title(self, page: int) -> str | None:
        """The title of a page, without what most titles of its site share."""
        title = self.full_title(page)
        return None if title is None else self.shorten_title(title)

    def full_title(self, page: int) -> str | None:
        """The title of a page as it was read."""
        if self._titles is None:
            return None
        return self._titles.text_of(page) or None

    def shorten_title(self, title: str) -> str:
        """A title without the beginning or the end that most titles of the site share."""
        return shorten(title, self.manifest.get("built", {}).get("title_ends", ()))

    def titles(self, pages: NDArray[uint32]) -> list[str | None]:
        return (
            [self.title(page) for page in pages.tolist()] if self._titles else [None] * len(pages)
        )

    def links_from(self, page: int) -> NDArray[uint32]:
        """The pages that a page links to, in page order."""
        return self.out_links[int(self.out_offsets[page]) : int(self.out_offsets[page + 1])]

    def links_to(self, page: int) -> NDArray[uint32]:
        """The pages that link to a page, the most linked-to first."""
        return self.in_links[int(self.in_offsets[page]) : int(self.in_offsets[page + 1])]

    def in_degree(self, pages: NDArray[Any]) -> NDArray[int64]:
        return _degrees(self.in_offsets, pages)

    def out_degree(self, pages: NDArray[Any]) -> NDArray[int64]:
        return _degrees(self.out_offsets, pages)

    def is_read(self, pages: NDArray[Any]) -> NDArray[bool_]:
        """Which of the pages were read; the others are only linked to, or named.

        In a graph that does not say, those with links.
        """
        bits = self.arrays.get("read")
        if bits is None:
            return self.out_degree(pages) > 0
        wanted = np.asarray(pages, np.int64)
        return np.asarray(bits[wanted >> 3] >> (wanted & 7).astype(np.uint8) & 1, np.bool_)

    @property
    def read_pages(self) -> int:
        """How many pages were read."""
        bits = self.arrays.get("read")
        if bits is None:
            return int(np.count_nonzero(self.out_offsets[1:] > self.out_offsets[:-1]))
        return int(np.unpackbits(bits, bitorder="little", count=self.n_pages).sum(dtype=np.int64))

    def check(self) -> str | None:
        """The first thing that is wrong with the graph, or None."""
        for name, file in self.manifest["files"].items():
            if disk.data_differs(self.arrays[name], file):
                return f"{name}.npy does not have the bytes that were written"
        fault = verification.content_fault(self.arrays, self.manifest)
        return fault or self._string_fault() or self._direction_fault()

    def _string_fault(self) -> str | None:
        """Names must ascend, and they and all other texts must be text."""
        columns = [name.removesuffix(".blocks") for name in self.arrays if name.endswith(".blocks")]
        for column in columns:
            table = self.names if column == "names" else self.column(column)
            assert table is not None
            fault = table.fault(is_text=column != "terms", is_sorted=column == "names")
            if fault:
                return f"{column}: {fault}"
        return None

    def _direction_fault(self) -> str | None:
        """Every link must stand in both directions: compared a range of targets at a time."""
        step = max(1, min(self.n_pages, 1 << 22))
        for low in range(0, self.n_pages, step):
            high = min(low + step, self.n_pages)
            owners = np.arange(low, high, dtype=np.uint64)
            backward = np.repeat(owners, _lengths(self.in_offsets[low : high + 1]))
            parents = self.in_links[int(self.in_offsets[low]) : int(self.in_offsets[high])]
            expected = np.sort(backward << np.uint64(32) | parents)
            pieces = []
            for first, sources, targets in self.out_pieces():
                chosen = (targets >= low) & (targets < high)
                pairs = targets[chosen].astype(np.uint64) << np.uint64(32)
                pieces.append(pairs | (sources[chosen] + np.uint64(first)))
            found = np.sort(np.concatenate(pieces)) if pieces else np.empty(0, np.uint64)
            if not np.array_equal(expected, found):
                odd = np.setxor1d(expected, found)
                where = int(odd[0]) if len(odd) else int(expected[0])
                source, target = where & 0xFFFFFFFF, where >> 32
                return f"the link {self.url(source)} -> {self.url(target)} has only one direction"
        return None

    def out_pieces(self, links: int = 1 << 24) -> Iterator[LinkPiece]:
        """The links by pieces of some pages: the first page, then sources (from it) and targets."""
        first = 0
        while first < self.n_pages:
            bound = int(self.out_offsets[first]) + links
            last = int(np.searchsorted(self.out_offsets, np.uint64(bound), "right")) - 1
            last = min(max(last, first + 1), self.n_pages)
            degrees = _lengths(self.out_offsets[first : last + 1])
            sources = np.repeat(np.arange(last - first, dtype=np.uint64), degrees)
            yield (
                first,
                sources,
                self.out_links[int(self.out_offsets[first]) : int(self.out_offsets[last])],
            )
            first = last


def _buffer(array: NDArray[Any]) -> object:
    """What an array lies in: a mapping, where it is in a file."""
    base: object = array.base
    return base.obj if isinstance(base, memoryview) else base


def _degrees(offsets: NDArray[Any], pages: NDArray[Any]) -> NDArray[int64]:
    wanted = np.asarray(pages, np.int64)
    return np.asarray(offsets[wanted + 1] - offsets[wanted], np.int64)


def _lengths(offsets: NDArray[Any]) -> NDArray[int64]:
    return np.asarray(offsets[1:] - offsets[:-1], np.int64)
