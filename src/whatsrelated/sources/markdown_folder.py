"""A folder of Markdown: a vault of notes, or the sources of documentation.

1. Workers read the files: front matter, links as written, sections.
2. Once all names are known, the rules for this kind of folder resolve each link (`trees`, `vault`,
  `mdn`).
3. The pages are yielded in order.  A link to a missing page leads to a page without links, or is
   left out (`unresolved="drop"`).

The names of the pages are kept in memory, their contents in a temporary file.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.options import option
from whatsrelated.sources.dead_links import FolderLinks, LineNumbers
from whatsrelated.sources.excluded_notes import KIND as EXCLUDED
from whatsrelated.sources.excluded_notes import ExcludedNotes
from whatsrelated.sources.folder import is_markdown_file, read_text_bytes, start_of
from whatsrelated.sources.folder_reader import FolderReader, sample_files
from whatsrelated.sources.html import as_utf8
from whatsrelated.sources.markdown import (
    has_wikilinks,
    markdown_parser,
    read_markdown,
    wikilink_target,
)
from whatsrelated.sources.mdn import Mdn
from whatsrelated.sources.page_reader import as_page
from whatsrelated.sources.reader import ReadContext
from whatsrelated.sources.trees import Docusaurus, Hugo, MkDocs, Tree, stem
from whatsrelated.sources.vault import Foam, Obsidian
from whatsrelated.stream import CheckedLinks, DeadLink, Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.front_matter import FrontMatter
    from whatsrelated.sources.page_records import PageRecord

SAMPLE_NOTES = 50
"""Number of notes checked for wikilinks; at least a fifth must have some."""

_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|mp3|wav|ogg|m4a|flac|3gp|mp4|webm|mov|mkv|ogv"
    r"|pdf|zip|gz|bin|canvas|base|css|js|json|csv|docx?|xlsx?|pptx?)",
    re.I,
)


@dataclass(frozen=True)
class MarkdownFolder(FolderReader):
    """A folder of Markdown files that link to each other by their paths."""

    name = Tree.name
    sentence = Tree.sentence
    family = "markdown"
    guide = "how-to/notes.md"
    tree: ClassVar[type[Tree]] = Tree
    """The rules for this kind of folder. A subclass need only define this."""

    unresolved: str = option(
        "keep", "keep or drop links to pages that do not exist", choices=("keep", "drop")
    )
    exclude: str | None = option(
        None,
        "leave out notes by tag or front matter: #draft, draft or status=private; may be repeated",
        lines=True,
        common=True,
        only_read=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exclude:
            ExcludedNotes(self.exclude)

    def __init_subclass__(cls) -> None:
        cls.name, cls.sentence = cls.tree.name, cls.tree.sentence

    @classmethod
    def recognises(cls, file: File) -> bool:
        if cls.tree.signs:
            return cls.tree.recognises(str(file.path))
        return any(map(is_markdown_file, sample_files(os.path.realpath(file.path))))

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        from whatsrelated.sources.page_records import PageSpool

        markdown_parser()
        root = os.path.realpath(file.path)
        tree = self.tree(root, self.base())
        counts = context.counter(self.name)
        spool = PageSpool(context.temporary)
        try:
            paths = self.page_files(root, tree.is_page, counts, context)
            work = ReadMarkdown(root, self, context.options.text)
            for page in self.read_pages(work, paths, spool, counts, context):
                if page.kind:
                    counts.update({"pages": -1, f"{page.kind} left out": 1})
                    if page.kind == EXCLUDED:
                        page.name = tree.page_name(page)
                        tree.add(page)
                        tree.excluded.add(page.name)
                    tree.leave_out(page)
                    continue
                page.name = tree.page_name(page)
                tree.add(page)
            links = self.folder_links(root, context)
            for page in spool:
                if page.kind:
                    continue
                page.name = tree.page_name(page)
                yield self._resolve_links(page, tree, links, counts)
            if tree.ambiguous:
                counts["links to a name shared by several pages"] += tree.ambiguous
        finally:
            spool.close()

    def _resolve_links(
        self, page: PageRecord, tree: Tree, checked: FolderLinks, counts: Counter[str]
    ) -> Page:
        links: dict[str, str] = {}
        dead: list[DeadLink] = []
        outside = 0
        lines: LineNumbers | None = None
        for number, href in enumerate(page.links):
            target, exists = tree.target(page, href)
            if not target or target == page.name or target in links:
                continue
            if target in tree.excluded:
                counts[f"links to {EXCLUDED} left out"] += 1
                continue
            outside += checked.is_outside(target)
            if not exists:
                if _ATTACHMENT.fullmatch(os.path.splitext(target)[1]):  # noqa: PTH122
                    counts["attachments left out"] += 1
                    continue
                written = wikilink_target(href) or href
                lines = lines or LineNumbers(tree.root, page.path)
                dead.append(DeadLink(lines.of_text(written), written))
                checked.add(page.path, written, dead[-1].line, counts)
                if self.unresolved == "drop":
                    continue
            elif checked.is_left_out(target, counts):
                continue
            links[target] = page.anchors[number] if page.anchors else ""
        counts["links"] += len(links)
        checked.count_outside(outside, counts)
        checks = CheckedLinks(dead, unchecked=outside)
        return as_page(page, page.name, links, checked=checks, file=page.path)


@dataclass(frozen=True)
class ReadMarkdown:
    """A worker's task: read the page in a file."""

    needs_all_files: ClassVar[bool] = False
    root: str
    reader: MarkdownFolder
    text: bool = False

    def __call__(self, path: str) -> bytes:
        from whatsrelated.sources.page_records import PageRecord, encode_record

        reader, tree = self.reader, self.reader.tree
        excluded = ExcludedNotes(reader.exclude) if reader.exclude else None
        text = as_utf8(read_text_bytes(f"{self.root}/{path}")).decode("utf-8", "replace")
        if kind := tree.kind_of(text, self.root, path):
            return encode_record(PageRecord(path=path, name="", links=[], kind=kind))
        markdown = tree.as_markdown(text)
        page = read_markdown(
            markdown,
            wikilinks=tree.wikilinks,
            bare=tree.bare,
            prepare=tree.prepare,
            anchors=reader.anchors,
            sections=reader.section != "all",
            words=self.text,
        )
        targets: dict[str, int] = {}
        left_out: Counter[str] = Counter()
        for number, (href, marks) in enumerate(page.html.links):
            kind = reader.reason_to_leave_out(marks)
            if kind:
                left_out[kind] += 1
            else:
                targets.setdefault(href.partition("#")[0], number)
        record = record_of(path, page.front, page.heading, tree)
        if excluded is not None and excluded.has(markdown):
            record.kind = EXCLUDED
            return encode_record(record)
        anchors = page.html.anchors
        record.links = list(targets)
        record.anchors = [anchors[n] for n in targets.values()] if anchors else []
        record.text = page.html.text
        record.left_out = dict(left_out)
        record.refused = {"broken front matter": 1} if page.front.broken else {}
        return encode_record(record)


def record_of(path: str, front: FrontMatter, heading: str, tree: type[Tree] = Tree) -> PageRecord:
    """The record of a page without its links: everything that names it."""
    from whatsrelated.sources.page_records import PageRecord

    return PageRecord(
        path=path,
        name="",
        links=[],
        title=front.first("title") or heading or stem(path).rpartition("/")[2],
        aliases=[name for key in tree.name_keys for name in front.values.get(key, ())],
        slug=front.first("slug"),
        url=front.first("url", "permalink"),
    )


class ObsidianVault(MarkdownFolder):
    """An Obsidian vault, or any folder of notes with wikilinks."""

    tree = Obsidian

    @classmethod
    def recognises(cls, file: File) -> bool:
        if super().recognises(file):
            return True
        root = os.path.realpath(file.path)
        paths = sample_files(root)
        notes = [path for path in paths if is_markdown_file(path)]
        if not notes or len(notes) * 2 < len(paths):
            return False
        some = notes[:SAMPLE_NOTES]
        return sum(has_wikilinks(start_of(f"{root}/{note}")) for note in some) * 5 >= len(some)


class FoamWorkspace(MarkdownFolder):
    """A Foam workspace."""

    tree = Foam


class MkDocsSources(MarkdownFolder):
    """The sources of a site made with MkDocs."""

    tree = MkDocs


class DocusaurusSources(MarkdownFolder):
    """The sources of a site made with Docusaurus."""

    tree = Docusaurus


class HugoSources(MarkdownFolder):
    """The sources of a site made with Hugo."""

    tree = Hugo


class MdnContent(MarkdownFolder):
    """MDN's content, from its repository."""

    tree = Mdn
