"""Answers for many pages as Arrow record batches: one row per result.

| column | type | |
|---|---|---|
| `url` | dictionary of strings | the query page |
| `position` | int32 | the position of the result, from 1 |
| `related_url` | dictionary of strings | the result |
| `score` | float64 | as `related to` gives it |
| `answered_for` | dictionary of strings | the page above, if that was queried instead; otherwise
null |
| `reason` | string | the reason, if requested |

Each batch has its own dictionaries of pages, in ascending order, so a URL occurs only once in a
batch. A page without results has no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.machine.packages import load

if TYPE_CHECKING:
    from numpy import bool_, int32, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.blocks import AnswerBlock
    from whatsrelated.graph.store import Store


MAX_SPREAD = 8
"""Maximum span of page numbers per page for which marking is faster than sorting."""
MAX_TEXT = 2**31 - 1
"""Maximum total size of the strings in an Arrow array, in bytes."""


def arrow(submodule: str = "") -> Any:
    """The package pyarrow, or one of its modules."""
    return load(f"pyarrow{submodule}", "Arrow", "parquet")


def schema(why: bool = False) -> Any:
    """The pyarrow.Schema of the batches."""
    pa = arrow()
    text = pa.dictionary(pa.int32(), pa.string())
    columns = [
        ("url", text),
        ("position", pa.int32()),
        ("related_url", text),
        ("score", pa.float64()),
        ("answered_for", text),
    ]
    return pa.schema([*columns, *([("reason", pa.string())] if why else [])])


def record_batch(store: Store, block: AnswerBlock) -> Any:
    """The pyarrow.RecordBatch of some answers."""
    pa = arrow()
    counts = block.counts
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    chopped = (block.answered_for != block.asked)[owners]
    columns = [
        pa.DictionaryArray.from_arrays(owners, _names(store, block.asked)),
        pa.array(positions(block)),
        _dictionary(store, block.pages),
        pa.array(block.scores),
        _dictionary(store, block.answered_for[owners], ~chopped),
    ]
    if block.reasons is not None:
        columns.append(pa.array(block.reasons, pa.string()))
    return pa.record_batch(columns, schema(block.reasons is not None))


def positions(block: AnswerBlock) -> NDArray[np.int32]:
    """The position of every result in its list, from 1."""
    counts = block.counts
    before = np.repeat(block.ends - counts, counts)
    return (np.arange(1, len(before) + 1) - before).astype(np.int32)


def _dictionary(store: Store, pages: NDArray[uint32], absent: NDArray[bool_] | None = None) -> Any:
    """Page names as a dictionary array; absent pages are null."""
    pa = arrow()
    present = pages if absent is None else pages[~absent]
    distinct, places = _number(present)
    indices = places.astype(np.int32)
    if absent is not None:
        spread = np.zeros(len(pages), np.int32)
        spread[~absent] = indices
        indices = pa.array(spread, mask=absent)
    return pa.DictionaryArray.from_arrays(indices, _names(store, distinct))


def _number(pages: NDArray[uint32]) -> tuple[NDArray[uint32], NDArray[int32 | int64]]:
    """The distinct pages, ascending, and the position of each entry of `pages` among them.

    If their numbers are close together, marking them in an array is faster than sorting.
    """
    first = int(pages.min(initial=0xFFFFFFFF))
    span = int(pages.max(initial=0)) - first + 1
    if not 0 < span < MAX_SPREAD * len(pages):
        return np.unique(pages, return_inverse=True)
    present = np.zeros(span, np.bool_)
    present[pages - first] = True
    distinct = np.flatnonzero(present)
    places = np.empty(span, np.int32)
    places[distinct] = np.arange(len(distinct), dtype=np.int32)
    return (distinct + first).astype(np.uint32), places[pages - first]


def _names(store: Store, pages: NDArray[uint32]) -> Any:
    """Page names as a string array, without a Python string for each."""
    pa = arrow()
    text, ends = store.names.spell(np.ascontiguousarray(pages))
    if ends[-1] > MAX_TEXT:
        raise GraphFormatError(
            f"The names of {len(pages):,} pages have {int(ends[-1]):,} bytes, more than an Arrow "
            "array can hold; ask for fewer results (limit)."
        )
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(text)]
    names = pa.Array.from_buffers(pa.string(), len(pages), buffers)
    try:
        names.validate(full=True)
    except pa.ArrowInvalid:
        raise GraphFormatError(
            "The strings of the graph are damaged; build the graph again."
        ) from None
    return names
