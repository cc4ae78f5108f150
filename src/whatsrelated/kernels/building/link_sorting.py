"""Links grouped by page, in both directions, in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

    Grouped = tuple[NDArray[uint64], NDArray[uint32]]


def _offsets(keys: Any, pages: int) -> NDArray[uint64]:
    offsets = np.zeros(pages + 1, np.uint64)
    np.cumsum(np.bincount(keys, minlength=pages), out=offsets[1:], dtype=np.uint64)
    return offsets


def _lengths(offsets: Any) -> NDArray[int64]:
    bounds = np.asarray(offsets, np.int64)
    return bounds[1:] - bounds[:-1]


def group(keys: Any, values: Any, low: int, pages: int, distinct: bool) -> Grouped:
    """The values of each page from low to low + pages - 1, in their original order.

    `distinct` keeps the first of equal values and drops links from a page to itself.
    """
    keys, values = np.asarray(keys), np.asarray(values)
    if distinct:
        pairs = keys.astype(np.uint64) << np.uint64(32) | values
        kept = np.sort(np.unique(pairs, return_index=True)[1])
        kept = kept[keys[kept] != values[kept]]
        keys, values = keys[kept], values[kept]
    local = keys.astype(np.int64) - low
    return _offsets(local, pages), values[np.argsort(local, kind="stable")].astype(np.uint32)


def count_into(counts: Any, values: Any) -> None:
    """Add one to `counts` at each value."""
    counts += np.bincount(values, minlength=len(counts)).astype(np.uint32)


def descending(degrees: Any) -> NDArray[uint32]:
    """Pages by degree, highest first; ties are in page order."""
    return np.argsort(-np.asarray(degrees, np.int64), kind="stable").astype(np.uint32)


def reverse(offsets: Any, links: Any, order: Any, in_degrees: Any) -> Grouped:
    """The parents of each page, in the given order of pages."""
    pages = len(offsets) - 1
    sources = np.repeat(np.arange(pages), _lengths(offsets))
    ranks = np.empty(pages, np.int64)
    ranks[order] = np.arange(pages)
    placed = np.lexsort((ranks[sources], links))
    return _offsets(links, pages), sources[placed].astype(np.uint32)


def by_rank(keys: Any, values: Any, ranks: Any) -> tuple[NDArray[uint32], NDArray[uint32]]:
    """Pairs in a stable order by the rank of their value, for lists built one range at a time."""
    ranked = np.asarray(ranks)[values]
    placed = np.argsort(ranked, kind="stable")
    return np.asarray(keys)[placed], ranked[placed].astype(np.uint32)


def mark(flags: Any, values: Any) -> None:
    """Set the flag at each value."""
    flags[values] = 1


def translate(table: Any, values: Any) -> NDArray[uint32]:
    """table[value] for each value; IndexError if it is out of range."""
    translated: NDArray[uint32] = np.asarray(table)[values]
    return translated


def split(
    keys: Any, values: Any, bucket_of: Any, shift: int, buckets: int
) -> tuple[NDArray[int64], NDArray[uint32], NDArray[uint32]]:
    """Pairs in a stable order by bucket: the start of each bucket, then keys and values.

    The bucket of a key is `bucket_of[key >> shift]`.
    """
    keys, values = np.asarray(keys), np.asarray(values)
    chosen = np.asarray(bucket_of)[keys >> shift].astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(np.bincount(chosen, minlength=buckets))])
    placed = np.argsort(chosen, kind="stable")
    return starts.astype(np.int64), keys[placed], values[placed]
