"""Check that every link of a graph is stored in both directions.

Each link is hashed to 64 bits in two ways, and the hashes are summed over the links of each
direction. If both directions have the same links, the sums are equal; otherwise they almost
certainly differ. This takes one pass over each direction, in bounded memory. Only if the sums
differ are links sorted, one range of targets at a time, to find the first difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.rows import LinkArray
    from whatsrelated.graph.store import Store

LINKS_PER_PIECE = 1 << 20
"""Number of links read at a time."""
TARGETS = 1 << 22
"""Number of targets whose links are sorted together to find a difference."""
FACTORS = ((0xBF58476D1CE4E5B9, 0x94D049BB133111EB), (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53))
"""The odd factors of splitmix64 and of MurmurHash3's finaliser."""
HALF = np.uint64(32)


def first_one_way_link(store: Store) -> tuple[int, int] | None:
    """The first link, by target, that is stored in only one direction, or None."""
    out = (sources << HALF | targets for sources, targets in _pieces(*_out(store)))
    into = (sources << HALF | targets for targets, sources in _pieces(*_in(store)))
    return None if _sums(out) == _sums(into) else _first_difference(store)


def _out(store: Store) -> tuple[NDArray[uint64], LinkArray]:
    return store.out_offsets, store.out_links


def _in(store: Store) -> tuple[NDArray[uint64], LinkArray]:
    return store.in_offsets, store.in_links


def _pieces(
    offsets: NDArray[uint64], links: LinkArray, first: int = 0, last: int | None = None
) -> Iterator[tuple[NDArray[uint64], NDArray[uint64]]]:
    """The links of the pages first … last - 1, in pieces: their pages and their other ends."""
    last = len(offsets) - 1 if last is None else last
    while first < last:
        bound = offsets[first] + np.uint64(LINKS_PER_PIECE)
        end = min(max(int(np.searchsorted(offsets, bound, "right")) - 1, first + 1), last)
        bounds = offsets[first : end + 1].astype(np.int64)
        pages = np.repeat(np.arange(first, end, dtype=np.uint64), bounds[1:] - bounds[:-1])
        yield pages, links[int(bounds[0]) : int(bounds[-1])].astype(np.uint64)
        first = end


def _sums(pieces: Iterator[NDArray[uint64]]) -> list[int]:
    """Two sums over links that do not depend on their order."""
    totals = [0, 0]
    for pairs in pieces:
        for which, factors in enumerate(FACTORS):
            mixed = pairs ^ (pairs >> np.uint64(30 + which))
            for factor in factors:
                mixed *= np.uint64(factor)
                mixed ^= mixed >> np.uint64(29)
            totals[which] = (totals[which] + int(mixed.sum(dtype=np.uint64))) % 2**64
    return totals


def _first_difference(store: Store) -> tuple[int, int]:
    for low in range(0, store.n_pages, TARGETS):
        high = min(low + TARGETS, store.n_pages)
        inward = [targets << HALF | sources for targets, sources in _pieces(*_in(store), low, high)]
        outward = []
        for sources, targets in _pieces(*_out(store)):
            chosen = (targets >= low) & (targets < high)
            outward.append(targets[chosen] << HALF | sources[chosen])
        odd = np.sort(_one_way(_joined(inward), _joined(outward)))
        if len(odd):
            return int(odd[0]) & 0xFFFFFFFF, int(odd[0]) >> 32
    raise AssertionError("the sums of equal links differ")


def _one_way(one: NDArray[uint64], other: NDArray[uint64]) -> NDArray[uint64]:
    """The values that occur more often in one array than in the other."""
    values, places = np.unique(np.concatenate([one, other]), return_inverse=True)
    counts = np.bincount(places[: len(one)], minlength=len(values))
    odd: NDArray[uint64] = values[counts != np.bincount(places[len(one) :], minlength=len(values))]
    return odd


def _joined(arrays: list[NDArray[uint64]]) -> NDArray[uint64]:
    return np.concatenate(arrays) if arrays else np.empty(0, np.uint64)
