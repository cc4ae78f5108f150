"""What all readers of folders share: options, worker processes, counts of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.errors import OptionError
from whatsrelated.names.canonical import BadName
from whatsrelated.options import option
from whatsrelated.sources import html
from whatsrelated.sources.folder import base_of, files
from whatsrelated.sources.reader import ReadContext, Reader
from whatsrelated.stream import Page, Refused

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord, PageSpool

SAMPLE_FILES = 1000
"""How many files of a folder are looked at to recognise its kind."""


@dataclass(frozen=True)
class FolderReader(Reader):
    """A folder of pages, read by workers."""

    folders: ClassVar[bool] = True

    base_url: str | None = option(
        None, "the URL that the folder is served at; without it, pages are named by path", kind=str
    )
    section: str = option(
        "all",
        'which links to read: all, those outside "See also" sections, or only those in them',
        choices=("all", "body", "see-also"),
    )
    anchors: bool = option(False, "keep the anchor texts of links")
    workers: int = option(0, "how many processes read pages; 0 for one per processor", low=0)
    page_seconds: float = option(
        20.0, "the time limit for one page, in seconds", low=0, open_low=True
    )

    def base(self) -> str:
        """The base URL in canonical form, or empty; OptionError where it is no URL."""
        if not self.base_url:
            return ""
        try:
            return base_of(self.base_url)
        except BadName as error:
            raise OptionError(
                f"{self.name}: base_url must be a URL such as https://example.org/docs/, "
                f"got {self.base_url!r:.80} ({error.reason})."
            ) from None

    def reason_to_leave_out(self, marks: int) -> str:
        """Why a link with these marks is left out; empty where it is not."""
        if self.section == "body" and marks & html.SEE_ALSO:
            return "see-also"
        if self.section == "see-also" and not marks & html.SEE_ALSO:
            return "body"
        return ""

    def read_pages(
        self,
        work: Callable[[str], bytes],
        paths: Iterator[str],
        spool: PageSpool,
        found: Counter[str],
        context: ReadContext,
    ) -> Iterator[PageRecord]:
        """The pages that workers read from files, each added to the spool."""
        from whatsrelated.sources import workers
        from whatsrelated.sources.page_records import decode_record

        found.update({"pages": 0, "links": 0})
        seconds = self.page_seconds
        for path, answer in workers.results(work, paths, workers=self.workers, seconds=seconds):
            if isinstance(answer, workers.Lost):
                context.refuse(answer.reason, path)
                continue
            spool.add(answer)
            page = decode_record(answer)
            found["pages"] += 1
            found.update({f"{kind} links left out": n for kind, n in page.left_out.items()})
            for reason, count in page.refused.items():
                context.refuse(reason, path, count)
            if context.progress is not None:
                context.progress("reading pages", found["pages"], None)
            yield page


def as_page(record: PageRecord, name: str, links: dict[str, str]) -> Page:
    """The page that a record becomes, with these links and their anchor texts."""
    anchors = list(links.values()) if record.anchors else ()
    return Page(name, list(links), record.title or None, record.text or None, anchors)


def sample_files(root: str) -> list[str]:
    """The first files of a folder, to recognise its kind by."""
    return list(islice(files(root, lambda path: True, Refused()), SAMPLE_FILES))
