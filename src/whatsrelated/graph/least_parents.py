"""Leaving out pages that are only linked to, by too few others.

Most names of a large crawl are of pages that were never read, and that one page links to.
A page is left out, with the links to it, if it was not read, has no links of its own, and
fewer than `least` other pages link to it.  No page that is left out links, so that the
parents of all others stay: once is enough.

The pages are numbered and linked twice, first to count their parents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.graph.format import AppendableArray, ArraysByName

if TYPE_CHECKING:
    from numpy import bool_, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.build_input import BuildInput


class Nowhere:
    """An array that is not wanted."""

    def append(self, values: NDArray[Any]) -> None:
        """Drop the next values."""


class InDegrees:
    """The in-degrees, from the array that says where the parents of each page begin."""

    def __init__(self) -> None:
        self._pieces: list[NDArray[uint64]] = []

    def append(self, values: NDArray[uint64]) -> None:
        """Add the next values."""
        self._pieces.append(values)

    def at_least(self, least: int) -> NDArray[bool_]:
        """Whether so many pages link to each."""
        return np.diff(np.concatenate(self._pieces)) >= least


def leave_out(
    build_input: BuildInput,
    least: int,
    write_links: Callable[[BuildInput, ArraysByName, NDArray[bool_]], int],
) -> int:
    """Have a build leave out pages with fewer parents than `least`; how many there are."""
    pages = build_input.count_pages() if least else 0
    if not pages:
        return 0
    kept = np.zeros(pages, np.bool_)
    degrees = InDegrees()

    def array(name: str) -> AppendableArray:
        return degrees if name == "in.offsets" else Nowhere()

    write_links(build_input, array, kept)
    build_input.mark_read(kept)
    kept |= degrees.at_least(least)
    build_input.keep(kept)
    return pages - int(np.count_nonzero(kept))


def described_left_out(least: int, pages: int) -> dict[str, int]:
    """What a graph says of the pages that were left out, if any were to be."""
    return {"least_parents": least, "left_out": pages} if least else {}
