"""Scan reStructuredText, AsciiDoc, Org, DokuWiki and MediaWiki text: prose and links.

Each format has two small rules: which lines are prose, and which parts of them are not (code,
links, roles, templates). If in doubt, text does not count as prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote

from whatsrelated.api.reading import WIKILINK
from whatsrelated.apps.mentions.scan import Scan, SourceLink, Span

_LINE = re.compile(r"[^\n]*\n?")
Block = tuple[int, int]


class MarkupRules(NamedTuple):
    """The rules for reading one format."""

    blocks: Callable[[str], Iterator[Block]]
    """The paragraphs of prose."""
    pieces: re.Pattern[str]
    """The parts of a paragraph that are not prose."""
    link: Callable[[re.Match[str]], tuple[str, str, str] | None]
    """The target, the words and the style of a piece, if it is a link."""
    code: str = ""
    """The marks around inline code."""


def scan_markup(text: str, rules: MarkupRules) -> Scan:
    """The prose and links of a file."""
    scan = Scan(masked=text)
    for number, (start, end) in enumerate(rules.blocks(text)):
        place = start
        for piece in rules.pieces.finditer(text, start, end):
            if piece.start() > place:
                scan.spans.append(Span(place, piece.start(), number))
            place = piece.end()
            parts = rules.link(piece)
            if parts is not None:
                href, words, style = parts
                inner = piece.start() + max(piece[0].find(words), 0)
                scan.links.append(
                    SourceLink(
                        piece.start(),
                        piece.end(),
                        inner,
                        inner + len(words),
                        " ".join(words.split()),
                        href,
                        number,
                        False,
                        style,
                    )
                )
        if place < end:
            scan.spans.append(Span(place, end, number))
    return scan


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _LINE.finditer(text):
        if match[0]:
            yield match.start(), match.end(), match[0].rstrip("\r\n")


def _paragraphs(lines: Iterator[tuple[int, int, str | None]]) -> Iterator[Block]:
    """Join lines of prose; a line that is None ends a paragraph."""
    start = end = -1
    for first, last, line in lines:
        if line is None or not line.strip():
            if start >= 0:
                yield start, end
            start = -1
        else:
            start = first if start < 0 else start
            end = last
    if start >= 0:
        yield start, end


# reStructuredText

_RST_RULE = re.compile(r"\s*([=\-~^\"'*#+`:.<>_])\1{2,}\s*")
_RST_DIRECTIVE = re.compile(r"(\s*)\.\.(?:\s+(?:([\w:-]+)::)?(.*))?$")
_RST_PROSE = frozenset(
    [
        "note",
        "warning",
        "tip",
        "hint",
        "important",
        "caution",
        "attention",
        "danger",
        "error",
        "seealso",
        "admonition",
        "versionadded",
        "versionchanged",
        "deprecated",
        "versionremoved",
        "topic",
        "sidebar",
    ]
)
_RST_OTHER = re.compile(r"\s*(?::[^:\n]+:(?:\s|$)|>>>|\.\.\.\s|[+|][-=+| ]|\|)")
_RST_PIECES = re.compile(
    r"``.{1,400}?``|(?P<role>:[\w:.+-]{1,100}:)`(?P<text>[^`]{1,400})`"
    r"|`(?P<hyper>[^`<]{1,400}?)\s{0,3}<(?P<to>[^`>]{1,400})>`__?|`[^`]{1,400}`_{0,2}"
    r"|\*\*.{1,400}?\*\*|\*[^*\s][^*]{0,400}\*|\|[^|\s][^|\n]{0,400}\|_{0,2}"
    r"|\[[\w#*.-]{1,100}\]_|\b\w+__?(?!\w)|(?:https?|ftp)://\S+|[^\s@]{1,100}@\S{1,100}"
    r"|[\\]\S|::",
    re.S,
)


def _rst_blocks(text: str) -> Iterator[Block]:
    return _paragraphs(_rst_lines(list(_lines(text))))


def _rst_lines(lines: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str | None]]:
    skipped = -1
    for number, (start, end, line) in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        blank = not line.strip()
        if skipped >= 0 and (blank or indent > skipped):
            yield start, end, None
            continue
        skipped = -1
        directive = _RST_DIRECTIVE.match(line)
        below = lines[number + 1][2] if number + 1 < len(lines) else ""
        if directive is not None:
            if directive[2] not in _RST_PROSE:
                skipped = indent
            yield start, end, None
        elif _RST_RULE.fullmatch(line) or _RST_OTHER.match(line) or _is_rst_title(line, below):
            yield start, end, None
        else:
            if line.rstrip().endswith("::"):
                skipped = indent
            yield start, end, line


def _is_rst_title(line: str, below: str) -> bool:
    return (
        bool(line.strip())
        and _RST_RULE.fullmatch(below) is not None
        and len(below.rstrip()) >= len(line.strip()) - 1
    )


def _rst_link(piece: re.Match[str]) -> tuple[str, str, str] | None:
    if piece["hyper"]:
        return piece["to"], piece["hyper"].strip(), "inline"
    if piece["role"] is None:
        return None
    role, inner = piece["role"].strip(":").rpartition(":")[2], piece["text"]
    words, mark, target = inner.partition("<")
    words, target = (words.strip(), target.rstrip(">").strip()) if mark else ("", inner.strip())
    if role == "doc":
        return target, words, "doc"
    if role in ("ref", "any"):
        return WIKILINK + quote(target.lstrip("~!"), safe=""), words, "ref"
    return None


# AsciiDoc

_ADOC_FENCE = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}[\w+-]*|\|={3,})\s*")
_ADOC_OTHER = re.compile(
    r"(?:=+ |//|:[\w!-]+:|\[.*\]\s*$|\.\w|include::|image::|ifn?def::|endif::|[-'*]{3,}\s*$|\|)"
    r"|\s+\S"
)
_ADOC_PIECES = re.compile(
    r"(?:xref:|link:|(?=https?://))(?P<to>[^\s\[\]]{1,400})(?:\[(?P<words>[^\]]{0,400})\])?"
    r"|<<(?P<id>[^<>,\n]{1,200})(?:,(?P<label>[^<>]{0,400}))?>>|`[^`\n]{1,400}`"
    r"|\+[^+\n]{1,400}\+|\{[\w-]{1,100}\}|\b\w{1,30}:[^\s\[]{0,200}\[[^\]]{0,400}\]"
    r"|[^\s@]{1,100}@\S{1,100}|\[[^\[\]\n]{0,400}\]|\|"
)


def _adoc_blocks(text: str) -> Iterator[Block]:
    def lines() -> Iterator[tuple[int, int, str | None]]:
        fence = ""
        for start, end, line in _lines(text):
            mark = _ADOC_FENCE.fullmatch(line)
            if fence:
                if line.rstrip() == fence or (fence[:1] == "`" and line.startswith("```")):
                    fence = ""
                yield start, end, None
            elif mark:
                fence = line.rstrip()
                yield start, end, None
            else:
                yield start, end, None if _ADOC_OTHER.match(line) else line

    return _paragraphs(lines())


def _adoc_link(piece: re.Match[str]) -> tuple[str, str, str] | None:
    if piece["to"] and piece["words"]:
        return piece["to"], piece["words"], "inline"
    if piece["id"] and piece["label"]:
        name = piece["id"].strip()
        plain = not re.search(r"\.(?:adoc|asc)|#|/", name)
        return (
            (WIKILINK + quote(name, safe="") if plain else name),
            piece["label"].strip(),
            "inline",
        )
    return None


# Org

_ORG_OTHER = re.compile(r"\*+ |\s*#|\s*:|\s*\||\s*-{5,}")
_ORG_PIECES = re.compile(
    r"\[\[(?P<to>[^\]\[\n]{1,400})\](?:\[(?P<words>[^\]\n]{0,400})\])?\]"
    r"|[=~](?=\S)[^=~\n]{1,400}[=~](?!\w)|(?:https?|ftp|file):\S+|<[^<>\n]{0,400}>"
    r"|\\\(.{1,400}?\\\)|\$[^$\n]{1,400}\$|@@[^@\n]{0,400}@@|[^\s@]{1,100}@\S{1,100}"
    r"|\[[^\[\]\n]{0,400}\]"
)


def _org_blocks(text: str) -> Iterator[Block]:
    def lines() -> Iterator[tuple[int, int, str | None]]:
        inside = ""
        for start, end, line in _lines(text):
            lower = line.strip().lower()
            if inside:
                if lower.startswith(inside):
                    inside = ""
                yield start, end, None
            elif lower.startswith("#+begin_") and not lower.startswith("#+begin_quote"):
                inside = "#+end_" + lower[8:].split(" ")[0]
                yield start, end, None
            elif lower in (":properties:", ":logbook:"):
                inside = ":end:"
                yield start, end, None
            else:
                yield start, end, None if _ORG_OTHER.match(line) else line

    return _paragraphs(lines())


def _org_link(piece: re.Match[str]) -> tuple[str, str, str] | None:
    target = (piece["to"] or "").partition("::")[0]
    words = piece["words"] or ""
    if target.startswith("id:"):
        return WIKILINK + quote(target[3:], safe=""), words, "inline"
    if target.startswith(("file:", "./", "../", "http://", "https://")):
        return target.removeprefix("file:"), words, "inline"
    return None


# DokuWiki and MediaWiki

_WIKI_LINK = r"\[\[(?P<to>[^\[\]|\n]{1,400})(?:\|(?P<words>[^\[\]\n]{0,400}))?\]\]"
_DOKU_OTHER = re.compile(r"\s*=|  |\t|\s*[|^]|~~|\{\{")
_DOKU_PIECES = re.compile(
    _WIKI_LINK
    + r"|''.{1,400}?''|%%.{1,400}?%%|\{\{.{1,400}?\}\}|(?:https?|ftp)://\S+"
    + r"|[^\s@]{1,100}@\S{1,100}|<[^<>\n]{0,400}>"
)
_WIKI_HIDDEN = re.compile(
    r"<!--.*?-->|<(ref|nowiki|pre|math|source|syntaxhighlight|gallery|code)\b[^>]{0,300}?(?:/>|>.*?</\1\s*>)",
    re.S | re.I,
)
_WIKI_OTHER = re.compile(
    r"\s*(?:=|\{\||\|[-}]?|!|__|\{\{|\}\}|<|\[\[(?:File|Image|Category|Datei|Fichier):| \S)", re.I
)
_WIKI_PIECES = re.compile(
    _WIKI_LINK
    + r"(?P<tail>[a-z]*)|\{\{[^{}]{0,400}\}\}|\x1f+|'{2,5}|\[(?:https?:)?//[^\[\]\n]{0,400}\]"
    + r"|https?://\S+|<[^<>\n]{0,400}>|&\w{1,30};|[\[\]{}|]"
)


def _doku_blocks(text: str) -> Iterator[Block]:
    def lines() -> Iterator[tuple[int, int, str | None]]:
        inside = ""
        for start, end, line in _lines(text):
            opened = re.search(r"<(code|file|nowiki|html|php)\b", line)
            if inside or opened:
                inside = inside or (opened[1] if opened else "")
                if f"</{inside}>" in line:
                    inside = ""
                yield start, end, None
            else:
                yield start, end, None if _DOKU_OTHER.match(line) else line

    return _paragraphs(lines())


def _doku_link(piece: re.Match[str]) -> tuple[str, str, str] | None:
    if not piece["to"]:
        return None
    target = piece["to"].strip().partition("#")[0]
    named = target if ":" in target else f".:{target}"
    return WIKILINK + quote(named, safe=""), piece["words"] or piece["to"], "wiki"


def hide_wiki_markup(text: str) -> str:
    """Wikitext with comments, references, tables and nested templates blanked out."""
    text = _WIKI_HIDDEN.sub(lambda match: "\x1f" * len(match[0]), text)
    for _ in range(4):
        before = text
        text = re.sub(r"\{\{[^{}]*\}\}", lambda match: re.sub(r"[^\n]", "\x1f", match[0]), text)
        if text == before:
            break
    return text


def _wiki_blocks(text: str) -> Iterator[Block]:
    def lines() -> Iterator[tuple[int, int, str | None]]:
        for start, end, line in _lines(text):
            yield start, end, None if _WIKI_OTHER.match(line) else line
            yield end, end, None

    return _paragraphs(lines())


def _wiki_link(piece: re.Match[str]) -> tuple[str, str, str] | None:
    if not piece["to"]:
        return None
    return piece["to"].strip(), piece["words"] or piece["to"] + (piece["tail"] or ""), "wiki"


RULES = {
    "rst": MarkupRules(_rst_blocks, _RST_PIECES, _rst_link),
    "asciidoc": MarkupRules(_adoc_blocks, _ADOC_PIECES, _adoc_link),
    "org": MarkupRules(_org_blocks, _ORG_PIECES, _org_link),
    "dokuwiki": MarkupRules(_doku_blocks, _DOKU_PIECES, _doku_link),
    "mediawiki": MarkupRules(_wiki_blocks, _WIKI_PIECES, _wiki_link),
}
