"""The titles of a wiki: its namespaces, its case rule, and the title a link leads to.

1. Entities and escapes are decoded; runs of spaces and underscores become one space.
2. Text after `#` is a section; a leading colon makes a category a plain link.
3. Text before a colon is a namespace (in the wiki's language, in English or an alias) or the prefix
   of another wiki; otherwise it belongs to the title.
4. The first letter is a capital, unless the namespace is case-sensitive.

A dump does not list the prefixes of other wikis; they are in `languages`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Any
from urllib.parse import unquote

import msgspec

from whatsrelated.errors import OptionError
from whatsrelated.options import option
from whatsrelated.sources.mediawiki.languages import (
    ALIASES,
    CANONICAL,
    LANGUAGES,
    PROJECTS,
    SUBPAGES,
    WIKIPEDIA_ALIASES,
)

MEDIA, SPECIAL, ARTICLES, FILES, TEMPLATES, CATEGORIES = -2, -1, 0, 6, 10, 14

LONGEST = 255
"""Maximum size of a title in bytes, without its namespace."""

INTERWIKI, FILE, CATEGORY, OTHER, SELF, INVALID = (
    "interwiki",
    "file",
    "category",
    "other namespace",
    "same page",
    "not a title",
)
"""The reason a link does not lead to a page."""

_BLANKS = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\t\r\n]+")
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]")
_NEVER = re.compile("[<>\\[\\]|{}\x00-\x1f\x7f\ufffd]|^(?:\\w+:)?//")
_PICTURE = re.compile(r"[^:]*+:.*\.(?:jpe?g|png|svg|gif|tiff?|webp|og[gv]|webm)", re.I | re.S)


class Namespace(msgspec.Struct, array_like=True, frozen=True):
    """A namespace: its number, its name in the wiki's language, its case rule."""

    number: int
    name: str
    first_letter: bool = True


class SiteInfo(msgspec.Struct, array_like=True, frozen=True):
    """A dump's information about its wiki."""

    database: str = ""
    main_page: str = ""
    namespaces: tuple[Namespace, ...] = tuple(
        Namespace(number, name.capitalize()) for number, name in CANONICAL.items()
    )

    @property
    def base(self) -> str:
        """The URL prefix of a page's title, if the dump gives the URL of the main page."""
        return self.main_page[: self.main_page.rfind("/") + 1]


class Titles:
    """The titles of one wiki."""

    def __init__(self, site: SiteInfo) -> None:
        self.site = site
        self._names = {one.number: one.name for one in site.namespaces}
        self._sensitive = frozenset(one.number for one in site.namespaces if not one.first_letter)
        self.keeps_case = ARTICLES in self._sensitive
        """Whether the first letter of an article may be in lower case."""
        self._numbers: dict[str, int] = {**ALIASES}
        self._numbers.update((name, number) for number, name in CANONICAL.items())
        if site.database.endswith("wiki"):
            self._numbers.update(WIKIPEDIA_ALIASES)
        names = ((one.name.lower(), one.number) for one in site.namespaces if one.name)
        self._numbers.update(names)
        self._subpages = SUBPAGES.fullmatch(site.database) is not None

    def namespace(self, title: str) -> int:
        """The number of the namespace of a title in the dump."""
        prefix, colon, _ = title.partition(":")
        return self._numbers.get(prefix.lower(), ARTICLES) if colon else ARTICLES

    def find(self, target: str, page: str = "", within: int = ARTICLES) -> tuple[str, int | str]:
        """The title that a link leads to and its namespace, or the reason there is none.

        `page` is the title of the page with the link; `within` is the default namespace.
        """
        if "&" in target:
            target = html.unescape(target)
        if "%" in target:
            target = unquote(target, errors="replace")
        target = _BLANKS.sub(" ", _DIRECTION_MARKS.sub("", target)).partition("#")[0].strip(" ")
        plain = target.startswith(":")
        target = target.removeprefix(":").lstrip(" ")
        if not target:
            return "", SELF
        if target.startswith(("/", "../")) and self._has_subpages(page):
            target = _relative(page, target)
        number, rest = within, target
        prefix, colon, after = target.partition(":")
        if colon and not plain and not prefix:
            return "", INVALID
        if colon:
            key = prefix.rstrip(" ").lower()
            if key in self._numbers:
                number, rest = self._numbers[key], after.lstrip(" ")
            elif key in PROJECTS or key in LANGUAGES:
                return "", INTERWIKI
        return self._in_namespace(number, rest, plain)

    def _in_namespace(self, number: int, rest: str, plain: bool) -> tuple[str, int | str]:
        if number == MEDIA or (number == FILES and not plain):
            return "", FILE
        if number == CATEGORIES and not plain:
            return "", CATEGORY
        if number == ARTICLES and not plain and _PICTURE.fullmatch(rest):
            return "", FILE
        if not rest.isascii():
            rest = unicodedata.normalize("NFC", rest)
        if not rest or _NEVER.search(rest) or len(rest.encode(errors="replace")) > LONGEST:
            return "", INVALID
        if number not in self._sensitive:
            rest = capital(rest)
        name = self._names.get(number, "")
        return (f"{name}:{rest}" if name else rest), number

    def _has_subpages(self, page: str) -> bool:
        return bool(page) and (self._subpages or self.namespace(page) != ARTICLES)


def namespaces_option() -> Any:
    """The option for namespaces, shared by dumps and tables."""
    sentence = "numbers of the namespaces to read, such as 0,14 (0 is articles), or all"
    return option("0", sentence, kind=str)


def wanted_namespaces(reader: str, listed: str) -> frozenset[int] | None:
    """The numbers of the namespaces to read, None for all; raises OptionError if they are
    invalid.
    """
    if listed.strip() == "all":
        return None
    numbers = [part.strip() for part in listed.split(",")]
    if not all(re.fullmatch(r"-?[0-9]{1,9}", number) for number in numbers):
        raise OptionError(
            f"{reader}: namespaces must be numbers such as 0,14, or all, got {listed!r:.80}."
        )
    return frozenset(map(int, numbers))


def _relative(page: str, target: str) -> str:
    """A subpage of a page, or a page relative to it."""
    if target.startswith("/"):
        return page + target.rstrip("/")
    while target.startswith("../"):
        page, target = page.rpartition("/")[0], target[3:]
    return f"{page}/{target}".strip("/")


def capital(title: str) -> str:
    """Capitalise a title's first letter, as MediaWiki does.

    Georgian letters and letters whose capital is not a single letter stay unchanged.
    """
    first = title[0]
    upper = first.upper()
    if upper == first or len(upper) != 1 or "\u10d0" <= first <= "\u10ff":
        return title
    return upper + title[1:]
