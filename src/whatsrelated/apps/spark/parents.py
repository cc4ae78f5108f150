"""Find pages with too few parents before pages are numbered; see `graph.least_parents`.

A run knows some of a page's parents. For each page, it sends up to N of them to a range, as 64-bit
digests of their keys. For a page that was read or has links, it sends the numbers 1 … N instead. A
range collects the digests of all runs and leaves out pages with fewer than N distinct digests. Two
parents of a page have the same digest about once in 10^16 pages.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import bool_, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.stream import Names


def known_parents(
    keys: Names,
    sources: NDArray[uint32],
    targets: NDArray[uint32],
    read: NDArray[uint32],
    min_parents: int,
) -> NDArray[uint64]:
    """One row per key: digests of up to N parents, then zeros; 1 … N if the page is always kept."""
    count = len(keys)
    starts, parents = kernels.link_sorting.group(targets, sources, 0, count, True)
    digests = np.zeros(count, np.uint64)
    for place in np.unique(parents).tolist():
        digests[place] = int.from_bytes(hashlib.blake2b(keys[place], digest_size=8).digest())
    rows = np.zeros((count, min_parents), np.uint64)
    degrees = np.diff(starts).astype(np.int64)
    for number in range(min_parents):
        has = np.flatnonzero(degrees > number)
        rows[has, number] = digests[parents[starts[has].astype(np.int64) + number]]
    always_kept = np.concatenate([sources[sources != targets], read])
    rows[always_kept] = np.arange(1, min_parents + 1, dtype=np.uint64)
    return rows


def enough_parents(
    places: NDArray[uint32], runs: list[NDArray[uint64]], min_parents: int, pages: int
) -> NDArray[bool_]:
    """Whether each page has enough parents in all runs together, or is always kept."""
    if not runs:
        return np.zeros(pages, np.bool_)
    digests = np.concatenate(runs)
    owners = np.repeat(places, min_parents)
    real = digests != 0
    digests, owners = digests[real], owners[real]
    order = np.lexsort((digests, owners))
    digests, owners = digests[order], owners[order]
    new = np.ones(len(owners), np.bool_)
    new[1:] = (digests[1:] != digests[:-1]) | (owners[1:] != owners[:-1])
    return np.bincount(owners[new], minlength=pages) >= min_parents
