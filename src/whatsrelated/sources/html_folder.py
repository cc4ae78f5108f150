"""A folder of HTML pages: a built documentation, a site fetched with `wget -r`.

1. Workers read the pages.  A link inside navigation is left out, and so is one
   that `rel` disowns; the others are resolved to pages, each once, in page order.
2. When all have been read, it is decided which links came from a template
   (sources/templates), and which pages are copies.  A page that names another as
   its canonical one, or sends its reader there within `SOON` seconds, is that page
   under another name: links to it lead to the other, and its own links count where
   the other was not read.
3. The pages follow with the links that are left.

The canonical addresses that pages give themselves show where the folder is served,
so that a full URL into it is recognised as one of its pages, whatever they are
called here.  A canonical address that most pages of a site share is a mistake of
its template, and is ignored.

Memory holds one counter per frequent target and one entry per copy; pages wait
in a temporary file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.names.canonical import BadName
from whatsrelated.names.hosts import host_of
from whatsrelated.options import option
from whatsrelated.sources import html
from whatsrelated.sources.folder import Addresses, files, is_markdown_file, read_text_bytes
from whatsrelated.sources.folder_reader import FolderReader, as_page, sample_files
from whatsrelated.sources.reader import ReadContext
from whatsrelated.sources.templates import FEWEST, SHARE, TargetCounts
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.page_records import PageRecord, PageSpool

SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
"""Endings that say HTML."""

SERVED_SUFFIXES = frozenset({"", ".php", ".asp", ".aspx", ".jsp", ".jspx", ".cgi", ".pl", ".do"})
"""Endings that say nothing: the file is looked at."""

SOON = 5.0
"""A page that sends its reader elsewhere within so many seconds is a copy of that page."""


@dataclass(frozen=True)
class HtmlFolder(FolderReader):
    """The pages of a folder of HTML, with the links that count."""

    name: ClassVar[str] = "html"
    sentence: ClassVar[str] = "a folder of HTML pages"

    links: str = option(
        "content",
        "content: without navigation and template links; or all",
        choices=("content", "all"),
    )
    rel: str = option(
        "followed",
        "followed: without links marked nofollow, ugc or sponsored; or all",
        choices=("followed", "all"),
    )

    @classmethod
    def recognises(cls, file: File) -> bool:
        root = os.path.realpath(file.path)
        paths = sample_files(root)
        pages = sum(is_html_file(root, path) for path in paths)
        return pages > 0 and pages >= sum(map(is_markdown_file, paths))

    def reason_to_leave_out(self, marks: int) -> str:
        if self.links == "content" and marks & html.NAVIGATION:
            return "navigation"
        if self.rel == "followed" and marks & html.NOT_RECOMMENDED:
            return "nofollow"
        return super().reason_to_leave_out(marks)

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        from whatsrelated.sources.page_records import PageSpool

        root = os.path.realpath(file.path)
        base = self.base()
        found = context.found.setdefault(self.name, Counter())
        site = _Site(root, base)
        spool = PageSpool(context.temporary)
        try:
            paths = files(root, lambda path: is_html_file(root, path), context.refused)
            work = ReadHtml(root, base, self, context.text)
            for page in self.read_pages(work, paths, spool, found, context):
                site.add(page)
            if self.links == "content":
                site.find_templates(spool)
            site.find_copies(spool)
            yield from site.pages(spool, found)
        finally:
            spool.close()


@dataclass(frozen=True)
class ReadHtml:
    """The work of a worker: from the path of a file to the page it holds."""

    root: str
    base: str
    reader: HtmlFolder
    text: bool = False

    def __call__(self, path: str) -> bytes:
        from whatsrelated.sources.page_records import PageRecord, encode_record

        addresses = _addresses(self.root, self.base)
        data = read_text_bytes(f"{self.root}/{path}")
        reader = self.reader
        page = html.read_html(
            html.as_utf8(data),
            anchors=reader.anchors,
            sections=reader.section != "all",
            text=self.text,
        )
        url = addresses.url(path)
        name = addresses.name(path)
        refused: Counter[str] = Counter()
        try:
            base = addresses.absolute(url, page.base) if page.base else url
        except BadName:
            base = url
        content: dict[str, int] = {}
        left_out: dict[str, str] = {}
        targets = addresses.targets(base)
        reasons = [reader.reason_to_leave_out(marks) for marks in range(html.ALL_MARKS + 1)]
        for number, (href, marks) in enumerate(page.links):
            try:
                target = targets[href.partition("#")[0]]
            except BadName as error:
                refused[error.reason] += 1
                continue
            if not target or target == name:
                continue
            if reasons[marks]:
                left_out.setdefault(target, reasons[marks])
            elif target not in content:
                content[target] = number
        counts = Counter(kind for target, kind in left_out.items() if target not in content)
        return encode_record(
            PageRecord(
                path=path,
                name=name,
                links=list(content),
                title=page.title,
                same_as=self._same_as(page, addresses, base, name),
                anchors=[page.anchors[n] for n in content.values()] if page.anchors else [],
                text=page.text,
                left_out=dict(counts),
                refused=dict(refused),
            )
        )

    def _same_as(self, page: html.HtmlPage, addresses: Addresses, base: str, name: str) -> str:
        soon = page.refresh if page.refresh_after <= SOON else ""
        for href in filter(None, (page.canonical, soon)):
            try:
                target = addresses.target(base, href)
            except BadName:
                continue
            if target and target != name:
                return target
        return ""


@cache
def _addresses(root: str, base: str) -> Addresses:
    return Addresses(root, base)


def is_html_file(root: str, path: str) -> bool:
    """Whether a file of a folder is a page: by its name, else by how it begins."""
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


class _Site:
    """What is known of a folder once its pages have been read: copies and template links."""

    def __init__(self, root: str, base: str) -> None:
        self.home = ""
        self._homes: Counter[str] = Counter()
        self._counts: dict[str, TargetCounts] = {}
        self._templates: dict[str, frozenset[str]] = {}
        self._same_as: dict[str, str] = {}
        self._finals: dict[str, str] = {}
        self._originals: set[str] = set()
        self._addresses = Addresses(root, base)

    def add(self, page: PageRecord) -> None:
        site = host_of(page.name) or ""
        self._counts.setdefault(site, TargetCounts()).add(page.links)
        if page.same_as:
            self._same_as[page.name] = page.same_as
            self._homes[home_of(page.same_as, page.path)] += 1

    def find_templates(self, spool: PageSpool) -> None:
        """Count exactly what may be a template link; the others are none."""
        counted = {site: dict.fromkeys(c.candidates(), 0) for site, c in self._counts.items()}
        for page in spool if any(counted.values()) else ():
            counts = counted[host_of(page.name) or ""]
            for target in page.links:
                if target in counts:
                    counts[target] += 1
        for site, counts in counted.items():
            least = SHARE * self._counts[site].pages
            self._templates[site] = frozenset(t for t, n in counts.items() if n > least)

    def find_copies(self, spool: PageSpool) -> None:
        """Decide which pages are copies, and which of their originals were read."""
        del self._homes[""]
        if self._homes:
            self.home = self._homes.most_common(1)[0][0]
        claimed = Counter(self._same_as.values())
        pages = sum(counts.pages for counts in self._counts.values())
        most = SHARE * pages if pages >= FEWEST else pages
        self._finals = resolve_copies(
            {
                name: same
                for name, original in self._same_as.items()
                if claimed[original] <= most and (same := self._local(original)) != name
            }
        )
        originals = frozenset(self._finals.values())
        if originals:
            self._originals = {page.name for page in spool if page.name in originals}

    def pages(self, spool: PageSpool, found: Counter[str]) -> Iterator[Page]:
        for page in spool:
            name = self._final(page.name)
            if name != page.name:
                found["copies of other pages"] += 1
                if name in self._originals:
                    continue
            templates = self._templates.get(host_of(page.name) or "", frozenset())
            links: dict[str, str] = {}
            for number, target in enumerate(page.links):
                if target in templates:
                    found["template links left out"] += 1
                    continue
                final = self._final(self._local(target))
                if final != name and final not in links:
                    links[final] = page.anchors[number] if page.anchors else ""
            found["links"] += len(links)
            yield as_page(page, name, links)

    def _local(self, name: str) -> str:
        """A full URL into a folder without a base URL, as the page there."""
        if not self.home or not name.startswith(self.home):
            return name
        return self._addresses.local(self._addresses.origin + name[len(self.home) :])

    def _final(self, name: str) -> str:
        """The page that a name stands for."""
        return self._finals.get(name, name)


def resolve_copies(same_as: Mapping[str, str]) -> dict[str, str]:
    """The page that each copy stands for, through copies of copies; in a circle, the first."""
    found: dict[str, str] = {}
    for name in same_as:
        passed: dict[str, None] = {}
        while name in same_as and name not in found and name not in passed:
            passed[name] = None
            name = same_as[name]
        if name in passed:
            circle = list(passed)
            name = min(circle[circle.index(name) :])
        found.update(dict.fromkeys(passed, found.get(name, name)))
    return found


def home_of(address: str, path: str) -> str:
    """Where a folder is served if the file at `path` has that address; else empty."""
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
