"""N-Triples and N-Quads: `<subject> <predicate> <object> .` is a link if the object is a page.

A literal with the predicate `rdfs:label`, `dc:title` or `schema:name` is the subject's title.
`--predicate` keeps only links with that predicate. Blank nodes are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.options import option
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import begins
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_WORD = r"[^\s.]*+(?:\.++[^\s.]++)*+"  # a label may contain full stops, except at its end
_NODE = rf'<[^<>"{{}}|^`\s]*+>|_:{_WORD}'
_TRIPLE = re.compile(
    rf'\s*+({_NODE})\s++<([^<>\s]*+)>\s++({_NODE}|"(?:[^"\\]|\\.)*+"{_WORD})\s*+'
    rf"(?:<[^<>\s]*+>|_:{_WORD})?+\s*+\.\s*+(?:#.*)?"
)
_TRIPLE_LINE = (
    rb'(?:#[^\n]*+\n\s*+)*+(?:<[^<>\s]++>|_:\S++)\s++<[^<>\s]++>\s++(?:<|_:|")'
    rb"[^\n]*\.[^\S\n]*+\n"
)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}
TITLES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    "http://schema.org/name",
)


@dataclass(frozen=True)
class NTriplesReader(Reader):
    """One link per triple whose object is a page."""

    name = "ntriples"
    sentence = "N-Triples: <subject> <predicate> <object> ."
    contents = begins(_TRIPLE_LINE)
    suffixes = (".nt", ".nq")

    predicate: str | None = option(
        None, "read only triples with this predicate, a URI or the end of one"
    )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        subject, title = "", ""
        links: list[str] = []
        for number, line in file.numbered_lines():
            text = line.decode("utf-8", "replace")
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            triple = _TRIPLE.fullmatch(text)
            if triple is None:
                context.refuse("not a triple", file.place(number, line))
                continue
            first, predicate, other = triple.groups()
            if first[0] != "<" or other[0] == "_":
                context.counter(self.name)["triples of blank nodes left out"] += 1
                continue
            if first != subject:
                if links or title:
                    yield Page(_unescape(subject[1:-1]), links, title or None)
                subject, links, title = first, [], ""
            if other[0] == "<":
                if not self.predicate or predicate.endswith(self.predicate):
                    links.append(_unescape(other[1:-1]))
            elif predicate in TITLES and other[0] == '"' and not title:
                title = _unescape(other[1 : other.rindex('"')])
        if links or title:
            yield Page(_unescape(subject[1:-1]), links, title or None)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16) if match[1] or match[2] else -1
        if code < 0:
            return _PLAIN.get(match[3], match[3])
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _ESCAPE.sub(character, text)
