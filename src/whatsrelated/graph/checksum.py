"""A checksum that runs at memory speed, so damage is detected whenever a graph is opened.

The bytes form 64-bit words w, the last padded with zeros. The checksum is Σ w_p · (2·K·p + 1) mod
2⁶⁴ over their positions p. Every weight is odd, so any change to a single word is detected.
Weights differ by position, so swapped words are detected too.

It does not protect against deliberate changes. For these, opening a graph also checks its
structure, and `related check` compares cryptographic digests.
"""

from __future__ import annotations

from typing import Any

from whatsrelated import kernels

PIECE = 1 << 20
"""Number of bytes summed at a time; they fit in the processor's cache."""
K = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1


class Checksum:
    """A checksum of bytes that come in pieces, with the interface of hashlib."""

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
        """The checksum of all bytes so far."""
        last = int.from_bytes(self._rest, "little")
        return f"{(self._sum + last * _weight(self._words)) & WORD:016x}"

    def _add(self, piece: memoryview) -> None:
        if self._rest:
            missing = 8 - len(self._rest)
            self._rest += piece[:missing]
            piece = piece[missing:]
            if len(self._rest) < 8:
                return
            self._sum += int.from_bytes(self._rest, "little") * _weight(self._words)
            self._words += 1
        total, weighted = kernels.checksums.sums(piece)
        self._sum = (self._sum + total * _weight(self._words) + 2 * K * weighted) & WORD
        self._words += len(piece) // 8
        self._rest = bytes(piece[len(piece) // 8 * 8 :])


def _weight(place: int) -> int:
    return 2 * K * place + 1
