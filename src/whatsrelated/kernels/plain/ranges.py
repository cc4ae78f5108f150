"""Links grouped a range of pages at a time, in memory that is given, in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.plain import sorting

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

HALF = np.uint64(32)


def count_blocks(counts: Any, values: Any, shift: int) -> None:
    """Add one to `counts` for each value, at `value >> shift`."""
    counts += np.bincount(np.asarray(values) >> shift, minlength=len(counts))


def scatter(
    keys: Any, values: Any, bucket_of: Any, shift: int, lows: Any, key_bytes: int, into: Any
) -> NDArray[int64]:
    """Pairs by bucket, stably, as bytes: the key after the bucket's lowest one, and the value.

    The bucket of a key is `bucket_of[key >> shift]`.  Returns where each bucket begins.
    """
    starts, keys, values = sorting.split(keys, values, bucket_of, shift, len(lows))
    keys = keys - np.repeat(np.asarray(lows, np.uint32), np.diff(starts))
    halves = [np.ascontiguousarray(half, "<u4").view(np.uint8) for half in (values, keys)]
    pairs = np.hstack([halves[0].reshape(-1, 4), halves[1].reshape(-1, 4)[:, :key_bytes]])
    into[: pairs.size] = pairs.ravel()
    return starts * (key_bytes + 4)


def gather(data: Any, key_bytes: int, into: Any) -> None:
    """The pairs of a bucket as words: the key above, the value below."""
    pairs = np.asarray(data).reshape(-1, key_bytes + 4)
    padded = np.zeros((len(pairs), 8), np.uint8)
    padded[:, : key_bytes + 4] = pairs
    into[: len(pairs)] = padded.view("<u8").ravel()


def distinct_rows(words: Any, low: int, spare: Any, offsets: Any, links: Any) -> int:
    """The distinct values of each key, without its own page `low + key`, as they came.

    `offsets` is as long as there are keys, and one more.  Returns how many links there are.
    """
    keys, values = _halves(words)
    offsets[:], found = sorting.group(keys + np.uint32(low), values, low, len(offsets) - 1, True)
    links[: len(found)] = found
    return len(found)


def ranked_rows(words: Any, ranks: Any, order: Any, spare: Any, offsets: Any, links: Any) -> None:
    """The values of each key, those of the lowest rank first; `order` has the value of a rank.

    The words are lost.
    """
    keys, ranked = sorting.by_rank(*_halves(words), ranks)
    offsets[:], found = sorting.group(keys, ranked, 0, len(offsets) - 1, False)
    links[: len(found)] = sorting.translate(order, found)


def _halves(words: Any) -> tuple[Any, Any]:
    words = np.asarray(words)
    return (words >> HALF).astype(np.uint32), words.astype(np.uint32)
