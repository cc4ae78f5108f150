"""A folder of HTML pages: built documentation, or a site fetched with `wget -r`.

1. Workers read the pages (sources/html_pages).
2. When all have been read, template links and copies of pages are found
   (sources/page_set).
3. The pages are yielded with the remaining links.

The pages' canonical addresses show where the folder is served, so a full URL into the folder is
recognised as one of its pages, whatever the pages are named.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.names.hosts import host_of
from whatsrelated.sources import html
from whatsrelated.sources.dead_links import FolderLinks
from whatsrelated.sources.folder import Addresses, is_markdown_file, read_text_bytes
from whatsrelated.sources.folder_reader import FolderReader, sample_files
from whatsrelated.sources.html_pages import read_page
from whatsrelated.sources.page_reader import HtmlReader
from whatsrelated.sources.page_set import PageSet
from whatsrelated.sources.reader import ReadContext
from whatsrelated.stream import CheckedLinks, DeadLink, Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.page_records import PageRecord

SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
"""The file extensions of HTML."""

SERVED_SUFFIXES = frozenset({"", ".php", ".asp", ".aspx", ".jsp", ".jspx", ".cgi", ".pl", ".do"})
"""Files with these extensions are pages only if their contents look like HTML."""


@dataclass(frozen=True)
class HtmlFolder(HtmlReader, FolderReader):
    """The pages of a folder of HTML, with the links that count."""

    name = "html"
    sentence = "a folder of HTML pages"
    guide = "how-to/sites.md"

    @classmethod
    def recognises(cls, file: File) -> bool:
        root = os.path.realpath(file.path)
        paths = sample_files(root)
        pages = sum(is_html_file(root, path) for path in paths)
        return pages > 0 and pages >= sum(map(is_markdown_file, paths))

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        from whatsrelated.sources.page_records import PageSpool

        root = os.path.realpath(file.path)
        base = self.base()
        counts = context.counter(self.name)
        links = self.folder_links(root, context)
        site = _Site(root, base, links, counts)
        spool = PageSpool(context.temporary)
        try:
            paths = self.page_files(root, lambda path: is_html_file(root, path), counts, context)
            work = ReadHtml(root, base, self, context.options.text)
            for page in self.read_pages(work, paths, spool, counts, context):
                site.add(page)
            site.find_home()
            if self.links == "content":
                site.find_templates(spool)
            site.find_copies(spool)
            if site.home and not base:
                context.published.append(site.home)
            yield from site.leave_out(site.pages(spool, counts), links, counts)
        finally:
            spool.close()


@dataclass(frozen=True)
class ReadHtml:
    """A worker's task: read the page in a file."""

    needs_all_files: ClassVar[bool] = True
    root: str
    base: str
    reader: HtmlFolder
    text: bool = False

    def __call__(self, path: str) -> bytes:
        from whatsrelated.sources.page_records import encode_record

        addresses = _addresses(self.root, self.base)
        return encode_record(
            read_page(
                read_text_bytes(f"{self.root}/{path}"),
                addresses.url(path),
                self.reader,
                addresses,
                name=addresses.name(path),
                path=path,
                text=self.text,
            )
        )


@cache
def _addresses(root: str, base: str) -> Addresses:
    return Addresses(root, base)


def is_html_file(root: str, path: str) -> bool:
    """Whether a file in a folder is a page, by its name or, failing that, its beginning."""
    name = path.rpartition("/")[2].lower()
    if name.endswith(SUFFIXES):
        return True
    if os.path.splitext(name.partition("?")[0])[1] not in SERVED_SUFFIXES:  # noqa: PTH122
        return False
    try:
        with open(f"{root}/{path}", "rb") as file:  # noqa: PTH123
            return html.looks_like_html(file.read(2048))
    except OSError:
        return False


class _Site(PageSet):
    """The pages of a folder by their canonical addresses, and the folder's base URL."""

    has_files = True

    def __init__(self, root: str, base: str, checked: FolderLinks, counts: Counter[str]) -> None:
        super().__init__()
        self.home = ""
        self.checked = checked
        self._link_counts = counts
        self._known_files: dict[str, bool] = {}
        self._homes: Counter[str] = Counter()
        self._addresses = Addresses(root, base)

    def add(self, page: PageRecord) -> None:
        super().add(page)
        if page.same_as:
            self._homes[home_of(page.same_as, page.path)] += 1

    def find_home(self) -> None:
        """Find where the folder is served, once all pages have been added."""
        del self._homes[""]
        if self._homes:
            self.home = self._homes.most_common(1)[0][0]

    def leave_out(
        self, pages: Iterator[Page], links: FolderLinks, counts: Counter[str]
    ) -> Iterator[Page]:
        """The same pages without unwanted links."""
        for page in pages:
            kept = [not links.is_left_out(target, counts) for target in page.links]
            if all(kept):
                yield page
                continue
            counts["links"] -= kept.count(False)
            anchors = list(compress(page.anchors, kept)) if page.anchors else ()
            yield replace(page, links=list(compress(page.links, kept)), anchors=anchors)

    def check(self, page: PageRecord, links: Collection[str]) -> CheckedLinks:
        """Check that links into the folder, including navigation, lead to a file."""
        targets = dict.fromkeys([*links, *map(self.final, page.navigation)])
        away = [target for target in targets if self.checked.is_outside(target)]
        self.checked.count_outside(sum(target in links for target in away), self._link_counts)
        outside = len(away)
        broken = [
            target
            for target in targets
            if self.checked.is_inside(target) and not self._is_there(target)
        ]
        if not broken:
            return CheckedLinks(unchecked=outside)
        written = zip((*page.links, *page.navigation), page.lines, strict=False)
        lines: dict[str, int] = {}
        for link, line in written:
            lines.setdefault(self.final(link), line)
        dead = [DeadLink(lines.get(target) or None, target) for target in broken]
        for broken_link in dead:
            self.checked.add(page.path, broken_link.link, broken_link.line, self._link_counts)
        return CheckedLinks(dead, unchecked=outside)

    def _is_there(self, target: str) -> bool:
        if target not in self._known_files:
            self._known_files[target] = self._addresses.file_of(target) is not None
        return self._known_files[target]

    def local(self, name: str) -> str:
        """The page at a full URL into a folder without a base URL."""
        if not self.home or not name.startswith(self.home):
            return name
        return self._addresses.local(self._addresses.origin + name[len(self.home) :])


def home_of(address: str, path: str) -> str:
    """The folder's base URL if the file at `path` has that address; empty if that is impossible."""
    if host_of(address) is None:
        return ""
    plain = Addresses(".", "https://").url(path).removeprefix("https://")
    folder, _, file = plain.rpartition("/")
    ends = [plain]
    if file.startswith("index."):
        ends.append(f"{folder}/" if folder else "")
    ends += [end.removesuffix(".html") for end in ends if end.endswith(".html")]
    for end in ends:
        if address.endswith("/" + end):
            return address[: len(address) - len(end)]
    return ""
