"""Web archives as a source: each page occurs once.

1. Workers read archives in ranges (`splits`). All archives of a build are read together, since a
   page and the redirect to it may be in different ones.
2. `capture_set` decides which captures count.
3. Redirects, canonical addresses and revisits merge pages, and template links are left out, as in a
   folder (sources/page_set).

Memory: 32 bytes per capture, a counter per host, and an entry per redirect, copy or failure. The
pages themselves are in a temporary file.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.options import option
from whatsrelated.sources.archive.containers import NAMES, Containers, is_archive
from whatsrelated.sources.files import File
from whatsrelated.sources.folder import files
from whatsrelated.sources.folder_reader import sample_files
from whatsrelated.sources.page_reader import HtmlReader, add_record
from whatsrelated.sources.page_set import PageSet
from whatsrelated.sources.reader import ReadContext
from whatsrelated.stream import CheckedLinks, DeadLink, Page, RedirectedLink

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.sources.archive.capture_set import CaptureSet
    from whatsrelated.sources.archive.splits import RangeContents
    from whatsrelated.sources.page_records import PageRecord, PageSpool


@dataclass(frozen=True)
class ArchiveReader(HtmlReader):
    """The pages of web archives."""

    name = "warc"
    sentence = "a web archive: WARC, ARC, WACZ or WAT"
    guide = "how-to/archives.md"
    contents = is_archive
    family = "warc"
    suffixes = (".warc", ".arc", ".wacz", ".wat")
    together = True

    captures: str = option(
        "newest",
        "which captures of a page to use: the newest, the oldest, or all with their links joined",
        choices=("newest", "oldest", "all"),
    )
    redirects: str = option(
        "fold",
        "fold a page into the page it redirects to or names as canonical, or keep both",
        choices=("fold", "keep"),
    )

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        return self.read_together([file], context)

    def read_together(self, files: list[File], context: ReadContext) -> Iterator[Page]:
        from whatsrelated.sources.page_records import PageSpool

        spool, containers = PageSpool(context.temporary), Containers(context)
        try:
            yield from _Archives(self, context, spool).pages(files, containers)
        finally:
            spool.close()
            containers.close()


@dataclass(frozen=True)
class ArchiveFolder(ArchiveReader):
    """A folder of web archives, including its subfolders."""

    name = "warcs"
    sentence = "a folder of web archives"
    guide = "how-to/archives.md"
    folders = True

    @classmethod
    def recognises(cls, file: File) -> bool:
        paths = sample_files(os.path.realpath(file.path))
        archives = sum(NAMES.search(path) is not None for path in paths)
        pages = sum(path.lower().endswith((".html", ".htm", ".md")) for path in paths)
        return archives > pages

    def read_together(self, folders: list[File], context: ReadContext) -> Iterator[Page]:
        archives = []
        for folder in folders:
            root = os.path.realpath(folder.path)
            names = files(root, lambda path: NAMES.search(path) is not None, context.refused)
            archives += [File(os.path.join(folder.path, name)) for name in names]  # noqa: PTH118
        return super().read_together(archives, context)


class _ArchivePages(PageSet):
    """The pages of archives; links are checked against the captured responses."""

    def __init__(self, captures: CaptureSet, redirects: dict[str, str]) -> None:
        super().__init__()
        self._captures = captures
        self._all_redirects = redirects

    @cached_property
    def _responses(self) -> tuple[dict[str, tuple[str, int]], dict[str, int], NDArray[int64]]:
        """The redirects' final targets, the addresses that failed, and the hashes of those that did
        not.
        """
        captures = self._captures
        return follow(self._all_redirects), captures.failures(), captures.answered()

    def check(self, page: PageRecord, links: Collection[str]) -> CheckedLinks:
        """The links that fail or redirect; links to addresses that were never fetched are
        unchecked.
        """
        redirects, failures, answered = self._responses
        dead: list[DeadLink] = []
        redirected: list[RedirectedLink] = []
        ends = []
        links_and_navigation = (*page.links, *page.navigation)
        lines = page.lines or [0] * len(links_and_navigation)
        for link, line in zip(links_and_navigation, lines, strict=True):
            end, hops = redirects.get(link, (link, 0))
            if end in failures:
                dead.append(DeadLink(line or None, link, failures[end]))
                continue
            if end != link:
                redirected.append(RedirectedLink(link, end, hops, line or None))
            if end:
                ends.append(hash(end))
        known = answered[np.searchsorted(answered, ends)] == ends
        return CheckedLinks(dead, redirected, int(np.count_nonzero(~known)))


def follow(redirects: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """The final target of each redirect and the number of hops; a loop has no target and 0 hops."""
    ends: dict[str, tuple[str, int]] = {}
    for name in redirects:
        passed: dict[str, None] = {}
        while name in redirects and name not in ends and name not in passed:
            passed[name] = None
            name = redirects[name]
        end, hops = ("", 0) if name in passed else ends.get(name, (name, 0))
        for hop, one in enumerate(reversed(passed), 1):
            ends[one] = end, hops + hop if end else 0
    return ends


class _Archives:
    """The archives of one source during reading."""

    def __init__(self, reader: ArchiveReader, context: ReadContext, spool: PageSpool) -> None:
        from whatsrelated.sources.archive.capture_set import CaptureSet

        self.reader = reader
        self.context = context
        self.spool = spool
        self.counts = context.counter("archives")
        self.counts.update({"pages": 0, "links": 0})
        self.captures: CaptureSet = CaptureSet()
        self.redirects: dict[str, str] = {}
        self.revisits: dict[str, tuple[str, str]] = {}

    def pages(self, files: list[File], containers: Containers) -> Iterator[Page]:
        from whatsrelated.sources.archive.capture_set import ChosenPages
        from whatsrelated.sources.archive.splits import ReadRange, read_archives

        reader = self.reader
        parts = (part for file in files for part in containers.slices(file))
        work = ReadRange(reader, self.context.options.text)
        for batch in read_archives(
            parts, work, processes=reader.workers, seconds=reader.page_seconds
        ):
            self._add(batch)
        chosen = ChosenPages(self.spool, self.captures.choose(reader.captures))
        self._require_pages(files)
        pages = _ArchivePages(self.captures, self.redirects)
        for page in chosen:
            if reader.redirects == "keep":
                page.same_as = ""
            pages.add(page)
        self._add_redirects(pages)
        if reader.links == "content":
            pages.find_templates(chosen)
        pages.find_copies(chosen)
        if reader.redirects == "keep":
            yield from self._kept_redirects()
        yield from pages.pages(chosen, self.counts)

    def _add(self, batch: RangeContents) -> None:
        for encoded in batch.pages:
            self.captures.add(add_record(encoded, self.spool, self.counts, self.context))
        self.redirects.update(batch.redirects)
        for response in batch.statuses:
            self.captures.add_status(*response)
        for name, date, same, repeated, digest in batch.revisits:
            if same == name or not (same or digest):
                self.captures.add_revisit(name, date, repeated)
            else:
                self.revisits[name] = same, digest
        self.counts.update(batch.counts)
        for reason, place in batch.refused:
            self.context.refuse(reason, place)

    def _add_redirects(self, pages: PageSet) -> None:
        """Add redirects and revisits of addresses that are not pages themselves."""
        has_capture = dict(zip(self.redirects, self.captures.has(self.redirects), strict=True))
        for name in [name for name in self.redirects if has_capture[name]]:
            del self.redirects[name]
        if self.reader.redirects == "fold":
            for name, target in self.redirects.items():
                pages.add_redirect(name, target)
        captured = self.captures.has(self.revisits)
        repeats = {
            name: original
            for (name, original), has in zip(self.revisits.items(), captured, strict=True)
            if not has
        }
        digests = {digest for same, digest in repeats.values() if digest and not same}
        by_digest = {
            page.digest: page.name for page in self.spool if digests and page.digest in digests
        }
        originals = {
            name: same or by_digest.get(digest, "") for name, (same, digest) in repeats.items()
        }
        captured = self.captures.has(originals.values())
        for (name, original), has in zip(originals.items(), captured, strict=True):
            if has:
                self.captures.add_status(name, 0, 200)
            if original:
                pages.add_redirect(name, original)
            else:
                self.counts["revisits of missing pages"] += 1

    def _kept_redirects(self) -> Iterator[Page]:
        for name, target in self.redirects.items():
            self.counts["links"] += 1
            yield Page(name, [target])

    def _require_pages(self, files: list[File]) -> None:
        if self.counts["pages"] or self.redirects:
            return
        label = files[0].label if len(files) == 1 else f"None of {len(files):,} archives"
        if self.counts["extracted texts"]:
            raise ReadError(
                f"{label} has extracted texts (WET) but no links; use the WARC or WAT files "
                "instead."
            )
        refused = self.context.refused
        why = f"; {refused}" if refused.total() else ""
        raise ReadError(f"{label} has no HTML pages{why}.")
