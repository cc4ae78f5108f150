"""Parse XML as a stream; documents that declare entities are rejected, to prevent attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol
from xml.parsers import expat

from whatsrelated.errors import ReadError

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

DEEPEST = 64
"""Maximum nesting of elements."""
LONGEST_TOKEN = 1 << 22
"""Maximum size of a tag or comment, in bytes."""


class Handler(Protocol):
    """The callbacks of `parse`; tags have no namespace."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""

    def end(self, tag: str) -> None:
        """Handle the end of an element."""

    def text(self, text: str) -> None:
        """Handle text between tags."""


def parse(file: File, handler: Handler) -> None:
    """Parse a document; raise ReadError if it is not XML, or is truncated, too deep or hostile."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ReadError(f"{file.label}: elements are nested more than {DEEPEST} levels deep.")
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
                f"{file.label} uses the encoding {encoding!r:.40}, which is not supported; convert "
                "it to UTF-8."
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
            # The parser rescans an incomplete token with every piece, so we limit its length.
            if size - parser.CurrentByteIndex > LONGEST_TOKEN:
                raise ReadError(
                    f"{file.label}:{parser.CurrentLineNumber}: a tag or comment is longer than "
                    f"{LONGEST_TOKEN:,} bytes."
                )
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ReadError(
            f"{file.label}:{error.lineno}: not XML, or cut short "
            f"({expat.errors.messages[error.code]})."
        ) from error


def _is_supported(encoding: str) -> bool:
    """Whether expat supports an encoding, either natively or as a single-byte encoding."""
    if encoding.upper() in ("UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE"):
        return True
    try:
        return len(bytes(range(256)).decode(encoding, "replace")) == 256
    except (LookupError, ValueError):
        return False
