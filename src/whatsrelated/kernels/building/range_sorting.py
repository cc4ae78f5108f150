"""Group links one range of pages at a time, in NumPy."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.building import link_sorting as sorting

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

HALF = np.uint64(32)
FAR = 255
"""A value is written in full if it exceeds the one before it by this much, or is lower."""


def count_blocks(counts: Any, values: Any, shift: int) -> None:
    """Add one to `counts` for each value, at `value >> shift`."""
    counts += np.bincount(np.asarray(values) >> shift, minlength=len(counts))


def scatter(
    keys: Any,
    values: Any,
    bucket_of: Any,
    shift: int,
    lows: Any,
    key_bytes: int,
    before: Any,
    counts: Any,
    into: Any,
) -> NDArray[int64]:
    """Pairs in a stable order by bucket, as bytes: the key minus the bucket's lowest key, and the
    value.

    The bucket of a key is `bucket_of[key >> shift]`; `before` holds each bucket's last value and
    `counts` its number of pairs; both are updated. Returns the start of each bucket.
    """
    bounds, keys, values = sorting.split(keys, values, bucket_of, shift, len(lows))
    starts = np.zeros(len(lows) + 1, np.int64)
    written = 0
    for bucket, (first, last) in enumerate(pairwise(bounds.tolist())):
        for key, value in zip(keys[first:last].tolist(), values[first:last].tolist(), strict=True):
            step = (value - int(before[bucket])) % 2**32
            pair = (key - int(lows[bucket])).to_bytes(4, "little")[:key_bytes]
            pair += bytes([step]) if step < FAR else bytes([FAR]) + value.to_bytes(4, "little")
            into[written : written + len(pair)] = list(pair)
            written += len(pair)
            before[bucket] = value
        counts[bucket] += last - first
        starts[bucket + 1] = written
    return starts


def gather(data: Any, key_bytes: int, into: Any) -> None:
    """Decode as many pairs of a bucket as `into` holds, as words: key << 32 | value."""
    pairs = io.BytesIO(bytes(data))
    value = 0
    for place in range(len(into)):
        key, step = pairs.read(key_bytes), pairs.read(1)
        far = pairs.read(4) if step == bytes([FAR]) else b""
        if not step or len(far) not in (0, 4) or (step[0] == FAR and not far):
            raise ValueError("too few pairs")
        value = int.from_bytes(far, "little") if far else (value + step[0]) % 2**32
        into[place] = int.from_bytes(key, "little") << 32 | value


def distinct_rows(words: Any, low: int, spare: Any, offsets: Any, links: Any) -> int:
    """The distinct values of each key, in order, without the page `low + key` itself.

    `offsets` has one entry per key, plus one.  Returns the number of links.
    """
    keys, values = _halves(words)
    offsets[:], grouped = sorting.group(keys + np.uint32(low), values, low, len(offsets) - 1, True)
    links[: len(grouped)] = grouped
    return len(grouped)


def ranked_rows(words: Any, ranks: Any, order: Any, spare: Any, offsets: Any, links: Any) -> None:
    """The values of each key, lowest rank first; `order` has the value of each rank.

    Overwrites `words`.
    """
    keys, ranked = sorting.by_rank(*_halves(words), ranks)
    offsets[:], grouped = sorting.group(keys, ranked, 0, len(offsets) - 1, False)
    links[: len(grouped)] = sorting.translate(order, grouped)


def _halves(words: Any) -> tuple[Any, Any]:
    words = np.asarray(words)
    return (words >> HALF).astype(np.uint32), words.astype(np.uint32)
