"""Unpack one compressed member of a file, with the interface of bz2 and lzma."""

from __future__ import annotations

import zlib
from typing import Any


class PackedMember:
    """Unpacks one member, piece by piece."""

    errors: tuple[type[Exception], ...] = ()
    """The errors raised for damaged data."""
    needs_input = True
    """Whether all input so far has been unpacked."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def decompress(self, data: bytes | memoryview, size: int) -> bytes:
        """Unpack the next bytes, usually at most `size`; call again for the rest."""
        raise NotImplementedError

    @property
    def eof(self) -> bool:
        return bool(self._stream.eof)

    @property
    def unused_data(self) -> bytes:
        """The input bytes after the end of the member."""
        return bytes(self._stream.unused_data)


class GzipMember(PackedMember):
    """A gzip member."""

    errors = (zlib.error,)

    def __init__(self) -> None:
        super().__init__(zlib.decompressobj(31))

    def decompress(self, data: bytes | memoryview, size: int) -> bytes:
        waiting = self._stream.unconsumed_tail
        piece: bytes = self._stream.decompress(waiting + data if waiting else data, size)
        # After the end, zlib also reports the following bytes as its tail; do not count them twice.
        self.needs_input = self.eof or (len(piece) < size and not self._stream.unconsumed_tail)
        return piece


class ZstandardFrame(PackedMember):
    """Unpacks a Zstandard frame. The library cannot limit its output, so feed it a little at a
    time.
    """

    def __init__(self, decompressor: Any) -> None:
        from zstandard import ZstdError

        super().__init__(decompressor.decompressobj())
        self.errors = (ZstdError,)

    def decompress(self, data: bytes | memoryview, size: int) -> bytes:
        return bytes(self._stream.decompress(data)) if data else b""
