"""Insert a list into the bytes of an HTML page without changing anything else.

1. Decode the bytes into a string in which every character corresponds to known bytes: UTF-16 if the
   page uses it, otherwise UTF-8, with invalid bytes kept one by one. Every other encoding on the
   Web has ASCII markup, except ISO-2022-JP, whose characters are masked first. Line breaks become
   spaces, so every position is a column.
2. Parse the text. The parser reports the positions of tags but not of comments, and a marker inside
   a script, an attribute or another comment does not count. Anything that looks like a marker is
   therefore replaced by a number of the same length, and those that the parser returns as comments
   are the markers.
3. Insert the list before a tag, that is, between two tokens. If a page ends in the middle of a
   token, nothing is inserted at its end.

The position is found in the page without lists, so it is the same each time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from whatsrelated.api.reading import utf16_codec
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from turbohtml import Document, Element

BEGIN, END = "<!-- related-pages:begin -->", "<!-- related-pages:end -->"
"""The comments before and after a list."""

PLACES = ("article", "main", "[role=main]", "div.body", "div.document")
"""By default, a list goes before the end tag of the first of these elements that a page has."""

NO_MARKUP = frozenset(
    {"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "noscript"}
    | {"xmp", "plaintext", "template"}
)
"""Elements whose contents are text, or not part of the page."""

_MARKER = re.compile(r"<!--\s*(related-pages)(:begin|:end)?\s*-->")
_NO_TEXT = re.compile("[\ud800-\udfff]|^\ufeff")
"""Characters that the parser rejects or drops: lone surrogates and a byte-order mark."""
_JAPANESE = re.compile(rb"\x1b\$(?:[@B]|\([D@B])[^\x1b]*")


class BadMarkers(ValueError):
    """The begin and end markers of a page do not match."""


@dataclass(frozen=True)
class _Text:
    """The text of a page, and the size in bytes of any prefix."""

    text: str
    codec: str
    errors: str

    @classmethod
    def of(cls, data: bytes) -> _Text:
        codec = utf16_codec(data)
        if codec:
            text = data[: len(data) & ~1].decode(codec, "surrogatepass")
            return cls(_flat(text), codec, "surrogatepass")
        if b"\x1b$" in data and b"iso-2022-jp" in data[:2048].lower():
            data = _JAPANESE.sub(lambda match: b"x" * len(match[0]), data)
        return cls(_flat(data.decode("utf-8", "surrogateescape")), "utf-8", "surrogateescape")

    def size(self, end: int) -> int:
        """The number of bytes of the first `end` characters."""
        return len(self.text[:end].encode(self.codec, self.errors))


def _flat(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


@dataclass(frozen=True, slots=True)
class _Marker:
    start: int
    end: int
    kind: str


class MarkedPage:
    """The bytes of a page without our lists, and the places where a list can go."""

    def __init__(self, data: bytes) -> None:
        """Remove the lists; raise BadMarkers if begin and end markers do not match."""
        self._text = _Text.of(data)
        self._parsed, self._markers = _parse(self._text.text)
        cuts = _blocks(self._markers)
        self.data = data
        """The page without lists."""
        for start, end in reversed(cuts):
            first, last = self._text.size(start), self._text.size(end)
            self.data = self.data[:first] + self.data[last:]
        if cuts:
            self._text = _Text.of(self.data)
            self._parsed, self._markers = _parse(self._text.text)

    @cached_property
    def base(self) -> str | None:
        """The base of the page's relative links, if the page declares one."""
        element = self._parsed.select_one("base[href]")
        return None if element is None else element.attr("href")

    def place(self, at: str | None = None) -> int | None:
        """The byte offset at which to insert a list; None if the page has no place for it.

        The list goes after a marker comment if there is one, otherwise before the end tag of
        the first element that `at` selects.  Without `at`, it goes before the end tag of the
        first of `PLACES` on the page, or of the body, but before the body's footer.
        """
        for marker in self._markers:
            if not marker.kind:
                return self._text.size(marker.end)
        if at is not None:
            return self._first_end(at)
        for selector in PLACES:
            if selector == "article" and len(self._parsed.select(selector)) > 1:
                continue  # if a page has several articles, as on a blog, they share the list
            place = self._first_end(selector)
            if place is not None:
                return place
        return self._end_of_body()

    def insert(self, block: str, at: str | None = None) -> bytes | None:
        """The page with a list, in ASCII, inserted; None if the page has no place for one."""
        place = self.place(at)
        if place is None:
            return None
        marked = f"{BEGIN}{block}{END}".encode(self._text.codec)
        return self.data[:place] + marked + self.data[place:]

    def _first_end(self, selector: str) -> int | None:
        """The offset of the first end tag among the selected elements that may hold markup."""
        for element in self._parsed.select(selector):
            location = element.source_location
            if location is not None and location.end_tag is not None and _holds_markup(element):
                return self._text.size(location.end_tag.start_offset)
        return None

    def _end_of_body(self) -> int | None:
        bodies = self._parsed.select("body")
        if not bodies:
            return None
        for footer in self._parsed.select("body > footer, body > [role=contentinfo]")[-1:]:
            if footer.source_location is not None:
                return self._text.size(footer.source_location.start_tag.start_offset)
        place = self._first_end("body")
        if place is not None:
            return place
        end = len(self._text.text)
        _, markers = _parse(self._text.text + BEGIN + END)
        at_end = [marker.start for marker in markers[-2:]] == [end, end + len(BEGIN)]
        return self._text.size(end) if at_end else None


def require_selector(at: str | None) -> None:
    """Raise OptionError if `at` is not a valid CSS selector."""
    import turbohtml

    if at is None:
        return
    try:
        turbohtml.parse("").select(at)
    except ValueError as error:
        raise OptionError(f"site: at must be a CSS selector, got {at!r:.80} ({error}).") from None


def _holds_markup(element: Element) -> bool:
    """Whether markup inserted into an element becomes part of the page."""
    above = (getattr(node, "tag", "") for node in element.ancestors)
    return element.namespace.value == "html" and NO_MARKUP.isdisjoint([element.tag, *above])


def _parse(text: str) -> tuple[Document, list[_Marker]]:
    """The parsed page, and its markers in order."""
    import turbohtml

    candidates = list(_MARKER.finditer(text))
    if candidates:
        salt = next(salt for number in count() if (salt := f"{number:06x}") not in text)
        pieces, end = [], 0
        for number, match in enumerate(candidates):
            pieces += [text[end : match.start(1)], f"{salt}{number:07d}"]
            end = match.end(1)
        text = "".join([*pieces, text[end:]])
    if not text.isascii():
        text = _NO_TEXT.sub(" ", text)
    document = turbohtml.parse(text, source_locations=True, allow_declarative_shadow_roots=False)
    if not candidates:
        return document, []
    numbered = re.compile(rf"\s*{salt}([0-9]{{7}})(?::begin|:end)?\s*")
    comments = document.xpath_iter("//comment()")
    matches = (numbered.fullmatch(getattr(comment, "data", "")) for comment in comments)
    real = sorted(int(match[1]) for match in matches if match)
    return document, [_Marker(*candidates[n].span(), candidates[n][2] or "") for n in real]


def _blocks(markers: list[_Marker]) -> list[tuple[int, int]]:
    """The start and end of each list."""
    marks = [marker for marker in markers if marker.kind]
    kinds = [marker.kind for marker in marks]
    if kinds != [":begin", ":end"] * (len(kinds) // 2):
        raise BadMarkers
    return [(marks[n].start, marks[n + 1].end) for n in range(0, len(marks), 2)]
