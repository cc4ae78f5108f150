"""Renumber the rows of a graph and merge other links into them, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

NONE = 0xFFFFFFFF
MIXED = 0x80000000
BLOCK = 32


def blocks(numbers: Any, dropped: Any) -> NDArray[uint64]:
    """One word per 32 pages of the old numbering, for `merge_rows`.

    The high half is the new number minus the old one, mod 2³², or 2³¹ if that varies within the
    block. The low half has a bit for each dropped page.
    """
    if len(dropped) != len(numbers):
        raise ValueError("expected a flag for each page")
    words = []
    for low in range(0, len(numbers), BLOCK):
        block = enumerate(numbers[low : low + BLOCK].tolist(), low)
        shifts = {(number - page) % 2**32 for page, number in block}
        bits = sum(1 << place for place, flag in enumerate(dropped[low : low + BLOCK]) if flag)
        words.append((shifts.pop() if len(shifts) == 1 else MIXED) << 32 | bits)
    return np.array(words, np.uint64)


def number(stays: Any, before: Any) -> tuple[NDArray[uint32], NDArray[uint32], int]:
    """Number the remaining pages and the new ones.

    `before` holds the old page that each new one precedes, in ascending order. Returns the new
    numbers of the old pages (a removed page gets the next page's number), the numbers of the new
    pages, and the total.
    """
    remaining = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])
    came = np.searchsorted(before, np.arange(len(stays)), "right")
    new = remaining[before] + np.arange(len(before))
    total = int(remaining[-1]) + len(before)
    return (remaining[:-1] + came).astype(np.uint32), new.astype(np.uint32), total


def degrees(offsets: Any) -> NDArray[uint32]:
    """The number of links per page, from the offsets."""
    return np.asarray(np.diff(offsets), np.uint32)


def offsets(degrees: Any) -> NDArray[uint64]:
    """The start of each page's links and the end of the last page's, from the degrees."""
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(degrees, dtype=np.uint64)])


def spread(values: Any, numbers: Any, kept: Any, into: Any) -> None:
    """Write the value of each remaining page to its new position."""
    if not len(values) == len(kept) == len(numbers):
        raise ValueError("expected a value and a flag for each page")
    for value, number, stays in zip(values.tolist(), numbers.tolist(), kept.tolist(), strict=True):
        if stays and number < len(into):
            into[number] = value


def merge_rows(
    offsets: Any,
    links: Any,
    origins: Any,
    numbers: Any,
    blocks: Any,
    added_offsets: Any,
    added: Any,
    degrees: Any,
    low: int,
    high: int,
    into: Any,
) -> int:
    """Write the rows of the pages low … high - 1; return the number of links.

    `origins` gives a page's old number (2³²-1 if it is new). The new row has the links of the old
    row, except those that `blocks` drops. They are renumbered by `numbers` and merged with the
    page's `added` links. Each row is sorted by descending `degrees`, then by page.
    """
    written = 0
    for page in range(low, high):
        row = added[int(added_offsets[page]) : int(added_offsets[page + 1])].tolist()
        origin = int(origins[page])
        if origin != NONE:
            old = links[int(offsets[origin]) : int(offsets[origin + 1])]
            dropped = blocks[old // BLOCK] >> (old % BLOCK).astype(np.uint64) & np.uint64(1)
            kept = numbers[old[dropped == 0]].tolist()
            # Without added links, the row keeps its order.
            row = sorted(kept + row, key=lambda p: (-int(degrees[p]), p)) if row else kept
        if written + len(row) > len(into):
            raise GraphFormatError("The links of the graph contradict one another; build it again.")
        into[written : written + len(row)] = row
        written += len(row)
    return written
