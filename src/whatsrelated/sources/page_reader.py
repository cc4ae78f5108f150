"""The base class of page readers: options, worker processes and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from whatsrelated.options import option
from whatsrelated.sources import html
from whatsrelated.sources.reader import ReadContext, Reader
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord, PageSpool


NAVIGATION = "navigation"
"""The reason for leaving out a navigation link."""


class FolderWork(Protocol):
    """A worker's task: turn the path of a file into the record of its page."""

    @property
    def root(self) -> str:
        """The folder."""

    @property
    def needs_all_files(self) -> bool:
        """Whether a record depends on which other files exist."""

    def __call__(self, path: str) -> bytes: ...


def links_option() -> Any:
    """The `links` option, shared by every reader that recognises navigation."""
    sentence = "which links to read: content (no navigation or template links) or all"
    return option("content", sentence, choices=("content", "all"))


@dataclass(frozen=True)
class SectionReader(Reader):
    """Pages whose "See also" sections can be recognised."""

    section: str = option(
        "all",
        'which links to read: all, those outside "See also" sections, or only those in them',
        choices=("all", "body", "see-also"),
    )
    anchors: bool = option(False, "keep the anchor texts of links")
    workers: int = option(0, "number of processes that read pages; 0 for one per processor", low=0)

    def reason_to_leave_out(self, marks: int) -> str:
        """The reason to leave out a link with these marks; empty if it is kept."""
        if self.section == "body" and marks & html.SEE_ALSO:
            return "see-also"
        if self.section == "see-also" and not marks & html.SEE_ALSO:
            return "body"
        return ""


@dataclass(frozen=True)
class PageReader(SectionReader):
    """Pages read by workers, one by one."""

    page_seconds: float = option(20.0, "time limit for one page, in seconds", low=0, open_low=True)

    def read_pages(
        self,
        work: FolderWork,
        paths: Iterator[str],
        spool: PageSpool,
        counts: Counter[str],
        context: ReadContext,
    ) -> Iterator[PageRecord]:
        """The pages that workers read from files; adds each to the spool."""
        from whatsrelated.machine import workers

        counts.update({"pages": 0, "links": 0})
        settings: dict[str, Any] = {
            "noun": "the reader",
            "workers": self.workers,
            "seconds": self.page_seconds,
        }
        if context.parsed is None:
            answers = workers.results(work, paths, **settings)
        else:
            answers = context.parsed.results(work, paths, **settings)
        for path, answer in answers:
            if isinstance(answer, workers.Lost):
                context.refuse(answer.reason, path)
            else:
                yield add_record(answer, spool, counts, context)


@dataclass(frozen=True)
class HtmlReader(PageReader):
    """HTML pages with the links that count."""

    links: str = links_option()
    rel: str = option(
        "followed",
        "which links count: followed (none marked nofollow, ugc or sponsored) or all",
        choices=("followed", "all"),
    )

    def reason_to_leave_out(self, marks: int) -> str:
        if self.links == "content" and marks & html.NAVIGATION:
            return NAVIGATION
        if self.rel == "followed" and marks & html.NOT_RECOMMENDED:
            return "nofollow"
        return super().reason_to_leave_out(marks)


def add_record(
    encoded: bytes, spool: PageSpool, counts: Counter[str], context: ReadContext
) -> PageRecord:
    """Add a page from a worker to the spool, and add up its counts."""
    from whatsrelated.sources.page_records import decode_record

    spool.add(encoded)
    page = decode_record(encoded)
    counts["pages"] += 1
    counts.update({f"{kind} links left out": n for kind, n in page.left_out.items()})
    for reason, count in page.refused.items():
        context.refuse(reason, page.path, count)
    if context.progress is not None:
        context.progress("reading pages", counts["pages"], None)
    return page


def as_page(record: PageRecord, name: str, links: dict[str, str], **known: Any) -> Page:
    """Turn a record into a page with these links and their anchor texts."""
    anchors = list(links.values()) if record.anchors else ()
    return Page(name, list(links), record.title or None, record.text or None, anchors, **known)
