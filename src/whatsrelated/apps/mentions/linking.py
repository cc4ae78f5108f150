"""The markup of a new link, in the style of its file.

An address that the site already uses for the target is preferred; otherwise it is a relative path.
Each address is first resolved as the reader would resolve it, so a new link always leads to its
target.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from html import escape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from whatsrelated.api.reading import WIKILINK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from whatsrelated.apps.mentions.corpus import Corpus, SourceText
    from whatsrelated.apps.mentions.finder import Place

_SAFE = "/:@!$&'*+,;=~"
_RST_BEFORE = frozenset(" \t\n'\"([{<-/:")
_RST_AFTER = frozenset(" \t\r\n'\")]}>-/:.,;!?\\")


class Edit(NamedTuple):
    """A part of a file's text and its replacement."""

    path: str
    start: int
    end: int
    new: str
    href: str
    """The address in the new link."""


class LinkWriter:
    """Writes links in the style of a site."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.folder = corpus.folder
        self._paths = {text.page: text.path for text in corpus.texts}
        self._addresses: dict[int, Counter[str]] = {}
        self._styles: Counter[str] = Counter()
        self._bare: Counter[bool] = Counter()
        for text in corpus.texts:
            for link, target in zip(text.scan.links, text.targets, strict=True):
                if target >= 0:
                    self._styles[link.style] += 1
                    if link.style in ("inline", "reference", "doc", "html"):
                        href = link.href.partition("#")[0]
                        self._addresses.setdefault(target, Counter())[href] += 1
                        self._bare[not re.search(r"\.\w{1,8}$", href)] += 1

    def edit(self, place: Place, page: int, target: int) -> Edit | None:
        """The edit that adds a link; None if this file cannot have one there."""
        text = self.corpus.texts[self.corpus.by_page[page]]
        whole = text.decoded.text
        if place.words:
            raw = whole[place.start : place.end]
            markup = self._link(text, place.start, place.end, raw, target)
            return markup and Edit(text.path, place.start, place.end, *markup)
        return self._see_also(text, place.start, target)

    def _see_also(self, text: SourceText, start: int, target: int) -> Edit | None:
        if self.folder.tree is None or self.folder.format in ("rst", "asciidoc", "org", "dokuwiki"):
            return None
        title = self.corpus.store.title(target) or self._paths.get(target, "")
        words = re.sub(r"([\\`*_\[\]<>])", r"\\\1", " ".join(title.split()))
        markup = self._link(text, start, start, words, target)
        if markup is None or not words:
            return None
        whole = text.decoded.text
        newline = "\r\n" if "\r\n" in whole else "\n"
        if text.scan.see_also is not None:
            line = whole[whole.rfind("\n", 0, start) + 1 : start]
            bullet = re.match(r"[ \t]*[-*+] ", line)
            if bullet is None:
                return None
            return Edit(text.path, start, start, f"{newline}{bullet[0]}{markup[0]}", markup[1])
        lead = f"{newline}{newline}## See also{newline}{newline}- "
        end = "" if whole[start:].startswith(("\n", "\r\n")) else newline
        return Edit(text.path, start, start, f"{lead}{markup[0]}{end}", markup[1])

    def _link(
        self, text: SourceText, start: int, end: int, words: str, target: int
    ) -> tuple[str, str] | None:
        """The markup of a link, and its address."""
        kind = self.folder.format if self.folder.tree is not None else "html"
        if kind == "html":
            href = self._address(text, target)
            return (f'<a href="{escape(href)}">{words}</a>', href) if href else None
        if kind == "rst":
            return self._rst(text, start, end, words, target)
        if kind in ("asciidoc", "org", "dokuwiki"):
            return self._other(kind, text, words, target)
        style = self._style(text)
        if style == "wiki":
            return self._wiki(text, start, words, target)
        for label, href in text.scan.labels.items() if style == "reference" else ():
            if self._leads_to(text.path, href, target):
                return f"[{words}][{label}]", href
        href = self._address(text, target)
        return (f"[{words}]({href})", href) if href else None

    def _style(self, text: SourceText) -> str:
        in_file = Counter(link.style for link in text.scan.links)
        for styles in (in_file, self._styles):
            known = {name: styles[name] for name in ("wiki", "inline", "reference") if styles[name]}
            if known:
                return max(known, key=lambda name: known[name])
        return "wiki" if self.folder.format in ("obsidian", "foam", "logseq") else "inline"

    def _wiki(
        self, text: SourceText, start: int, words: str, target: int
    ) -> tuple[str, str] | None:
        if "`" in words or "|" in words or "]" in words or "\n" in words:
            return None
        whole = text.decoded.text
        line = whole[whole.rfind("\n", 0, start) + 1 : start]
        bar = "\\|" if line.lstrip().startswith("|") else "|"
        path = self._paths.get(target, "")
        name = path.rpartition("/")[2].rpartition(".")[0]
        for target_name in (words, name, path.rpartition(".")[0]):
            if target_name and self._leads_to(
                text.path, WIKILINK + quote(target_name, safe=""), target
            ):
                mark = (
                    f"[[{target_name}]]"
                    if target_name == words
                    else f"[[{target_name}{bar}{words}]]"
                )
                return mark, target_name
        return None

    def _rst(
        self, text: SourceText, start: int, end: int, words: str, target: int
    ) -> tuple[str, str] | None:
        whole = text.decoded.text
        before, after = whole[start - 1 : start] or " ", whole[end : end + 1] or " "
        if before not in _RST_BEFORE or after not in _RST_AFTER or re.search(r"[<>`\\:|]", words):
            return None
        path = self._relative(text.path, target)
        if path is None:
            return None
        sphinx = self._styles["doc"] + self._styles["ref"] >= self._styles["inline"]
        href = posixpath.splitext(path)[0] if sphinx else path
        if not self._leads_to(text.path, href, target):
            return None
        return (f":doc:`{words} <{href}>`" if sphinx else f"`{words} <{href}>`__"), href

    def _other(
        self, kind: str, text: SourceText, words: str, target: int
    ) -> tuple[str, str] | None:
        if re.search(r"[\[\]|\n]", words):
            return None
        if kind == "dokuwiki":
            name = ":" + self.corpus.store.url(target)
            return f"[[{name}|{words}]]", name
        path = self._relative(text.path, target)
        if path is None or not self._leads_to(text.path, path, target):
            return None
        return (
            f"xref:{path}[{words}]" if kind == "asciidoc" else f"[[file:{path}][{words}]]"
        ), path

    def _address(self, text: SourceText, target: int) -> str | None:
        for href in self._written(text, target):
            if (
                href
                and not re.search(r"[\s()<>\"]", href)
                and self._leads_to(text.path, href, target)
            ):
                return href
        return None

    def _written(self, text: SourceText, target: int) -> Iterator[str]:
        """Addresses to try: as the site writes them, then relative paths."""
        known = [href for href, _ in self._addresses.get(target, Counter()).most_common(5)]
        absolute = [href for href in known if href.startswith("/")]
        yield from absolute
        path = self._relative(text.path, target)
        quoted = quote(path, safe=_SAFE) if path is not None else ""
        if quoted and self._bare[True] > self._bare[False]:
            yield (
                re.sub(r"(?:/?(?:index|README|_index))?\.\w+$", "/", quoted)
                if quoted.endswith(("/index.md", "/index.html"))
                else posixpath.splitext(quoted)[0]
            )
        if quoted:
            yield quoted
        yield from known
        yield "/en-US/docs/" + quote(self.corpus.store.url(target), safe=_SAFE)

    def _relative(self, path: str, target: int) -> str | None:
        file = self._paths.get(target)
        if file is None:
            return None
        return posixpath.relpath(file, posixpath.dirname(path) or ".").replace(os.sep, "/")

    def _leads_to(self, path: str, href: str, target: int) -> bool:
        return self.corpus.page_of(self.folder.target(path, href)) == target
