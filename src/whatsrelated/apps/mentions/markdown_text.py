"""Scan Markdown: prose, code spans and links, with their positions.

The same CommonMark parser reads pages for graphs, so both agree on what is code and what is a link.
Macros and templates (`{{…}}`, `{% … %}`) are first replaced by spaces of the same length; the
folder's own rules determine which of them are links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

import numpy as np

from whatsrelated.api.reading import WIKILINK, markdown_parser, split_front_matter
from whatsrelated.apps.mentions.scan import Scan, SourceLink, Span

SKIPPED = frozenset(
    {"Heading", "CodeBlock", "Link", "Image", "HtmlBlock", "MetadataBlock", "TableHead"}
)
BLOCKS = frozenset({"Paragraph", "Item", "TableCell", "BlockQuote", "FootnoteDefinition", *SKIPPED})
SKIPPED_TAGS = frozenset(
    [
        "a",
        "code",
        "pre",
        "kbd",
        "samp",
        "var",
        "tt",
        "script",
        "style",
        "button",
        "select",
        "textarea",
        "svg",
        "math",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Bytes that are not text; the parser sees a replacement character in place of each."""
_MACRO = re.compile(r"\{\{[^\n]{0,400}?\}\}|\{%[^\n]{0,400}?%\}")
_HREF = re.compile(r"""<a href="([^"]*)">(.*)</a>""", re.S)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)([^>]*)", re.S)
_TAG_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_LANGUAGE = re.compile(r"\blang\s*=", re.I)
_OPAQUE = re.compile(
    r"(?:https?|ftp)://\S+|www\.\S+|[^\s@]{1,100}@\S{1,100}|\$\$[^$]{1,400}\$\$"
    r"|\$[^$\s][^$\n]{0,400}\$|%%[^%]{0,400}%%|\{[^{}\n]{0,400}\}|(?<!\S)#[^\s#]+|\^[\w-]{1,100}$"
    r"|:{3,}[^\n]*|\x1f+|[\[\]]",
    re.M,
)
"""Text that never changes: addresses, formulas, comments, attributes, tags and brackets."""
_SEE_ALSO = re.compile(r"see also|related(?: \w+)?|further reading", re.I)

Prepare = Callable[[str], str]


def scan_markdown(text: str, *, wikilinks: bool = True, prepare: Prepare | None = None) -> Scan:
    """The prose and links of a Markdown file."""
    bom = text.startswith("\ufeff")
    body = split_front_matter(text[bom:]).body
    offset = len(text) - len(body)
    masked, macros = _mask(body, prepare)
    scan = Scan(masked=text[:offset] + masked)
    walk = _Walk(scan, text, masked, offset)
    walk.run(_events(masked, wikilinks))
    outside = [link for link in macros if not any(s <= link.start < e for s, e in walk.code)]
    if outside:
        scan.links += [_moved(link, offset, walk) for link in outside]
        scan.links.sort(key=lambda link: link.start)
    return scan


def _events(body: str, wikilinks: bool) -> Iterator[Any]:
    parser, options = markdown_parser()
    if wikilinks:
        options |= parser.Options.ENABLE_WIKILINKS
    return iter(parser.events_with_range(_SURROGATE.sub("\ufffd", body), options=options))


def outline(text: str, wikilinks: bool = True) -> tuple[str, list[tuple[str, str]]]:
    """The visible text without links, and the links, to compare a file before and after an edit."""
    body = split_front_matter(text.removeprefix("\ufeff")).body
    shown: list[str] = []
    links: list[tuple[str, str]] = []
    opened: list[tuple[int, str]] = []
    for event, _ in _events(body, wikilinks):
        if isinstance(event, str):
            shown.append(" " if event == "SoftBreak" else f"\x00{event}")
            continue
        ((kind, value),) = event.items()
        name = value if isinstance(value, str) else next(iter(value)) if value else ""
        if kind == "Start" and name == "Link":
            opened.append((len(shown), value["Link"]["dest_url"]))
        elif kind == "End" and name == "Link":
            if opened:
                start, href = opened.pop()
                links.append(("".join(shown[start:]), href))
        elif kind == "Text":
            shown.append(value)
        elif kind in ("Start", "End"):
            shown.append(f"\x00{kind}{value}")
        else:
            shown.append(f"\x00{kind}{value}\x00")
    return "".join(shown), links


def _mask(body: str, prepare: Prepare | None) -> tuple[str, list[SourceLink]]:
    """The text with macros blanked out, and the macros that are links."""
    links: list[SourceLink] = []
    if "{{" not in body and "{%" not in body:
        return body, links

    def blank(macro: re.Match[str]) -> str:
        size = len(macro[0].encode("utf-8", "surrogatepass"))
        ready = prepare(macro[0]) if prepare is not None else macro[0]
        match = _HREF.fullmatch(ready)
        if match:
            words = unescape(match[2])
            place = macro[0].find(words)
            start = macro.start() + max(place, 0)
            end = start + len(words) if place >= 0 else macro.end()
            links.append(
                SourceLink(
                    macro.start(),
                    macro.end(),
                    start,
                    end,
                    words,
                    unescape(match[1]),
                    -1,
                    True,
                    "macro",
                )
            )
        elif ready != macro[0] and len(ready.encode()) <= size and ready.isprintable():
            return ready + " " * (size - len(ready.encode()))
        return "\x1f" * len(macro[0]) if macro[0].isascii() else "\x1f" * size

    if body.isascii():
        return _MACRO.sub(blank, body), links
    return _MACRO.sub(lambda m: blank(m) if m[0].isascii() else m[0], body), links


def _moved(link: SourceLink, offset: int, walk: _Walk) -> SourceLink:
    return link._replace(
        start=link.start + offset,
        end=link.end + offset,
        words_start=link.words_start + offset,
        words_end=link.words_end + offset,
        block=walk.block_at(link.start + offset),
    )


class _Walk:
    """One pass over the events of a file."""

    def __init__(self, scan: Scan, text: str, body: str, offset: int) -> None:
        self.scan, self.text, self.body, self.offset = scan, text, body, offset
        data = _SURROGATE.sub("\ufffd", body).encode()
        self._data = data
        self._chars = (
            None
            if len(data) == len(body)
            else np.concatenate(
                [[0], np.cumsum((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)]
            ).tolist()
        )
        self.code: list[tuple[int, int]] = []
        self.blocks: list[tuple[int, int]] = []
        self._block = 0
        self._runs: list[list[int]] = []
        self._joined = False
        self._tags: list[str] = []
        self._html_link: tuple[int, int, str] | None = None

    def block_at(self, place: int) -> int:
        """The paragraph that contains a position."""
        return next((number for start, number in reversed(self.blocks) if start <= place), -1)

    def run(self, events: Iterator[Any]) -> None:
        skipped = 0
        link: list[Any] | None = None
        heading: int | None = None
        for event, extent in events:
            start, end = extent["start"], extent["end"]
            if isinstance(event, str):
                self._joined &= event == "SoftBreak"
                continue
            ((kind, value),) = event.items()
            if kind == "Text":
                if link is not None:
                    self._inner(link, start, end, value, False)
                if heading is not None:
                    self._title(value)
                if not skipped and not self._tags:
                    self._text(start, end, value)
                continue
            if kind == "Code":
                self.code.append((self._char(start), self._char(end)))
                if link is not None:
                    self._inner(link, start, end, value, True)
                elif not skipped and not self._tags:
                    self._code(start, end, value)
                continue
            self._joined = False
            if kind == "InlineHtml":
                self._html(start, end, value, bool(skipped))
                continue
            if kind not in ("Start", "End"):
                continue
            name = value if isinstance(value, str) else next(iter(value))
            if name in BLOCKS and name not in ("Link", "Image"):
                self._block += 1
                self._tags.clear()
                if kind == "Start":
                    self.blocks.append((self._char(start) + self.offset, self._block))
            if name == "Heading":
                heading = start if kind == "Start" else None
                if kind == "Start":
                    self.scan.see_also = None if self.scan.see_also == -1 else self.scan.see_also
            if name == "Link":
                if kind == "Start":
                    link = [start, end, value["Link"], None, None, "", True]
                elif link is not None:
                    self._link(link, bool(skipped - 1 > 0))
                    link = None
            if name == "Item" and kind == "End" and self.scan.see_also is not None:
                self._extend_see_also(end)
            if name in SKIPPED:
                skipped += 1 if kind == "Start" else -1
                if name == "CodeBlock" and kind == "Start":
                    self.code.append((self._char(start), self._char(end)))
        self.scan.spans.extend(self._cut())
        if self.scan.see_also == -1:
            self.scan.see_also = None

    def _title(self, value: str) -> None:
        if _SEE_ALSO.fullmatch(value.strip()):
            self.scan.see_also = -1

    def _extend_see_also(self, end: int) -> None:
        place = self._char(end) + self.offset
        body = self.text[:place].rstrip()
        if self.scan.see_also is not None and (
            self.scan.see_also < 0 or len(body) - self.scan.see_also < 2000
        ):
            self.scan.see_also = len(body)

    def _char(self, place: int) -> int:
        return place if self._chars is None else int(self._chars[place])

    def _text(self, start: int, end: int, value: str) -> None:
        first, last = self._char(start), self._char(end)
        if _SURROGATE.sub("\ufffd", self.body[first:last]) != value:
            self._joined = False
            return
        runs = self._runs
        if runs and runs[-1][2] == self._block and not runs[-1][3]:
            gap = self.body[runs[-1][1] : first]
            if not gap or (self._joined and not gap.strip()):
                runs[-1][1] = last
                self._joined = True
                return
        runs.append([first, last, self._block, 0])
        self._joined = True

    def _code(self, start: int, end: int, value: str) -> None:
        first, last = self._char(start), self._char(end)
        self._joined = False
        if first and self.body[first - 1] in "}:":
            return
        self._runs.append([first, last, self._block, 1])

    def _inner(self, link: list[Any], start: int, end: int, value: str, code: bool) -> None:
        if link[3] is None:
            link[3], link[6] = start, code
        else:
            link[6] = False
        link[4] = end
        link[5] += value

    def _link(self, link: list[Any], hidden: bool) -> None:
        start, end, about, words_start, words_end, words, is_code = link
        if words_start is None or hidden:
            return
        kind = about["link_type"]
        wiki = not isinstance(kind, str)
        href = (
            WIKILINK + quote(about["dest_url"].partition("#")[0].strip(), safe="")
            if wiki
            else about["dest_url"]
        )
        style = (
            "wiki" if wiki else "inline" if kind in ("Inline", "Autolink", "Email") else "reference"
        )
        at = [self._char(place) + self.offset for place in (start, end, words_start, words_end)]
        self.scan.links.append(
            SourceLink(at[0], at[1], at[2], at[3], words, href, self._block, is_code, style)
        )
        if style == "reference" and about["id"]:
            self.scan.labels.setdefault(about["id"], about["dest_url"])

    def _html(self, start: int, end: int, value: str, skipped: bool) -> None:
        tag = _TAG.match(value)
        if tag is None:
            return
        name = tag[2].lower()
        if not tag[1]:
            if value.endswith("/>"):
                return
            if name in SKIPPED_TAGS or _LANGUAGE.search(tag[3]):
                self._tags.append(name)
            match = _TAG_HREF.search(tag[3]) if name == "a" else None
            if match:
                href = unescape(match[1] or match[2] or match[3] or "")
                self._html_link = (start, end, href)
        elif self._tags and self._tags[-1] == name:
            self._tags.pop()
            if name == "a" and self._html_link is not None and not skipped:
                first, inner, href = self._html_link
                at = [self._char(place) + self.offset for place in (first, end, inner, start)]
                words = self.text[at[2] : at[3]]
                self.scan.links.append(
                    SourceLink(at[0], at[1], at[2], at[3], words, href, self._block, False, "html")
                )
                self._html_link = None

    def _cut(self) -> Iterator[Span]:
        """The runs of text between addresses, formulas and other text that never changes."""
        body, offset = self.body, self.offset
        for start, end, block, code in self._runs:
            if code:
                inner = body[start:end]
                marks = len(inner) - len(inner.lstrip("`"))
                yield Span(
                    start + offset, end + offset, block, inner[marks : len(inner) - marks].strip()
                )
                continue
            place = start
            for match in _OPAQUE.finditer(body, start, end):
                if match.start() > place:
                    yield Span(place + offset, match.start() + offset, block)
                place = match.end()
            if place < end:
                yield Span(place + offset, end + offset, block)
