"""A folder of Markdown: a vault of notes, a documentation's sources.

1. Workers read the files: front matter, links as written, sections.
2. When all names are known, the rules of this kind of folder say where each link
   leads (sources/trees, vault, mdn).
3. The pages are given out.  A link to a page that is not there leads to a page
   without links of its own, or is left out (`unresolved="drop"`).

Memory holds the names of the pages; what they say waits in a temporary file.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.options import option
from whatsrelated.sources.folder import files, is_markdown_file, readable, start_of
from whatsrelated.sources.folder_reader import FolderReader, looked_at
from whatsrelated.sources.html import as_utf8
from whatsrelated.sources.markdown import has_wikilinks, markdown_parser, read_markdown
from whatsrelated.sources.mdn import FOLDERS, Mdn
from whatsrelated.sources.reader import Reading
from whatsrelated.sources.trees import Docusaurus, Hugo, MkDocs, Tree, stem
from whatsrelated.sources.vault import Foam, Obsidian
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.reading import PageRead

NOTES_LOOKED_AT = 50
"""Notes that are looked at for wikilinks; a fifth of them must have any."""

_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|mp3|wav|ogg|m4a|flac|3gp|mp4|webm|mov|mkv|ogv"
    r"|pdf|zip|gz|canvas|base|css|js|json|csv|docx?|xlsx?|pptx?)",
    re.I,
)


@dataclass(frozen=True)
class MarkdownFolder(FolderReader):
    """A folder of Markdown files that link to each other by their paths."""

    name: ClassVar[str] = "markdown"
    sentence: ClassVar[str] = "a folder of Markdown files"
    family: ClassVar[str] = "markdown"
    tree: ClassVar[type[Tree]] = Tree
    signs: ClassVar[tuple[str, ...]] = ()
    """Files that lie in a folder of this kind, and in no other."""

    unresolved: str = option(
        "keep", "keep links to pages that are not there, or drop them", choices=("keep", "drop")
    )

    @classmethod
    def recognises(cls, file: File) -> bool:
        if cls.signs:
            return any(Path(file.path, sign).exists() for sign in cls.signs)
        return any(map(is_markdown_file, looked_at(os.path.realpath(file.path))))

    def read(self, file: File, reading: Reading) -> Iterator[Page]:
        from whatsrelated.sources.reading import Spool

        markdown_parser()
        root = os.path.realpath(file.path)
        tree = self.tree(root, self.base())
        found = reading.found.setdefault(self.name, Counter())
        spool = Spool(reading.temporary)
        try:
            paths = files(root, is_markdown_file, reading.refused)
            work = ReadMarkdown(root, self, reading.text)
            for page in self.pages_read(work, paths, spool, found, reading):
                page.name = tree.page_name(page)
                tree.add(page)
            for page in spool:
                page.name = tree.page_name(page)
                yield self._resolved(page, tree, found)
            if tree.ambiguous:
                found["links to a name that several pages have"] += tree.ambiguous
        finally:
            spool.close()

    def _resolved(self, page: PageRead, tree: Tree, found: Counter[str]) -> Page:
        kept: dict[str, str] = {}
        for number, href in enumerate(page.links):
            target, there = tree.target(page, href)
            if not target or target == page.name or target in kept:
                continue
            if not there:
                if _ATTACHMENT.fullmatch(os.path.splitext(target)[1]):  # noqa: PTH122
                    found["attachments left out"] += 1
                    continue
                found["links to pages that are not there"] += 1
                if self.unresolved == "drop":
                    continue
            kept[target] = page.anchors[number] if page.anchors else ""
        found["links"] += len(kept)
        anchors = list(kept.values()) if page.anchors else ()
        return Page(page.name, list(kept), page.title or None, page.text or None, anchors)


@dataclass(frozen=True)
class ReadMarkdown:
    """The work of a worker: from the path of a file to the page it holds."""

    root: str
    reader: MarkdownFolder
    text: bool = False

    def __call__(self, path: str) -> bytes:
        from whatsrelated.sources.reading import PageRead, encoded

        reader, tree = self.reader, self.reader.tree
        page = read_markdown(
            as_utf8(readable(f"{self.root}/{path}")).decode("utf-8", "replace"),
            wikilinks=tree.wikilinks,
            bare=tree.bare,
            prepare=tree.prepared,
            anchors=reader.anchors,
            sections=reader.section != "all",
            words=self.text,
        )
        kept: dict[str, int] = {}
        left: Counter[str] = Counter()
        for number, (href, marks) in enumerate(page.html.links):
            kind = reader.unwanted(marks)
            if kind:
                left[kind] += 1
            else:
                kept.setdefault(href.partition("#")[0], number)
        front = page.front
        return encoded(
            PageRead(
                path=path,
                name="",
                links=list(kept),
                title=front.first("title") or page.heading or stem(path).rpartition("/")[2],
                anchors=[page.html.anchors[n] for n in kept.values()] if page.html.anchors else [],
                text=page.html.text,
                left_out=dict(left),
                refused={"broken front matter": 1} if front.broken else {},
                aliases=[*front.values.get("aliases", ()), *front.values.get("alias", ())],
                slug=front.first("slug"),
                url=front.first("url", "permalink"),
            )
        )


@dataclass(frozen=True)
class ObsidianVault(MarkdownFolder):
    """A vault of Obsidian's, or any folder of notes with wikilinks."""

    name: ClassVar[str] = "obsidian"
    sentence: ClassVar[str] = "a vault of notes that link by name"
    tree: ClassVar[type[Tree]] = Obsidian
    signs: ClassVar[tuple[str, ...]] = (".obsidian",)

    @classmethod
    def recognises(cls, file: File) -> bool:
        if super().recognises(file):
            return True
        root = os.path.realpath(file.path)
        paths = looked_at(root)
        notes = [path for path in paths if is_markdown_file(path)]
        if not notes or len(notes) * 2 < len(paths):
            return False
        some = notes[:NOTES_LOOKED_AT]
        return sum(has_wikilinks(start_of(f"{root}/{note}")) for note in some) * 5 >= len(some)


@dataclass(frozen=True)
class FoamWorkspace(MarkdownFolder):
    """A workspace of Foam's."""

    name: ClassVar[str] = "foam"
    sentence: ClassVar[str] = "a Foam workspace of notes that link by name"
    tree: ClassVar[type[Tree]] = Foam
    signs: ClassVar[tuple[str, ...]] = (".foam", ".vscode/foam.json")


@dataclass(frozen=True)
class MkDocsSources(MarkdownFolder):
    """The sources of a site made with MkDocs."""

    name: ClassVar[str] = "mkdocs"
    sentence: ClassVar[str] = "the sources of a site made with MkDocs"
    tree: ClassVar[type[Tree]] = MkDocs
    signs: ClassVar[tuple[str, ...]] = ("mkdocs.yml", "mkdocs.yaml")


@dataclass(frozen=True)
class DocusaurusSources(MarkdownFolder):
    """The sources of a site made with Docusaurus."""

    name: ClassVar[str] = "docusaurus"
    sentence: ClassVar[str] = "the sources of a site made with Docusaurus"
    tree: ClassVar[type[Tree]] = Docusaurus
    signs: ClassVar[tuple[str, ...]] = ("docusaurus.config.js", "docusaurus.config.ts")


@dataclass(frozen=True)
class HugoSources(MarkdownFolder):
    """The sources of a site made with Hugo."""

    name: ClassVar[str] = "hugo"
    sentence: ClassVar[str] = "the sources of a site made with Hugo"
    tree: ClassVar[type[Tree]] = Hugo
    signs: ClassVar[tuple[str, ...]] = ("hugo.toml", "hugo.yaml", "config/_default/hugo.toml")


@dataclass(frozen=True)
class MdnContent(MarkdownFolder):
    """MDN's content, as its repository has it."""

    name: ClassVar[str] = "mdn"
    sentence: ClassVar[str] = "MDN's content, with its macros and redirects"
    tree: ClassVar[type[Tree]] = Mdn
    signs: ClassVar[tuple[str, ...]] = tuple(f"{folder}_redirects.txt" for folder in FOLDERS)
