"""Stream the pages of an XML dump, and read its information about the wiki.

The parser is expat. Documents with a DOCTYPE are rejected, since real dumps have none. Damage costs
only one page: the parser restarts at the next `<page>`.

A dump can be read in parts by several processes. A part is a range of the file's bytes on disk. A
page belongs to the part in which its tag begins, and is read to its end. bzip2 files are cut at the
start of a stream (`multistream`, pbzip2).
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from whatsrelated.errors import ReadError
from whatsrelated.sources.mediawiki.titles import Namespace, SiteInfo

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

PART = 16 << 20
"""Size of a part on disk, in bytes."""
MAX_PAGE = 64 << 20
"""Maximum length of a page's text in characters; longer pages are not read."""
DEEPEST = 32

_ROOT = b"<mediawiki>"
_STREAM = re.compile(rb"BZh[1-9]1AY&SY")
_START = re.compile(rb"<page[\s>]")
_TEXTS = frozenset({"title", "ns", "text", "namespace", "dbname", "base", "model", "format"})
_ENDS = frozenset({"page", "mediawiki", *_TEXTS})


class DumpPage(NamedTuple):
    """One page; `redirect` is its target, None if it is not a redirect."""

    title: str
    namespace: int | None
    text: str
    redirect: str | None
    is_wikitext: bool = True


class DumpParser:
    """Parses pages from pieces of XML."""

    def __init__(self, refuse: Callable[[str, str], None]) -> None:
        self.pages: list[DumpPage] = []
        self.in_page = False
        self._refuse = refuse
        self._database = self._main_page = ""
        self._namespaces: list[Namespace] = []
        self.count = 0
        self._parts: list[str] = []
        self._fed = 0
        self.start()

    def start(self) -> None:
        """Begin a new document."""
        self._parser = expat.ParserCreate("utf-8")  # even if the document declares another
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 18
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._fed = 0
        self._depth = 0
        self._tag = ""
        self._values: dict[str, str] = {}
        self._redirect: str | None = None
        self.in_page = False

    @property
    def site(self) -> SiteInfo:
        """The dump's information about its wiki, as far as it has been read."""
        if not self._namespaces:
            return SiteInfo(self._database, self._main_page)
        return SiteInfo(self._database, self._main_page, tuple(self._namespaces))

    def feed(self, piece: bytes) -> None:
        """Parse the next piece; after damage, count it and continue at the next page."""
        at = 0
        view = memoryview(piece)  # avoids copying slices after damage
        while True:
            try:
                self._parser.Parse(view[at:], False)
                self._fed += len(piece) - at
                return
            except expat.ExpatError as error:
                wrong = max(0, self._parser.ErrorByteIndex - self._fed) + at
                self.refuse_page("damaged XML", f" ({expat.errors.messages[error.code]})")
            match = _START.search(piece, max(wrong, at + 1))
            self.restart()
            if match is None:
                return
            at = match.start()

    def skip_to_page(self, piece: bytes) -> bytes:
        """The rest of a piece, from its first page on; empty if it has none."""
        match = _START.search(piece)
        if match is None:
            return b""
        self.restart()
        return piece[match.start() :]

    def restart(self) -> None:
        """Start at a page in the middle of a dump."""
        self.start()
        self._parser.Parse(_ROOT, False)
        self._fed = len(_ROOT)

    def refuse_page(self, reason: str, why: str = "") -> None:
        """Count the current page as unreadable."""
        self._refuse(reason, self._values.get("title", "") + why)

    def take(self) -> list[DumpPage]:
        """The pages completed since the last call."""
        pages, self.pages = self.pages, []
        self.count += len(pages)
        return pages

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ReadError(f"has elements nested more than {DEEPEST} deep.")
        if tag in _TEXTS:
            self._tag = tag
            self._attributes = attributes
            self._parts = []
            self._size = 0
            self._parser.CharacterDataHandler = self._add_text
        elif tag == "page":
            if self.in_page:
                self.refuse_page("damaged XML", " (it has no end)")
            self.in_page = True
            self._values = {}
            self._redirect = None
        elif tag == "redirect":
            self._redirect = attributes.get("title", "")

    def _add_text(self, text: str) -> None:
        self._size += len(text)
        if self._size <= MAX_PAGE:
            self._parts.append(text)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if tag not in _ENDS:
            return
        if tag == "page":
            self._add_page()
        elif tag == self._tag:
            self._parser.CharacterDataHandler = None
            self._tag = ""
            value = "".join(self._parts) if self._size <= MAX_PAGE else ""
            if self._size > MAX_PAGE:
                self.refuse_page("text too long")
            if tag == "namespace":
                self._add_namespace(value)
            elif tag == "dbname":
                self._database = value.strip()
            elif tag == "base":
                self._main_page = value.strip()
            elif self.in_page:
                self._values[tag] = value

    def _add_namespace(self, name: str) -> None:
        key = self._attributes.get("key", "")
        if re.fullmatch(r"-?[0-9]{1,9}", key):
            first_letter = self._attributes.get("case") != "case-sensitive"
            self._namespaces.append(Namespace(int(key), name.strip(), first_letter))

    def _add_page(self) -> None:
        values, self.in_page = self._values, False
        number = values.get("ns", "").strip()
        if not values.get("title", "").strip():
            self._refuse("a page without a title", "")
            return
        self.pages.append(
            DumpPage(
                values["title"].strip(),
                int(number) if re.fullmatch(r"-?[0-9]{1,9}", number) else None,
                values.get("text", ""),
                self._redirect,
                values.get("model", "wikitext").strip() in ("", "wikitext"),
            )
        )

    def _refuse_doctype(self, *declared: object) -> None:
        raise ReadError(
            f"declares the document type {declared[0]!r:.40}, which is not allowed; remove the "
            "DOCTYPE."
        )


def read_part(
    file: File, first: int, last: int, refuse: Callable[[str, str], None]
) -> Iterator[DumpPage]:
    """The pages that begin between two offsets of a file; a `last` of 0 means its end."""
    parser = DumpParser(refuse)
    begun = first == 0
    end = b""
    try:
        for piece in file.part(first, last) if last else file.pieces():
            end = (end + piece[-8:])[-8:]
            if not begun:
                piece = parser.skip_to_page(piece)
                begun = bool(piece)
            if begun:
                parser.feed(piece)
                yield from parser.take()
        yield from _finish(parser, file, last, end)
    except ReadError as error:
        yield from parser.take()
        if parser.count:
            refuse("the rest of a damaged file", str(error))
            return
        named = file.label in str(error)
        raise ReadError(str(error) if named else f"{file.label} {error}") from error


def _finish(parser: DumpParser, file: File, last: int, end: bytes) -> Iterator[DumpPage]:
    """Complete the page that continues after a part; `end` holds the part's last bytes."""
    if not last:
        if parser.in_page:
            parser.refuse_page("cut short")
        return
    begun = end[end.rfind(b"<") :] if b"<" in end else b""
    if not parser.in_page and not (begun and b"<page>".startswith(begun)):
        return
    size = 0
    for piece in file.part(last, file.path.stat().st_size):
        if not size and not parser.in_page:
            piece = begun + piece
            if not _START.match(piece):
                return
            parser.restart()
        stop = piece.find(b"</page>")
        parser.feed(piece[: stop + 7] if stop >= 0 else piece)
        yield from parser.take()
        size += len(piece)
        if stop >= 0 or size > MAX_PAGE:
            return


def site_of(file: File) -> SiteInfo:
    """A dump's information about its wiki, from its first bytes."""
    parser = DumpParser(lambda reason, where: None)
    parser.feed(file.sample.partition(b"<page>")[0])
    return parser.site


def parts_of(file: File, size: int = PART) -> list[tuple[int, int]]:
    """The parts of a file; a single part from 0 to 0 if it cannot be cut."""
    whole = [(0, 0)]
    if file.is_stream or file.path.stat().st_size < 2 * size:
        return whole
    file.sample  # noqa: B018 -- sets `packing`
    length = file.path.stat().st_size
    if not file.packing:
        cuts = list(range(0, length, size))
    elif file.packing == "bzip2":
        with (
            file.path.open("rb") as raw,
            mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            cuts = [0]
            while (match := _STREAM.search(data, cuts[-1] + size)) is not None:
                cuts.append(match.start())
    else:
        return whole
    return list(pairwise([*cuts, length])) if len(cuts) > 1 else whole
