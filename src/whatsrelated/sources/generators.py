"""More kinds of Markdown folders: VitePress, Astro, Jekyll, Nuxt Content, Logseq.

Each kind defines the addresses of its files; see `trees`.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from whatsrelated.sources.folder import start_of
from whatsrelated.sources.markdown_folder import MarkdownFolder
from whatsrelated.sources.trees import INDEX_NAMES, SiteTree, stem
from whatsrelated.sources.vault import Obsidian

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord


class CleanSite(SiteTree):
    """A site whose addresses may be written with or without `.html`."""

    name = "clean-site"
    roots: tuple[str, ...] = ()
    """Folders that may contain the pages; the first that exists is used."""

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        present = (part for part in self.roots if os.path.isdir(f"{root}/{part}"))  # noqa: PTH112
        self.content = next(present, "")

    def key(self, name: str) -> str:
        return super().key(name).removesuffix(".html")

    def address(self, path: str, page: PageRecord) -> str:
        folder, _, last = stem(path).rpartition("/")
        if last.lower() in INDEX_NAMES:
            return f"{folder}/" if folder else ""
        return stem(path)


class VitePress(CleanSite):
    """VitePress: `guide/install.md` is served at `guide/install.html`, or without `.html`."""

    name = "vitepress"
    sentence = "the sources of a site made with VitePress"
    signs = (".vitepress", "docs/.vitepress")

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        at = "docs/" if os.path.isdir(f"{root}/docs/.vitepress") else ""  # noqa: PTH112
        self.content = at
        endings = ("mts", "ts", "mjs", "js")
        config = "".join(start_of(f"{root}/{at}.vitepress/config.{end}") for end in endings)
        self.ending = "" if re.search(r"cleanUrls:\s*true", config) else ".html"

    def address(self, path: str, page: PageRecord) -> str:
        address = super().address(path, page)
        return address if not address or address.endswith("/") else address + self.ending


class Astro(CleanSite):
    """Astro: `src/content/docs/Guides/Start.md` is served at `guides/start/`."""

    name = "astro"
    sentence = "the sources of a site made with Astro"
    signs = ("astro.config.mjs", "astro.config.ts", "astro.config.js")
    roots = ("src/content/docs/", "src/content/", "src/pages/")

    def address(self, path: str, page: PageRecord) -> str:
        if page.slug:
            return page.slug.strip("/") + "/"
        address = super().address(path, page).lower().replace(" ", "-")
        return address if not address or address.endswith("/") else address + "/"


class Jekyll(CleanSite):
    """Jekyll: `_posts/2026-11-17-tea.md` is served at `2026/11/17/tea.html`."""

    name = "jekyll"
    sentence = "the sources of a site made with Jekyll"
    signs = ("_posts", "_layouts", "_includes")
    _dated = re.compile(r"(?:.*/)?(\d{4})-(\d{2})-(\d{2})-([^/]+)")
    _link = re.compile(r"\{%-?\s*(link|post_url)\s+(\S+?)\s*-?%\}")
    _base = re.compile(r"\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}")

    @classmethod
    def prepare(cls, text: str) -> str:
        if "{" not in text:
            return text

        def path(match: re.Match[str]) -> str:
            return "/" + (match[2] if match[1] == "link" else f"_posts/{match[2]}.md")

        return cls._link.sub(path, cls._base.sub("", text))

    def address(self, path: str, page: PageRecord) -> str:
        if page.url:
            return page.url.lstrip("/")
        dated = self._dated.fullmatch(stem(path)) if "_posts/" in path else None
        if dated:
            return "/".join(dated.groups()) + ".html"
        address = super().address(path.lstrip("_"), page)
        return address if not address or address.endswith("/") else address + ".html"


class NuxtContent(CleanSite):
    """Nuxt content: `content/1.name/2.page.md` is served at `name/page`."""

    name = "nuxt"
    sentence = "the contents of a site made with Nuxt"
    signs = ("nuxt.config.ts", "nuxt.config.js", "content.config.ts")
    roots = ("content/",)
    _number = re.compile(r"(^|/)\d+\.\s*(?=[^/])")

    def address(self, path: str, page: PageRecord) -> str:
        plain = self._number.sub(r"\1", path).lower().replace(" ", "-")
        return super().address(plain, page).rstrip("/")


MAX_PROPERTIES = 50
"""`alias::` counts only in this many lines at the top of a Logseq page."""


_DATE_PART = re.compile(r"y{4}|yy|M{1,4}|do|dd?|E{1,4}")


def day_title(format: str, day: date) -> str:
    """A day in the format of Logseq's settings, such as `EEE, MMM do, yyyy`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 * (day.day // 10 != 1), "th")
    parts = {"do": f"{day.day}{ending}", "d": str(day.day), "M": str(day.month)}
    codes = {"yyyy": "%Y", "yy": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "dd": "%d"}
    parts |= {part: day.strftime(code) for part, code in codes.items()}
    weekdays = dict.fromkeys(("E", "EE", "EEE"), day.strftime("%a")) | {"EEEE": f"{day:%A}"}
    return _DATE_PART.sub(lambda part: (parts | weekdays)[part[0]], format)


class Logseq(Obsidian):
    """Logseq: `pages/tea___green.md` is the page `tea/green`; tags are links.

    `alias:: cha, chai` at the top of a page gives it more names. `((id))` leads to the page of the
    block with the line `id:: id`. A day of the journal is also known by its title, such as
    `Nov 2nd, 2026`. `logseq/` holds settings and backups, not pages.
    """

    name = "logseq"
    sentence = "a Logseq graph of notes that link by name"
    signs = ("logseq/config.edn",)
    left_out = ("logseq/",)
    _tag = re.compile(r"(?:^|(?<=\s))#(?:\[\[([^\[\]\n]++)\]\]|([^\s#,.!?;:'\"\[\](){}]+))")
    _labelled = re.compile(r"\]\((\[\[[^\[\]\n]++\]\]|\(\([0-9a-f-]{8,36}\)\))\)")
    _block = re.compile(r"\(\([0-9a-f-]{8,36}\)\)")
    _tags = re.compile(r"^((?:- )?[ \t]*+tags:: )([^\n]++)", re.M | re.I)
    _tag_name = re.compile(r"#?\[\[([^\[\]]++)\]\]|#?([^\s,][^,\n]*+)")
    _day = re.compile(r"(?:.*/)?(\d{4})[_-](\d\d)[_-](\d\d)")
    _title_format = re.compile(r'^[^;\n]*:journal/page-title-format\s+"([^"\n]*)"', re.M)

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        chosen = self._title_format.search(start_of(f"{root}/logseq/config.edn"))
        self._journal_title = chosen[1] if chosen else "MMM do, yyyy"

    _own_block = re.compile(r"^[ \t]*+id:: ([0-9a-f-]{8,36})[ \t\r]*$", re.M)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        names: list[str] = []
        for line in text.split("\n", MAX_PROPERTIES):
            key, mark, value = line.removeprefix("- ").partition("::")
            if not mark and line.strip():
                break
            if key.strip().lower() == "alias":
                names += (name.strip(" \t[]#\r") for name in value.split(","))
        names += (f"(({block}))" for block in cls._own_block.findall(text))
        return f"---\naliases: {json.dumps(names)}\n---\n{text}" if names else text

    @classmethod
    def prepare(cls, text: str) -> str:
        text = cls._tags.sub(cls._with_tags, super().prepare(text))
        text = cls._block.sub(r"[[\g<0>]]", cls._labelled.sub(r"] \1", text))
        return cls._tag.sub(lambda tag: f"[[{tag[1] or tag[2]}]]", text) if "#" in text else text

    @classmethod
    def _with_tags(cls, line: re.Match[str]) -> str:
        """A line of tags as links; commas separate names that need no brackets."""
        names = (match[1] or match[2].rstrip() for match in cls._tag_name.finditer(line[2]))
        return line[1] + " ".join(f"[[{name}]]" for name in names)

    def page_name(self, page: PageRecord) -> str:
        path = page.path
        page.path = self._plain(path)
        name = super().page_name(page)
        page.path = path
        return name

    def add(self, page: PageRecord) -> None:
        page.path = self._plain(page.path)
        if (day := self._day.fullmatch(stem(page.path))) is not None:
            with suppress(ValueError):
                written = date(*map(int, day.groups()))
                page.aliases = [*page.aliases, day_title(self._journal_title, written)]
        super().add(page)

    @staticmethod
    def _plain(path: str) -> str:
        """A page's path, from its file name: `___` is a slash, and other special characters are
        escaped.
        """
        inner = path.removeprefix("pages/")
        return unquote(inner.replace("___", "/"))


class VitePressSources(MarkdownFolder):
    """The sources of a site made with VitePress."""

    tree = VitePress


class AstroSources(MarkdownFolder):
    """The sources of a site made with Astro."""

    tree = Astro


class JekyllSources(MarkdownFolder):
    """The sources of a site made with Jekyll."""

    tree = Jekyll


class NuxtSources(MarkdownFolder):
    """The contents of a site made with Nuxt."""

    tree = NuxtContent


class LogseqGraph(MarkdownFolder):
    """A Logseq graph."""

    tree = Logseq
