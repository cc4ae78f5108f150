"""A source file as text, which can be written back byte for byte."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.I
)
_ASCII = bytes(range(128)).decode()


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, and how to turn it back into the same bytes."""

    text: str
    codec: str
    errors: str = "strict"

    def encode(self, text: str) -> bytes:
        """Bytes in the file's encoding; raises UnicodeError if it lacks a character."""
        return text.encode(self.codec, self.errors)


def decode(data: bytes, html: bool = False) -> Decoded:
    """Decode a file by its UTF-16 byte-order mark, as UTF-8, or by the encoding that HTML declares.

    Bytes that are not text in that encoding are kept as they are.
    """
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            decoded = _decode(data, codec)
            if decoded is not None:
                return decoded
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    declared = _CHARSET.search(data[:4096]) if html else None
    if declared is not None:
        decoded = _decode(data, declared[1].decode("ascii", "replace"))
        if decoded is not None:
            return decoded
    return Decoded(data.decode("utf-8", "surrogateescape"), "utf-8", "surrogateescape")


def _decode(data: bytes, codec: str) -> Decoded | None:
    """The text in this encoding; None if the encoding is unknown or does not reproduce the same
    bytes.
    """
    try:
        if _ASCII.encode(codec) != _ASCII.encode() and not codec.startswith("utf-16"):
            return None
        text = data.decode(codec)
        return Decoded(text, codec) if text.encode(codec) == data else None
    except (LookupError, UnicodeError, TypeError):
        return None
