"""What all readers of folders have in common: options, workers, the count of what was found."""

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
from whatsrelated.sources.reader import Reader, Reading
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.sources.reading import PageRead, Spool

LOOKED_AT = 1000
"""Files of a folder that are looked at to tell what it is."""


@dataclass(frozen=True)
class FolderReader(Reader):
    """A folder of pages, read by workers."""

    folders: ClassVar[bool] = True

    base_url: str | None = option(
        None, "where the folder is served; without it, pages are named by their paths", kind=str
    )
    section: str = option(
        "all",
        'take the links of "See also" sections, those of the rest of the page, or all',
        choices=("all", "body", "see-also"),
    )
    anchors: bool = option(False, "keep the text of links")
    workers: int = option(0, "processes that read pages, 0 for one per processor", low=0)
    page_seconds: float = option(20.0, "time that one page may take", low=0, open_low=True)

    def base(self) -> str:
        """The base URL as it is used; OptionError where it is none."""
        if not self.base_url:
            return ""
        try:
            return base_of(self.base_url)
        except BadName as error:
            raise OptionError(
                f"{self.name}: base_url must be a URL such as https://example.org/docs/, "
                f"got {self.base_url!r:.80} ({error.reason})."
            ) from None

    def unwanted(self, marks: int) -> str:
        """Which kind of link is left out that has these marks; empty where it is not."""
        if self.section == "body" and marks & html.SEE_ALSO:
            return "see-also"
        if self.section == "see-also" and not marks & html.SEE_ALSO:
            return "body"
        return ""

    def pages_read(
        self,
        work: Callable[[str], bytes],
        paths: Iterator[str],
        spool: Spool,
        found: Counter[str],
        reading: Reading,
    ) -> Iterator[PageRead]:
        """The pages that workers make of files, each kept in the spool."""
        from whatsrelated.sources import workers
        from whatsrelated.sources.reading import decoded

        found.update({"pages": 0, "links": 0})
        seconds = self.page_seconds
        for path, answer in workers.results(work, paths, workers=self.workers, seconds=seconds):
            if isinstance(answer, workers.Lost):
                reading.refuse(answer.reason, path)
                continue
            spool.add(answer)
            page = decoded(answer)
            found["pages"] += 1
            found.update({f"{kind} links left out": n for kind, n in page.left_out.items()})
            for reason, count in page.refused.items():
                reading.refuse(reason, path, count)
            if reading.progress is not None:
                reading.progress("reading pages", found["pages"], None)
            yield page


def looked_at(root: str) -> list[str]:
    """The first files of a folder, to tell by them what it is."""
    return list(islice(files(root, lambda path: True, Refused()), LOOKED_AT))
