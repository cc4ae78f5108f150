"""One packed member of a file, with the interface of bz2 and lzma over other libraries."""

from __future__ import annotations

import zlib
from typing import Any


class PackedMember:
    """Unpacks one member, piece by piece."""

    errors: tuple[type[Exception], ...] = ()
    """What is raised if the data is damaged."""
    needs_input = True
    """Whether it has unpacked all that it was given."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def decompress(self, data: bytes | memoryview, size: int) -> bytes:
        """What the next bytes unpack to, as a rule at most `size`; the rest when called again."""
        raise NotImplementedError

    @property
    def eof(self) -> bool:
        return bool(self._stream.eof)

    @property
    def unused_data(self) -> bytes:
        """The bytes given that do not belong to the member."""
        return bytes(self._stream.unused_data)


class GzipMember(PackedMember):
    """A member of gzip."""

    errors = (zlib.error,)

    def __init__(self) -> None:
        super().__init__(zlib.decompressobj(31))

    def decompress(self, data: bytes | memoryview, size: int) -> bytes:
        waiting = self._stream.unconsumed_tail
        piece: bytes = self._stream.decompress(waiting + data if waiting else data, size)
        # After the end zlib keeps what follows as its tail, and would count it twice.
        self.needs_input = self.eof or (len(piece) < size and not self._stream.unconsumed_tail)
        return piece


class ZstandardFrame(PackedMember):
    """A frame of Zstandard; its library cannot bound what it unpacks, so feed it little."""

    def __init__(self, decompressor: Any) -> None:
        from zstandard import ZstdError

        super().__init__(decompressor.decompressobj())
        self.errors = (ZstdError,)

    def decompress(self, data: bytes | memoryview, size: int) -> bytes:
        return bytes(self._stream.decompress(data)) if data else b""
