"""XML as it streams, without what serves attacks: a document that declares entities is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol
from xml.parsers import expat

from whatsrelated.errors import ReadError

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

DEEPEST = 64
"""How deep elements may be nested."""
LONGEST_TOKEN = 1 << 22
"""Bytes of a tag or a comment."""


class Handler(Protocol):
    """What is called as a document goes by; tags come without their namespaces."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Text between tags."""


def parse(file: File, handler: Handler) -> None:
    """Read a whole document; ReadError where it is no XML, cut short, too deep or crafted."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ReadError(f"{file.label}: elements are nested more than {DEEPEST} deep.")
        handler.start(tag.rpartition(" ")[2], attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(tag.rpartition(" ")[2])

    def refuse_entity(*declared: Any) -> None:
        raise ReadError(
            f"{file.label} declares the entity {declared[0]!r:.40}, which is not allowed; "
            f"remove its DOCTYPE."
        )

    def require_encoding(version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and not _is_supported(encoding):
            raise ReadError(
                f"{file.label} is in the encoding {encoding!r:.40}, which is not supported; "
                f"convert it to UTF-8."
            )

    parser.XmlDeclHandler = require_encoding
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.EntityDeclHandler = refuse_entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    size = 0
    try:
        for piece in file.pieces():
            parser.Parse(piece, False)
            size += len(piece)
            # The parser begins a token anew with every piece, so that none may be long.
            if size - parser.CurrentByteIndex > LONGEST_TOKEN:
                raise ReadError(
                    f"{file.label}:{parser.CurrentLineNumber}: a tag or comment of more than "
                    f"{LONGEST_TOKEN:,} bytes."
                )
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ReadError(
            f"{file.label}:{error.lineno}: not XML, or cut short "
            f"({expat.errors.messages[error.code]})."
        ) from error


def _is_supported(encoding: str) -> bool:
    """Whether expat knows an encoding, or can learn it because each byte is a character."""
    if encoding.upper() in ("UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE"):
        return True
    try:
        return len(bytes(range(256)).decode(encoding, "replace")) == 256
    except (LookupError, ValueError):
        return False
