"""Scan HTML: prose, inline code and links, with their positions.

One pass over tags and text. It does not build a tree; it only tracks the enclosing elements, some
of which may not contain links. An edit is checked against the real parser before it is written (see
`edits`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

from whatsrelated.api.reading import OURS
from whatsrelated.apps.mentions.scan import Scan, SourceLink, Span

RAW = frozenset(
    [
        "script",
        "style",
        "textarea",
        "title",
        "xmp",
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "template",
    ]
)
"""Elements whose contents are not markup, or not shown."""
SKIPPED = frozenset(
    [
        "a",
        "pre",
        "kbd",
        "samp",
        "var",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "nav",
        "header",
        "footer",
        "aside",
        "button",
        "select",
        "option",
        "label",
        "svg",
        "math",
        "head",
        "object",
        "audio",
        "video",
        "canvas",
        "summary",
        "legend",
        "caption",
        "th",
        "dt",
    ]
)
CODE = frozenset({"code", "tt"})
ROLES = frozenset(
    ["navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "heading"]
)
VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "br",
        "cite",
        "code",
        "data",
        "dfn",
        "em",
        "i",
        "img",
        "kbd",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "font",
        "ins",
        "del",
    ]
)
MAX_CODE = 200

_TAG = re.compile(
    r"<!--|<!|<\?|<(/?)([A-Za-z][^\s/<>]*+)((?:[^<>\"']++|\"[^\"]{0,4000}+\"|'[^']{0,4000}+'){0,200}+)>"
)
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++)))?+""")
_STRIPPED = re.compile(r"<[^<>]*+>")
_WORD = re.compile(r"\w")


def scan_html(text: str) -> Scan:
    """The prose and links of an HTML file."""
    scan = Scan(masked=text)
    _Walk(text, scan).run()
    return scan


class _Element:
    __slots__ = ("name", "place", "skips")

    def __init__(self, name: str, skips: bool, place: int) -> None:
        self.name, self.skips, self.place = name, skips, place


class _Walk:
    """One pass over a file."""

    def __init__(self, text: str, scan: Scan) -> None:
        self.text, self.scan = text, scan
        self._open: list[_Element] = []
        self._names: Counter[str] = Counter()
        self._skips = 0
        self._code = 0
        self._block = 0
        self._language = ""
        self._link: tuple[int, int, str] | None = None
        self._code_start: tuple[int, int] | None = None

    def run(self) -> None:
        text, place = self.text, 0
        missing: set[str] = set()
        while (tag := _TAG.search(text, place)) is not None:
            self._prose(place, tag.start())
            place = tag.end()
            if tag[2] is None:
                close = "-->" if tag[0] == "<!--" else ">"
                place = self._after(close, place, missing)
                continue
            name = tag[2].lower()
            if tag[1]:
                self._end(name, tag.start(), tag.end())
            else:
                self._start(name, tag)
                if name in RAW:
                    ends = re.compile(f"</{re.escape(name)}", re.I).search(text, place)
                    place = ends.start() if ends else len(text)
        self._prose(place, len(text))
        self.scan.links.sort(key=lambda link: link.start)

    def _after(self, close: str, place: int, missing: set[str]) -> int:
        position = -1 if close in missing else self.text.find(close, place)
        if position < 0:
            missing.add(close)
            return len(self.text) if close == "-->" else place
        return position + len(close)

    def _prose(self, start: int, end: int) -> None:
        if start < end and not self._skips and not self._code:
            for first, last in _without_entities(self.text, start, end):
                if _WORD.search(self.text, first, last):
                    self.scan.spans.append(Span(first, last, self._block))

    def _start(self, name: str, tag: re.Match[str]) -> None:
        if name not in INLINE:
            self._block += 1
        if name in VOID or tag[3].endswith("/"):
            return
        attributes = dict(_attributes(tag[3]))
        if name == "body" and self._names["head"]:
            self._end("head", tag.start(), tag.start())
        if name == "html":
            self._language = attributes.get("lang", "").partition("-")[0].lower()
        language = attributes.get("lang", "").partition("-")[0].lower()
        skips = (
            (name in SKIPPED and (name != "a" or "href" in attributes))
            or attributes.get("role", "").lower() in ROLES
            or OURS in attributes
            or (language != "" and name != "html" and language != self._language)
        )
        if name == "a" and "href" in attributes:
            if self._names["a"]:
                self._end("a", tag.start(), tag.start())
            if not self._skips:
                self._link = (tag.start(), tag.end(), attributes["href"])
        if name in CODE:
            if not self._code and not self._skips:
                self._code_start = (tag.start(), tag.end())
            self._code += 1
        self._open.append(_Element(name, skips, tag.start()))
        self._names[name] += 1
        self._skips += skips

    def _end(self, name: str, start: int, end: int) -> None:
        if name not in INLINE:
            self._block += 1
        if not self._names[name]:
            return
        while self._open:
            element = self._open.pop()
            self._names[element.name] -= 1
            self._skips -= element.skips
            if element.name in CODE:
                self._code -= 1
                if not self._code and self._code_start is not None and element.name == name:
                    self._add_code(*self._code_start, start, end)
                self._code_start = None if not self._code else self._code_start
            if element.name == "a" and self._link is not None and element.skips:
                self._add_link(*self._link, start, end if name == "a" else start)
                self._link = None
            if element.name == name:
                return

    def _add_code(self, start: int, inner: int, inner_end: int, end: int) -> None:
        if inner_end - inner <= MAX_CODE and not self._skips:
            words = unescape(_STRIPPED.sub("", self.text[inner:inner_end])).strip()
            self.scan.spans.append(Span(start, end, self._block, words))

    def _add_link(self, start: int, inner: int, href: str, inner_end: int, end: int) -> None:
        raw = self.text[inner:inner_end]
        words = " ".join(unescape(_STRIPPED.sub("", raw)).split())
        is_code = (
            re.match(r"<(?:code|tt)\b", raw, re.I) is not None
            and re.search(r"</(?:code|tt)>$", raw, re.I) is not None
        )
        self.scan.links.append(
            SourceLink(start, end, inner, inner_end, words, href, self._block, is_code, "html")
        )


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    for match in _ATTRIBUTE.finditer(text):
        yield match[1].lower(), unescape(match[2] or match[3] or match[4] or "")


def _without_entities(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of the text between character references."""
    place = start
    while (mark := text.find("&", place, end)) >= 0:
        yield place, mark
        stop = text.find(";", mark, min(end, mark + 40))
        place = stop + 1 if stop >= 0 else mark + 1
    yield place, end
