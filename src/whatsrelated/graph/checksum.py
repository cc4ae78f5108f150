"""A checksum as fast as memory, to notice damage whenever a graph is opened.

The bytes are words w of 64 bits, the last filled up with zeros, and the sum is
Σ w_p · (2·K·p + 1) mod 2⁶⁴ over their places p: every weight is odd, so that no
change of a single word goes unnoticed, and differs with the place, so that words
that changed places are noticed too.  A piece is laid out as a matrix, whose sums
of rows and of columns have all that is needed: NumPy adds five times as fast
as it multiplies.

It is no protection against who means harm: the structure is checked besides,
and `related check` compares cryptographic digests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.typing import NDArray

PIECE = 1 << 20
"""Bytes that are added up at a time: what a processor's cache holds."""
COLUMNS = 512
K = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1
_PLACES = np.arange(PIECE // 8 + 1, dtype=np.uint64)


class Checksum:
    """A checksum of bytes that come in pieces, used as those of hashlib are."""

    def __init__(self) -> None:
        self._sum = 0
        self._words = 0
        self._rest = b""

    def update(self, data: Any) -> None:
        """Add the next bytes."""
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        for start in range(0, len(view), PIECE):
            self._add(view[start : start + PIECE])

    def hexdigest(self) -> str:
        """The checksum of all that was added."""
        last = int.from_bytes(self._rest, "little")
        return f"{(self._sum + last * _weight(self._words)) & WORD:016x}"

    def _add(self, piece: memoryview) -> None:
        data = self._rest + bytes(piece) if self._rest else piece
        count = len(data) // 8
        words = np.frombuffer(data, "<u8", count)
        total, weighted = _sums(words)
        self._sum = (self._sum + total * _weight(self._words) + 2 * K * weighted) & WORD
        self._words += count
        self._rest = bytes(data[8 * count :])


def _weight(place: int) -> int:
    return 2 * K * place + 1


def _sums(words: NDArray[uint64]) -> tuple[int, int]:
    """The sum of the words, and the sum of each times its place."""
    whole = len(words) - len(words) % COLUMNS
    matrix, tail = words[:whole].reshape(-1, COLUMNS), words[whole:]
    rows, columns = np.add.reduce(matrix, axis=1), np.add.reduce(matrix, axis=0)
    total = int(np.add.reduce(rows)) + int(np.add.reduce(tail))
    weighted = (
        int(np.dot(rows, _PLACES[: len(rows)])) * COLUMNS
        + int(np.dot(columns, _PLACES[:COLUMNS]))
        + int(np.dot(tail, _PLACES[whole : len(words)]))
    )
    return total, weighted
