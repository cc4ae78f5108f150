"""Pack the links of a graph while its arrays are written.

A builder appends offsets and links as usual; as soon as the links of sixteen pages are complete,
they are encoded. The plain arrays are hashed, so a graph has the same fingerprint whether it is
packed or not.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import BuildError
from whatsrelated.graph.format import AppendableArray, ArraysByName
from whatsrelated.graph.rows import INDEX, LONGS, PAGES_IN_BLOCK, WORDS, is_packed
from whatsrelated.machine.resources import physical_memory

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

STORES = ("auto", "plain", "packed")
"""The supported ways to store links."""
MANY_LINKS = 100_000_000
"""By default, links are packed if there are more than this, or if they would fill a quarter of
memory.
"""
LINKS_PER_STEP = 1 << 20
"""Number of links to encode together, if possible."""
MAX_WORDS = 1 << 32
"""Maximum number of words in one direction, which a 32-bit index allows: 32 GiB."""


def is_to_be_packed(store: str, links: int, pages: int) -> bool:
    """Whether to pack a graph of that size; `store` is one of STORES."""
    size = 8 * links + 16 * pages
    large = links > MANY_LINKS or size > physical_memory() // 4
    return store == "packed" or (store == "auto" and large)


class PackedArrays:
    """The arrays of a graph that is being written, with the links of both directions packed."""

    def __init__(self, array: ArraysByName, pages: int) -> None:
        self._array = array
        self._packers = {
            direction: LinkPacker(array, direction, pages) for direction in ("out", "in")
        }

    def __call__(self, name: str) -> AppendableArray:
        direction, _, what = name.partition(".")
        if direction in self._packers and what in ("offsets", "links"):
            return self._packers[direction].part(what)
        return self._array(name)

    def close(self) -> dict[str, dict[str, Any]]:
        """Encode the rest; return the length and checksum of each plain array."""
        plain: dict[str, dict[str, Any]] = {}
        for packer in self._packers.values():
            plain |= packer.close()
        return plain


class LinkPacker:
    """One direction: takes offsets and links, and writes an index, long entries and words."""

    def __init__(self, array: ArraysByName, direction: str, pages: int) -> None:
        self._direction = direction
        self._wide = kernels.packing.width(pages)
        self._index, self._longs, self._words = (
            array(direction + part) for part in (INDEX, LONGS, WORDS)
        )
        self._page = 0
        self._n_words = 0
        self._offsets = Pending(np.dtype(np.uint64), self)
        self._links = Pending(np.dtype(np.uint32), self)

    def part(self, what: str) -> Pending:
        """The array to append offsets or links to."""
        return self._offsets if what == "offsets" else self._links

    def encode(self, *, to_end: bool = False) -> None:
        """Encode all complete blocks; if `to_end`, also the last pages."""
        while True:
            offsets = self._offsets.held
            if len(offsets) < 2:
                return
            start = int(offsets[0])
            complete = int(np.searchsorted(offsets, np.uint64(self._links.count), "right")) - 1
            target = int(np.searchsorted(offsets, np.uint64(start + LINKS_PER_STEP), "right")) - 1
            pages = min(complete, max(target, PAGES_IN_BLOCK))
            if not (to_end and pages == complete):
                pages -= pages % PAGES_IN_BLOCK
            if pages <= 0:
                return
            links = self._links.take(int(offsets[pages]) - start)
            self._write(offsets[: pages + 1] - offsets[0], links)
            self._offsets.take(pages)

    def _write(self, offsets: NDArray[uint64], links: NDArray[uint32]) -> None:
        index, longs, words = kernels.packing.encode(
            offsets, links, self._page, self._wide, self._n_words
        )
        if self._n_words + len(words) >= MAX_WORDS:
            raise BuildError(
                f"The packed links of one direction ({self._direction}) would take more than "
                f"{MAX_WORDS >> 27} GiB; build the graph with plain links (--store plain)."
            )
        self._index.append(index)
        self._longs.append(longs)
        self._words.append(words)
        self._page += len(offsets) - 1
        self._n_words += len(words)

    def close(self) -> dict[str, dict[str, Any]]:
        """Encode the rest, and add the final word."""
        self.encode(to_end=True)
        self._words.append(np.zeros(1, np.uint64))
        return {
            f"{self._direction}.offsets": self._offsets.description(),
            f"{self._direction}.links": self._links.description(),
        }


class Pending:
    """Values that were appended but not yet encoded; every appended value is hashed."""

    def __init__(self, dtype: np.dtype[Any], packer: LinkPacker) -> None:
        self._dtype = dtype
        self._packer = packer
        self._pieces: list[NDArray[Any]] = []
        self._hash = hashlib.sha256()
        self.count = 0

    def append(self, values: NDArray[Any]) -> None:
        """Write the next values."""
        if len(values):
            piece = np.ascontiguousarray(values, self._dtype)
            self._hash.update(piece.data.cast("B"))
            self._pieces.append(piece)
            self.count += len(piece)
            self._packer.encode()
            self._pieces = [self.held.copy()]  # the caller may overwrite the array

    @property
    def held(self) -> NDArray[Any]:
        """The values that are not yet encoded."""
        if len(self._pieces) != 1:
            self._pieces = [np.concatenate(self._pieces or [np.empty(0, self._dtype)])]
        return self._pieces[0]

    def take(self, count: int) -> NDArray[Any]:
        """Remove and return the next values."""
        held = self.held
        self._pieces = [held[count:]]
        return held[:count]

    def description(self) -> dict[str, Any]:
        """The manifest's entry for the plain array."""
        return {"count": self.count, "sha256": self._hash.hexdigest()}


def described(
    files: dict[str, dict[str, Any]], plain: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The files of a graph as if its links were plain; its fingerprint is computed from these."""
    if not is_packed(files):
        return files
    rest = {n: file for n, file in files.items() if not n.endswith((INDEX, LONGS, WORDS))}
    return rest | plain
