"""The title of a Markdown page, and its links in page order.

1. Split off the front matter (`sources/front_matter`).
2. Rewrite non-standard links as CommonMark: `[[wikilinks]]`, `![[embeds]]`, and the syntax of
   documentation tools (`prepare`). Inside code they stay text, since CommonMark has no links there.
3. Convert to HTML and read it like any other page (sources/html). This also handles links in raw
  HTML and "See also" sections.

Tables, footnotes and GitHub's bare addresses are supported. Wikilinks in the front matter count as
links at the top of the page.

Cost: about 20 ns per byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from whatsrelated.machine.packages import load
from whatsrelated.sources.front_matter import FrontMatter, split_front_matter
from whatsrelated.sources.html import HtmlPage, read_html

WIKILINK = "wikilink:"
"""The prefix of wikilinks among the links of a page; the rest is quoted."""

_WIKILINK = re.compile(r"(?<!\\)!?\[\[([^\[\]\n|]+?)(?:\\?\|([^\[\]\n]*))?\]\](?![(\[])")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.S)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_BARE = re.compile(r"(?<![\w<\[\"'=/`])(?<!\]\()https?://[^\s<>\"'`\\\]]+")
_HEADING = re.compile(r"#[ \t]++([^\n]++)")
_MARKUP = re.compile(r"\[([^\[\]]*+)\]\((?:[^()]++|\([^()]*+\))*+\)|[*`]+")


class MarkdownPage(NamedTuple):
    """The contents of a Markdown page, with unresolved links."""

    front: FrontMatter
    html: HtmlPage
    heading: str = ""


def read_markdown(
    text: str,
    *,
    wikilinks: bool = True,
    bare: bool = True,
    prepare: Callable[[str], str] | None = None,
    anchors: bool = False,
    sections: bool = False,
    words: bool = False,
) -> MarkdownPage:
    """Read the links of a page, its title and other metadata."""
    front = split_front_matter(text.removeprefix("\ufeff"))
    body = prepare(front.body) if prepare is not None else front.body
    if wikilinks and ("[[" in body or "[[" in front.raw):
        above = " ".join(match[0] for match in _WIKILINK.finditer(front.raw))
        body = _WIKILINK.sub(_as_link, f"{above}\n\n{body}" if above else body)
    if bare and "://" in body:
        body = _BARE.sub(_as_autolink, body)
    page = read_html(as_html(body), anchors=anchors, sections=sections, text=words)
    return MarkdownPage(front, page, heading_of(front.body))


def heading_of(body: str) -> str:
    """The heading at the beginning of the text, without its id, closing marks and markup."""
    match = _HEADING.match(body.lstrip())
    if match is None:
        return ""
    text = match[1].rstrip()
    before, mark, name = text.rpartition("{#")
    if mark and name.find("}") == len(name) - 1:
        text = before.rstrip()
    bare = text.rstrip("#")
    if bare.endswith((" ", "\t")):
        text = bare
    return _MARKUP.sub(r"\1", text.strip())


def as_html(body: str) -> str:
    """Convert CommonMark with tables and footnotes to HTML."""
    parser, options = markdown_parser()
    return str(parser.html(body, options=options))


@cache
def markdown_parser() -> tuple[Any, Any]:
    """The parser and its extensions; raises MissingExtra if it is not installed."""
    pyromark = load("pyromark", "Markdown", "vault")
    known = pyromark.Options
    return pyromark, known.ENABLE_TABLES | known.ENABLE_FOOTNOTES | known.ENABLE_STRIKETHROUGH


def _as_link(wikilink: re.Match[str]) -> str:
    label = _PUNCTUATION.sub(r"\\\1", (wikilink[2] or wikilink[1]).strip())
    return f"[{label}]({WIKILINK}{quote(wikilink[1].strip(), safe='')})"


def _as_autolink(address: re.Match[str]) -> str:
    """An autolink, without the sentence's punctuation and closing brackets."""
    text = address[0]
    unopened = text.count(")") - text.count("(")
    end = len(text)
    while text[end - 1] in ".,;:!?*_~" or (text[end - 1] == ")" and unopened > 0):
        unopened -= text[end - 1] == ")"
        end -= 1
    return f"<{text[:end]}>{text[end:]}"


def has_wikilinks(text: str) -> bool:
    """Whether the text has wikilinks outside code."""
    return "[[" in text and _WIKILINK.search(_CODE.sub("", text)) is not None


def wikilink_target(href: str) -> str | None:
    """The name in a wikilink, without its heading or block; None for other links."""
    if not href.startswith(WIKILINK):
        return None
    return unquote(href[len(WIKILINK) :]).partition("#")[0].strip()
