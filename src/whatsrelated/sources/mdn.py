"""MDN's content, with slugs in the front matter, macros that stand for links, and redirects.

A page's address is its slug, `Web/API/Document`, ignoring case. Besides Markdown links
(`/en-US/docs/Web/…`), texts use macros such as `{{domxref("Document")}}`. Each macro has a folder
and a rule for the names in it. Pages that have moved are found through `_redirects.txt`. Macros
that produce a menu (`APIRef`, `PreviousNext`) are navigation and are ignored. Macros are rewritten
as HTML, since Markdown inside HTML would not be a link. A macro that fills a code span is a link in
code, as on MDN.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from whatsrelated.sources.folder import start_of
from whatsrelated.sources.trees import SiteTree

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord

PREFIX = "/en-US/docs/"
"""The beginning of addresses inside MDN."""

NO_LINK = "\N{ZERO WIDTH SPACE}"
"""Replaces other macros; a blank line would end a block of HTML."""

FOLDERS = ("", "en-us/", "files/en-us/")
"""Paths to a locale's content, relative to any folder that users may give."""

_MACRO = re.compile(
    r"""(?<![\\`])(`?)\{\{\s*([A-Za-z]+)\s*\(((?:[^{}"]|"[^"\n]{0,200}")*)\)\s*\}\}\1(?!`)"""
)
_ARGUMENT = re.compile(
    r""""((?:[^"\\]|\\.?)*+)(?:"|\Z)|'((?:[^'\\]|\\.?)*+)(?:'|\Z)|`([^`]*+)(?:`|\Z)""", re.S
)


def _interface(name: str) -> str:
    plain = name.replace("()", "").replace(" ", "_").replace(".", "/").strip("/")
    return plain[:1].upper() + plain[1:]


def _javascript(name: str) -> str:
    plain = name.replace("()", "").replace(".prototype.", ".").replace(" ", "_")
    return plain.replace(".", "/") if "..." not in plain else plain


def _style(name: str) -> str:
    name = unescape(name)
    return _STYLES.get(name) or name.partition(" ")[0].strip("<>").replace("()", "")


_STYLES = {
    "<color>": "color_value",
    "<flex>": "flex_value",
    "<overflow>": "overflow_value",
    "<position>": "position_value",
    ":host()": ":host_function",
    "fit-content()": "fit_content_function",
    "url()": "url_function",
}


def _heading(name: str) -> str:
    return "Heading_Elements" if re.fullmatch(r"h[1-6]", name) else name


def _with_underscores(name: str) -> str:
    return name.strip().replace(" ", "_")


Spelling = Callable[[str], str]

MACROS: dict[str, tuple[str, Spelling]] = {
    "domxref": ("Web/API/", _interface),
    "jsxref": ("Web/JavaScript/Reference/Global_Objects/", _javascript),
    "cssxref": ("Web/CSS/", _style),
    "htmlelement": ("Web/HTML/Reference/Elements/", _heading),
    "svgelement": ("Web/SVG/Reference/Element/", str.strip),
    "svgattr": ("Web/SVG/Reference/Attribute/", str.strip),
    "mathmlelement": ("Web/MathML/Reference/Element/", str.strip),
    "httpheader": ("Web/HTTP/Reference/Headers/", str.strip),
    "httpstatus": ("Web/HTTP/Reference/Status/", str.strip),
    "httpmethod": ("Web/HTTP/Reference/Methods/", str.strip),
    "csp": ("Web/HTTP/Reference/Headers/Content-Security-Policy/", str.strip),
    "glossary": ("Glossary/", _with_underscores),
    "webextapiref": ("Mozilla/Add-ons/WebExtensions/API/", _javascript),
}
"""For each macro that is a link, its folder and the rule for names in it."""

ELSEWHERE = {
    "Web/JavaScript/Reference/Global_Objects/": ("Web/JavaScript/Reference/",),
    "Web/CSS/": tuple(
        f"Web/CSS/Reference/{kind}/" for kind in ("Properties", "Values", "Selectors", "At-rules")
    ),
}
"""Other folders that may contain a macro's page."""


class Mdn(SiteTree):
    """MDN's content, from its repository."""

    name = "mdn"
    sentence = "MDN's content, with its macros and redirects"
    signs = tuple(f"{folder}_redirects.txt" for folder in FOLDERS)
    bare = False

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._moved: dict[str, str] = {}
        lists = (start_of(f"{root}/{folder}_redirects.txt", 8 << 20) for folder in FOLDERS)
        for line in next(filter(None, lists), "").splitlines():
            old, _, new = line.partition("\t")
            if old.startswith(PREFIX):
                self._moved[self._slug(old)] = new.strip()

    @classmethod
    def prepare(cls, text: str) -> str:
        if "{{" not in text:
            return text
        return _MACRO.sub(lambda macro: _as_link(macro[2].lower(), macro[3]), text)

    def address(self, path: str, page: PageRecord) -> str:
        return page.slug or path.removesuffix("/index.md")

    def key(self, name: str) -> str:
        return unquote(super().key(name)).lower()

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        if not path.lower().startswith(PREFIX.lower()):
            return super().by_path(page, path)
        slug = path[len(PREFIX) :].strip("/")
        for candidate in (slug, *_elsewhere(slug)):
            moved = self._moved.get(candidate.lower(), "")
            if moved and not moved.startswith(PREFIX):
                return moved, True
            name = self._by_address.get(self._slug(moved) if moved else candidate.lower())
            if name is not None:
                return name, True
        return self.base + slug, False

    @staticmethod
    def _slug(address: str) -> str:
        return unquote(address.partition("#")[0])[len(PREFIX) :].strip("/").lower()


def _elsewhere(slug: str) -> Iterator[str]:
    for folder, others in ELSEWHERE.items():
        if slug.startswith(folder):
            yield from (other + slug.removeprefix(folder) for other in others)


@lru_cache(maxsize=1 << 16)
def _as_link(macro: str, written: str) -> str:
    if macro not in MACROS:
        return NO_LINK
    folder, spell = MACROS[macro]
    arguments = [a or b or c for a, b, c in _ARGUMENT.findall(written)] or [
        written.partition(",")[0]
    ]
    name = arguments[0].partition("#")[0].strip()
    if not name:
        return NO_LINK
    label = unescape(arguments[1] if len(arguments) > 1 and arguments[1] else name)
    return f'<a href="{PREFIX}{quote(folder + spell(name))}">{escape(label)}</a>'
