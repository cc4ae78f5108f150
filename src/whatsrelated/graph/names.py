"""The names of pages: from number to name and back, by binary search in front-coded blocks.

A `StringWriter` writes these and all other strings of a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError
from whatsrelated.graph.format import ArraysByName
from whatsrelated.names.canonical import BadName, storable
from whatsrelated.names.hosts import host_of
from whatsrelated.names.keys import key_start, sort_key
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import int64, uint8, uint32, uint64
    from numpy.typing import NDArray

NAMES_PER_BATCH = 1 << 16
"""Number of strings decoded at a time when all are read."""

Packed = tuple["NDArray[uint8]", "NDArray[uint64]"]
"""Packed strings: their bytes, and a 0 followed by the end of each string."""

CodedPiece = tuple[
    "NDArray[uint8]", "NDArray[uint64]", int, "NDArray[int64]", "NDArray[uint8]", "NDArray[uint64]"
]
"""Coded strings in the form that `kernels.name_recoding` returns."""


class StringTable:
    """Strings by number, as they are stored."""

    def __init__(self, text: NDArray[uint8], blocks: NDArray[uint64], count: int) -> None:
        self.text = text
        self.blocks = blocks
        self.count = count

    @cached_property
    def table(self) -> kernels.name_table.Table:
        """The kernel's table, created once."""
        return kernels.name_table.Table(self.text, self.blocks, self.count)

    def get(self, index: int) -> bytes:
        """The string with that number."""
        return self.table.get(index)

    def text_of(self, index: int) -> str:
        """The string with that number, as text."""
        return _decode(self.get(index))

    def texts_of(self, indices: NDArray[Any]) -> list[str]:
        """The strings with these numbers, as text."""
        return [_decode(string) for string in Names(*self.table.get_many(indices.astype("u4")))]

    def fault(self, *, is_text: bool, is_sorted: bool) -> str | None:
        """The first fault in the strings, or None; reads all of them."""
        before = b""
        for low in range(0, self.count, NAMES_PER_BATCH):
            pages = np.arange(low, min(low + NAMES_PER_BATCH, self.count), dtype=np.uint32)
            try:
                strings = list(Names(*self.table.get_many(pages)))
            except GraphFormatError:
                last = low + NAMES_PER_BATCH
                return f"a length points past the end of the text, in entries {low:,} to {last:,}"
            for index, string in enumerate(strings, low):
                if is_sorted and index and string <= before:
                    return f"entry {index:,} is out of order"
                try:
                    if is_text:
                        string.decode()
                except UnicodeDecodeError:
                    return f"entry {index:,} is not valid UTF-8"
                before = string
        return None


def _decode(string: bytes) -> str:
    try:
        return string.decode()
    except UnicodeDecodeError:
        raise GraphFormatError(
            f"{string!r:.80} in the graph is not text; build the graph again."
        ) from None


class StringWriter:
    """Writes strings front-coded, in pieces of any length."""

    def __init__(self, array: ArraysByName, name: str) -> None:
        self._text = array(f"{name}.text")
        self._blocks = array(f"{name}.blocks")
        self._pending: Packed = np.empty(0, np.uint8), np.zeros(1, np.uint64)
        self._coded = 0

    def append(self, text: NDArray[uint8], ends: NDArray[uint64]) -> None:
        """Write the next strings, packed; an incomplete block waits for more."""
        text, ends = concatenate([self._pending, (text, ends)])
        whole = (len(ends) - 1) // kernels.name_table.BLOCK * kernels.name_table.BLOCK
        cut = int(ends[whole])
        self._encode(text[:cut], ends[: whole + 1])
        self._pending = text[cut:], ends[whole:] - ends[whole]

    def _encode(self, text: NDArray[uint8], ends: NDArray[uint64]) -> None:
        coded, blocks = kernels.name_table.encode(text, ends)
        self._text.append(coded)
        self._blocks.append(blocks + np.uint64(self._coded))
        self._coded += len(coded)

    def append_coded(self, coded: NDArray[uint8], blocks: NDArray[uint64]) -> None:
        """Write coded strings; all strings must then be written this way."""
        self._text.append(coded)
        self._blocks.append(blocks)

    def close(self) -> None:
        """Write the last, incomplete block."""
        self._encode(*self._pending)


def concatenate(parts: Sequence[Packed]) -> Packed:
    """Concatenate packed strings."""
    text = np.concatenate([part[0] for part in parts])
    shifts = np.cumsum([0] + [len(part[0]) for part in parts]).astype(np.uint64)
    pieces = [part[1][1:] + shift for part, shift in zip(parts, shifts, strict=False)]
    return text, np.concatenate([np.zeros(1, np.uint64), *pieces])


class PageNames(StringTable):
    """The names of pages, in sort-key order."""

    def __len__(self) -> int:
        return self.count

    def url(self, page: int) -> str:
        """The name of a page."""
        return self.table.url(page)

    def urls(self, pages: NDArray[uint32]) -> list[str]:
        """The names of some pages."""
        return self.table.urls(pages)

    def spell(self, pages: NDArray[uint32]) -> Packed:
        """The names of some pages, packed; they are UTF-8 unless damaged."""
        return self.table.spell(pages)

    def page_of(self, url: str) -> int | None:
        """The page with that canonical name, or None."""
        place = self.place(sort_key(url))
        return place if place >= 0 else None

    def page_as_written(self, text: str) -> int | None:
        """The page whose name is exactly this text, since a graph may store names unchanged."""
        try:
            key = kernels.sort_keys.easy_key(text.encode()) or sort_key(storable(text))
        except (BadName, UnicodeEncodeError):
            return None
        place = self.place(key)
        return place if place >= 0 else None

    def place(self, key: bytes) -> int:
        """The page with that key or, if there is none, -1 minus the page it would be inserted
        before.
        """
        return self.table.find(key)

    def starting(self, prefix: bytes) -> tuple[int, int]:
        """The range of pages whose keys start with these bytes: the first page and the first one
        after.
        """
        return self._bound(prefix), self._bound(prefix + b"\xff" * 9)

    def pages_starting(self, typed: str) -> Iterator[int]:
        """The pages whose URL or plain name starts with the typed text."""
        if typed:
            starts = [key_start(typed)]
            if not host_of(typed):
                starts.append(key_start("https://" + typed))
            for start in starts:
                yield from range(*self.starting(start))

    def _bound(self, key: bytes) -> int:
        place = self.place(key)
        return place if place >= 0 else -1 - place

    def around(self, url: str) -> list[int]:
        """The pages between which a name would be inserted."""
        bound = self._bound(sort_key(url))
        return [page for page in (bound - 1, bound) if 0 <= page < self.count]
