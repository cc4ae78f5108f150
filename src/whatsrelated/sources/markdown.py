"""A page of Markdown: what it is called, and its links in page order.

1. The front matter is split off (sources/front_matter).
2. What is not CommonMark is rewritten as a CommonMark link: `[[wikilinks]]` and
   `![[embeds]]`, and whatever a documentation's own tools understand (`prepare`).
   Where it stands in code it stays text, because a link there is none.
3. The parser makes HTML of it, and that is read like any other
   (sources/html): links in raw HTML and "See also" sections come with it.

Tables, footnotes and GitHub's bare addresses are understood; a wikilink in the
front matter counts as one at the top of the page.

Cost: about 20 ns a byte.
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
"""How a wikilink is marked among the links of a page; what follows is quoted."""

_WIKILINK = re.compile(r"(?<!\\)!?\[\[([^\[\]\n|]+?)(?:\\?\|([^\[\]\n]*))?\]\](?![(\[])")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.S)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_BARE = re.compile(r"(?<![\w<\[\"'=/`])(?<!\]\()https?://[^\s<>\"'`\\\]]+")
_HEADING = re.compile(r"#[ \t]++([^\n]++)")
_MARKUP = re.compile(r"\[([^\[\]]*+)\]\((?:[^()]++|\([^()]*+\))*+\)|[*`]+")


class MarkdownPage(NamedTuple):
    """What a page of Markdown says, nothing resolved."""

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
    """The links of a page and what it says of itself."""
    front = split_front_matter(text.removeprefix("\ufeff"))
    body = prepare(front.body) if prepare is not None else front.body
    if wikilinks and "[[" in text:
        above = " ".join(match[0] for match in _WIKILINK.finditer(front.raw))
        body = _WIKILINK.sub(_as_link, f"{above}\n\n{body}" if above else body)
    if bare and "://" in body:
        body = _BARE.sub(_as_autolink, body)
    page = read_html(as_html(body), anchors=anchors, sections=sections, text=words)
    return MarkdownPage(front, page, _heading(front.body.lstrip()))


def _heading(body: str) -> str:
    """The heading with which a text begins, without its id, closing marks and markup."""
    found = _HEADING.match(body)
    if found is None:
        return ""
    text = found[1].rstrip()
    before, mark, name = text.rpartition("{#")
    if mark and name.find("}") == len(name) - 1:
        text = before.rstrip()
    bare = text.rstrip("#")
    if bare.endswith((" ", "\t")):
        text = bare
    return _MARKUP.sub(r"\1", text.strip())


def as_html(body: str) -> str:
    """CommonMark with tables and footnotes, as HTML."""
    parser, options = markdown_parser()
    return str(parser.html(body, options=options))


@cache
def markdown_parser() -> tuple[Any, Any]:
    """The parser and its extensions; MissingExtra where it is not installed."""
    pyromark = load("pyromark", "Markdown", "vault")
    known = pyromark.Options
    return pyromark, known.ENABLE_TABLES | known.ENABLE_FOOTNOTES | known.ENABLE_STRIKETHROUGH


def _as_link(wikilink: re.Match[str]) -> str:
    label = _PUNCTUATION.sub(r"\\\1", (wikilink[2] or wikilink[1]).strip())
    return f"[{label}]({WIKILINK}{quote(wikilink[1].strip(), safe='')})"


def _as_autolink(address: re.Match[str]) -> str:
    """An address without the punctuation and the closing brackets that are the sentence's."""
    text = address[0]
    unopened = text.count(")") - text.count("(")
    end = len(text)
    while text[end - 1] in ".,;:!?*_~" or (text[end - 1] == ")" and unopened > 0):
        unopened -= text[end - 1] == ")"
        end -= 1
    return f"<{text[:end]}>{text[end:]}"


def has_wikilinks(text: str) -> bool:
    """Whether a text links by name, code aside."""
    return "[[" in text and _WIKILINK.search(_CODE.sub("", text)) is not None


def wikilink_target(href: str) -> str | None:
    """The name that a wikilink gives, without heading or block; None for other links."""
    if not href.startswith(WIKILINK):
        return None
    return unquote(href[len(WIKILINK) :]).partition("#")[0].strip()
