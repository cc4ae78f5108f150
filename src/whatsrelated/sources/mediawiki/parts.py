"""Workers read the parts of a dump into temporary files.

Redirects, the links of templates and all counts are returned to the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from whatsrelated.errors import ReadError
from whatsrelated.sources.files import File
from whatsrelated.sources.mediawiki.dump import DumpPage, read_part, site_of
from whatsrelated.sources.mediawiki.links import TRANSCLUDED, WikiTextReader
from whatsrelated.sources.mediawiki.redirects import pack_lines
from whatsrelated.sources.mediawiki.titles import TEMPLATES, SiteInfo, Titles, wanted_namespaces
from whatsrelated.sources.reader import ReadContext, ReadOptions

if TYPE_CHECKING:
    from whatsrelated.sources.mediawiki.reader import MediaWikiReader


class WikiRecord(msgspec.Struct, array_like=True, omit_defaults=True):
    """A page in a temporary file; its links are titles."""

    title: str
    links: list[str]
    anchors: list[str] = []
    disambiguation: bool = False
    text: str = ""


class DumpPart(msgspec.Struct, array_like=True):
    """A part of a dump: the file of its pages, redirects, counts."""

    spool: str
    sources: bytes
    targets: bytes
    templates: dict[str, list[str]]
    counts: dict[str, int]
    refused: dict[str, tuple[int, list[str]]]


encode_part = msgspec.msgpack.Encoder().encode
decode_part = msgspec.msgpack.Decoder(DumpPart).decode
_encode_record = msgspec.msgpack.Encoder().encode
_decode_record = msgspec.msgpack.Decoder(WikiRecord).decode


@dataclass(frozen=True)
class ReadPart:
    """A worker's task: read the pages of a part into a temporary file."""

    reader: MediaWikiReader
    folder: str
    options: ReadOptions = field(default_factory=ReadOptions)

    def __call__(self, item: str) -> bytes:
        from whatsrelated.machine.workers import ItemFailed

        number, first, last, path = item.split(" ", 3)
        context = ReadContext(self.options)
        try:
            part = self.read(File(path), int(first), int(last), int(number), context)
        except ReadError as error:
            raise ItemFailed(str(error)) from None
        return encode_part(part)

    def read(
        self, file: File, first: int, last: int, number: int, context: ReadContext
    ) -> DumpPart:
        """Read a part; report progress to the context."""
        site = site_of(file) if file.is_stream else _site(str(file.path.absolute()))
        reading = _PartReading(self.reader, site, self.options.text)
        spool = f"{self.folder}/{number:06}.pages"
        refused: dict[str, tuple[int, list[str]]] = {}

        def refuse(reason: str, example: str) -> None:
            if context.options.strict:
                context.refuse(reason, f"{file.label}: {example}")
            count, examples = refused.get(reason, (0, []))
            shown = [*examples, f"{file.label}: {example:.120}"][:3]
            refused[reason] = count + 1, shown

        with open(spool, "wb", 1 << 20) as out:  # noqa: PTH123
            for page in read_part(file, first, last, refuse):
                record = reading.add(page)
                if record is not None:
                    data = _encode_record(record)
                    out.write(len(data).to_bytes(4, "little"))
                    out.write(data)
                    if context.progress is not None:
                        context.progress("reading pages", reading.count, None)
        return DumpPart(
            spool,
            pack_lines(reading.redirects),
            pack_lines(reading.redirects.values()),
            reading.templates,
            dict(reading.counts),
            refused,
        )


@cache
def _site(path: str) -> SiteInfo:
    return site_of(File(path))


class _PartReading:
    """Collects the pages of a part."""

    def __init__(self, reader: MediaWikiReader, site: SiteInfo, text: bool) -> None:
        self.redirects: dict[str, str] = {}
        self.templates: dict[str, list[str]] = {}
        self.counts: Counter[str] = Counter()
        self.count = 0
        self._reader = reader
        self._namespaces = wanted_namespaces(reader.name, reader.namespaces)
        self._titles = Titles(site)
        self._texts = WikiTextReader(
            self._titles, self._namespaces, reader.anchors, reader.links == "all", text
        )

    def add(self, page: DumpPage) -> WikiRecord | None:
        """The record of a page, or None if the page is left out."""
        space = page.namespace
        if space is None:
            space = self._titles.namespace(page.title)
        if space == TEMPLATES and self._reader.links == "all":
            self.templates[page.title] = self._template(page)
        if self._namespaces is not None and space not in self._namespaces:
            return None
        target = self._redirect(page)
        if target is not None:
            self.counts["redirects"] += 1
            if self._reader.redirects == "fold":
                if target and target != page.title:
                    self.redirects[page.title] = target
                return None
            return WikiRecord(page.title, [target] if target else [])
        if not page.is_wikitext:
            self.counts["pages that are not wikitext"] += 1
            return None
        return self._article(page)

    def _template(self, page: DumpPage) -> list[str]:
        """The links that a template adds to the pages that include it."""
        if page.redirect:
            return [TRANSCLUDED + self._titles.find(":" + page.redirect)[0]]
        links = self._texts.read(page.text, page.title, template=True).links
        return list(dict.fromkeys(title for title, _ in links)) if page.is_wikitext else []

    def _redirect(self, page: DumpPage) -> str | None:
        """The target of a redirect, empty if it is left out; None if the page is not a redirect."""
        if page.redirect is None:
            return None
        if page.redirect:
            return self._texts.title(":" + page.redirect)
        links = self._texts.read(page.text[:2000], page.title).links
        return links[0][0] if links else ""

    def _article(self, page: DumpPage) -> WikiRecord | None:
        read = self._texts.read(page.text, page.title)
        if read.disambiguation:
            self.counts["disambiguation pages"] += 1
            if self._reader.disambiguation == "drop":
                return None
        self.counts.update({f"{kind} links left out": n for kind, n in read.left_out.items()})
        self.count += 1
        links: dict[str, str] = {}
        for number, (title, marks) in enumerate(read.links):
            reason = self._reader.reason_to_leave_out(marks)
            if reason:
                self.counts[f"{reason} links left out"] += 1
            elif title not in links and title != page.title:
                links[title] = read.anchors[number] if read.anchors else ""
        anchors = list(links.values()) if read.anchors else []
        return WikiRecord(page.title, list(links), anchors, read.disambiguation, read.text)


def records_of(spool: str) -> Iterator[WikiRecord]:
    """The pages of a temporary file, which is then deleted."""
    with open(spool, "rb", 1 << 20) as file:  # noqa: PTH123
        while head := file.read(4):
            yield _decode_record(file.read(int.from_bytes(head, "little")))
    Path(spool).unlink()
