"""The connectivity server: which page links to which, in what order, and their names.

One class serves graphs in memory and on disk: the arrays are the same, whether loaded or mapped.
"""

from __future__ import annotations

import mmap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError, OptionError
from whatsrelated.graph import format as disk
from whatsrelated.graph import verification
from whatsrelated.graph.advice import advise, is_far, sequential
from whatsrelated.graph.directions import first_one_way_link
from whatsrelated.graph.lookup import Lookup
from whatsrelated.graph.names import PageNames, StringTable
from whatsrelated.graph.rows import INDEX, LONGS, WORDS, LinkArray, PackedRows, is_packed
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.names.titles import shorten

if TYPE_CHECKING:
    from numpy import bool_, int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.text_index import TextIndex


PATIENCE = 100
"""Number of retries if the graph is replaced while it is being opened."""

PACKED_NAMES = {
    f"{direction}.{plain}": [direction + part for part in packed]
    for direction in ("out", "in")
    for plain, packed in (("offsets", (INDEX, LONGS)), ("links", (WORDS,)))
}
"""The arrays of links, and the arrays that replace them in packed graphs."""


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
        """The number of the generation on disk."""
        self.is_packed = is_packed(arrays)
        self.hosts = arrays["hosts"]
        self.domains = arrays["domains"]
        self.n_pages: int = manifest["pages"]
        self.n_links: int = manifest["links"]
        self.ordered: bool = manifest["ordered"]
        self.auto_site: str = manifest["auto_site"]
        self.fingerprint: str = manifest["fingerprint"]
        self.names = PageNames(arrays["names.text"], arrays["names.blocks"], self.n_pages)
        self._titles = self.column("titles")
        self._threads = threading.local()
        self._is_verified = path is None
        self._mappings = {
            name: (base, len(base))
            for name, array in arrays.items()
            if (base := disk.mapping_of(array)) is not None
        }

    @classmethod
    def open(cls, path: Path, verify: str = "lazy", generation: int | None = None) -> Store:
        """Open the graph in a folder, mapping every file; `verify` is full, lazy or none.

        `generation` selects an older generation, if it was kept.
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
    def open_written(cls, path: Path) -> Store:
        """Open the graph that this process has just written, while it holds the lock."""
        return cls._open_generation(path, *disk.current_generation(path), verification.WRITTEN)

    @classmethod
    def _open_generation(cls, path: Path, folder: Path, checksum: str, verify: str) -> Store:
        manifest = disk.read_manifest(folder, checksum)
        fault = verification.manifest_fault(manifest)
        if fault:
            raise GraphFormatError(f"{folder}: {fault}; build the graph again.")
        note = None
        if verify in ("lazy", verification.WRITTEN) and not verification.is_cheap(manifest):
            note = verification.Note(path, folder, checksum, manifest)
        number = disk.number_of(folder.name)
        store = cls(disk.map_arrays(folder, manifest), manifest, path, number)
        if verify != "none" and not (note and note.is_valid()):
            if verify != verification.WRITTEN:
                store.verify()
            if note:
                note.write()
        if store.is_far:
            advise(store.link_mappings, "RANDOM")
        return store

    def verify(self) -> None:
        """Raise GraphFormatError if the graph's bytes have changed or are not safe to read."""
        if not self._is_verified:
            fault = verification.content_fault(self.arrays, self.manifest)
            if fault:
                raise GraphFormatError(f"{self.path or 'The graph'}: {fault}; build it again.")
            self._is_verified = True

    @property
    def link_arrays(self) -> list[str]:
        """The names of the arrays that hold links and their index."""
        if not self.is_packed:
            return list(PACKED_NAMES)
        return [name for parts in PACKED_NAMES.values() for name in parts]

    @property
    def link_mappings(self) -> list[mmap.mmap]:
        """The mappings of the links and their index."""
        return [self._mappings[name][0] for name in self.link_arrays if name in self._mappings]

    @cached_property
    def is_far(self) -> bool:
        """Whether the links do not fit in memory. They are then accessed at random."""
        return is_far(sum(len(mapping) for mapping in self.link_mappings))

    @contextmanager
    def read_through(self) -> Iterator[None]:
        """Declare sequential reading within this context, for code that reads all links."""
        with sequential(self.link_mappings if self.is_far else []):
            yield

    def require_mapped(self, *names: str) -> None:
        """Raise GraphFormatError if any of the files (by default, all) shrank since they were
        mapped.
        """
        if self.is_packed:
            names = tuple(part for name in names for part in PACKED_NAMES.get(name, [name]))
        for name in names or self._mappings:
            if name in self._mappings:
                mapping, size = self._mappings[name]
                if mapping.size() < size:
                    raise GraphFormatError(
                        f"{self.path}: {name}.npy was cut short while the graph was open; "
                        "build the graph again."
                    )

    @property
    def links(self) -> kernels.links.Links:
        """Both directions as the kernels read them, for this thread."""
        if not self.is_packed:
            return self._plain_links
        arena = scratch_of(kernels.links.Arena)
        arena.serve(self._threads)
        state = self._threads.__dict__
        if state.get("arena") is not arena:
            out, into = self._packed("out"), self._packed("in")
            state["arena"] = arena
            state["links"] = kernels.links.PackedLinks(
                *(out.arrays, into.arrays, self.n_pages, out.wide, arena, self.is_far)
            )
        links: kernels.links.Links = state["links"]
        return links

    @cached_property
    def _plain_links(self) -> kernels.links.Links:
        out = self.arrays["out.offsets"], self.arrays["out.links"]
        into = self.arrays["in.offsets"], self.arrays["in.links"]
        return kernels.links.Links(*out, *into, self.is_far)

    @cached_property
    def _rows(self) -> dict[str, PackedRows]:
        return {}

    def _packed(self, direction: str) -> PackedRows:
        if direction not in self._rows:
            self._rows[direction] = PackedRows(self.arrays, direction, self.n_pages)
        return self._rows[direction]

    @property
    def out_offsets(self) -> NDArray[uint64]:
        """The start of each page's links among all links, and the end of the last."""
        return self._packed("out").offsets if self.is_packed else self.arrays["out.offsets"]

    @property
    def in_offsets(self) -> NDArray[uint64]:
        """The start of each page's parents among all parents, and the end of the last."""
        return self._packed("in").offsets if self.is_packed else self.arrays["in.offsets"]

    @property
    def out_links(self) -> LinkArray:
        """The links of all pages, in page order; packed links are decoded as they are read."""
        return self._packed("out") if self.is_packed else self.arrays["out.links"]

    @property
    def in_links(self) -> LinkArray:
        """The parents of all pages."""
        return self._packed("in") if self.is_packed else self.arrays["in.links"]

    def column(self, name: str) -> StringTable | None:
        """A column (titles, terms) with a string for every page, or None if the graph lacks it."""
        if f"{name}.blocks" not in self.arrays:
            return None
        return StringTable(self.arrays[f"{name}.text"], self.arrays[f"{name}.blocks"], self.n_pages)

    def url(self, page: int) -> str:
        return self.names.url(page)

    def urls(self, pages: NDArray[uint32]) -> list[str]:
        return self.names.urls(pages)

    @cached_property
    def lookup(self) -> Lookup:
        """Finds pages by the text a user types."""
        return Lookup(self)

    @cached_property
    def texts(self) -> TextIndex | None:
        """Finds pages with similar text; None if the graph was built without it."""
        from whatsrelated.graph.text_index import find_text_index

        return find_text_index(self)

    def look_up(self, text: str) -> int | None:
        """The page with that name or a variant of it, or None."""
        return self.lookup.exact(text)

    def page(self, text: str) -> int:
        """The page that a user means; if there is none, the error suggests the closest."""
        if not isinstance(text, str):
            raise OptionError(f"A page must be named by its URL, got {text!r:.80}.")
        return self.lookup.page(text)

    def title(self, page: int) -> str | None:
        """The title of a page, without the part that most titles on its site share."""
        title = self.full_title(page)
        return None if title is None else self.shorten_title(title)

    def full_title(self, page: int) -> str | None:
        """The title of a page as it was read."""
        if self._titles is None:
            return None
        return self._titles.text_of(page) or None

    def shorten_title(self, title: str) -> str:
        """A title without the prefix or suffix that most titles on the site share."""
        return shorten(title, self.manifest.get("built", {}).get("title_ends", ()))

    def titles(self, pages: NDArray[uint32]) -> list[str | None]:
        return (
            [self.title(page) for page in pages.tolist()] if self._titles else [None] * len(pages)
        )

    def links_from(self, page: int) -> NDArray[uint32]:
        """The pages that a page links to, in page order."""
        return self.links.row(page, False)

    def links_to(self, page: int) -> NDArray[uint32]:
        """The pages that link to a page, highest in-degree first."""
        return self.links.row(page, True)

    def rows_of(self, pages: NDArray[Any], *, backward: bool) -> NDArray[uint32]:
        """The links of some pages, one page after another; if `backward`, their parents."""
        if self.is_packed:
            rows = [self.links.row(page, backward) for page in pages.tolist()]
            return np.concatenate(rows) if rows else np.empty(0, np.uint32)
        direction = "in" if backward else "out"
        degrees = self.links.degrees(pages, backward)
        starts = self.arrays[f"{direction}.offsets"][pages].astype(np.int64)
        places = np.repeat(starts - (np.cumsum(degrees) - degrees), degrees)
        links: NDArray[uint32] = self.arrays[f"{direction}.links"][places + np.arange(len(places))]
        return links

    def in_degree(self, pages: NDArray[Any]) -> NDArray[int64]:
        return self.links.degrees(pages, True)

    def out_degree(self, pages: NDArray[Any]) -> NDArray[int64]:
        return self.links.degrees(pages, False)

    @property
    def is_site(self) -> bool:
        """Whether the pages that were read form one site, such as a folder of pages or notes."""
        return bool(self.manifest["built"].get("site"))

    def is_read(self, pages: NDArray[Any]) -> NDArray[bool_]:
        """Which of the pages were read; the others are only named or linked to.

        If the graph does not record this, the pages with links count as read.
        """
        bits = self.arrays.get("read")
        if bits is None:
            return self.out_degree(pages) > 0
        numbers = np.asarray(pages, np.int64)
        return np.asarray(bits[numbers >> 3] >> (numbers & 7).astype(np.uint8) & 1, np.bool_)

    @property
    def read_mask(self) -> NDArray[bool_]:
        """Whether each page was read."""
        bits = self.arrays.get("read")
        if bits is None:
            return self.out_offsets[1:] > self.out_offsets[:-1]
        return np.unpackbits(bits, bitorder="little", count=self.n_pages).view(np.bool_)

    @property
    def read_pages(self) -> int:
        """The number of pages that were read."""
        if "read_pages" in self.manifest:
            return int(self.manifest["read_pages"])
        return int(np.count_nonzero(self.read_mask))

    def check(self) -> str | None:
        """The first fault found in the graph, or None."""
        with self.read_through():
            return self._fault()

    def _fault(self) -> str | None:
        for name, file in self.manifest["files"].items():
            if disk.data_differs(self.arrays[name], file):
                return f"{name}.npy has changed since it was written"
        fault = verification.content_fault(self.arrays, self.manifest)
        return fault or self._string_fault() or self._direction_fault()

    def _string_fault(self) -> str | None:
        """Check that names ascend and that all strings except terms are valid UTF-8."""
        columns = [name.removesuffix(".blocks") for name in self.arrays if name.endswith(".blocks")]
        for column in columns:
            table = self.names if column == "names" else self.column(column)
            assert table is not None
            fault = table.fault(is_text=column != "terms", is_sorted=column == "names")
            if fault:
                return f"{column}: {fault}"
        return None

    def _direction_fault(self) -> str | None:
        """Check that every link is stored in both directions."""
        link = first_one_way_link(self)
        if link is None:
            return None
        source, target = map(self.url, link)
        return f"the link {source} -> {target} has only one direction"
