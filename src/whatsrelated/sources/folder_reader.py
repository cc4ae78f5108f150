"""The base class of folder readers: the URL of the folder, and its links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from whatsrelated.errors import OptionError
from whatsrelated.names.canonical import BadName
from whatsrelated.options import option
from whatsrelated.sources.dead_links import FolderLinks
from whatsrelated.sources.folder import MARKDOWN_SUFFIXES, base_of, files
from whatsrelated.sources.page_reader import PageReader
from whatsrelated.sources.reader import ReadContext
from whatsrelated.stream import Refused

SAMPLE_FILES = 1000
"""Number of files sampled to recognise the kind of a folder."""

FOLDER_FORMATS = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys(MARKDOWN_SUFFIXES, "markdown"),
    **dict.fromkeys((".rst", ".rest"), "rst"),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), "asciidoc"),
    ".org": "org",
}
"""The formats of pages that a folder may hold, by file extension."""

SINGLE_FILES = frozenset(
    {
        *(".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".db", ".sqlite", ".opml"),
        *(".graphml", ".gexf", ".gml", ".dot", ".gv", ".net", ".mtx", ".nt", ".bib", ".ris"),
        *(".warc", ".wacz", ".zim"),
    }
)
"""Extensions of files that are separate sources."""

UNREAD = frozenset({".textile", ".mediawiki", ".creole", ".pod", ".rdoc", ".typ"})
"""Extensions of markup that no reader knows."""


@dataclass(frozen=True)
class FolderReader(PageReader):
    """A folder of pages, read by workers."""

    folders = True
    is_site = True

    base_url: str | None = option(
        None,
        "URL where the folder is served; without it, pages are named by their paths",
        common=True,
        only_read=True,
    )

    internal: bool = option(False, "leave out links to pages outside the folder")
    report: str | None = option(
        None, "write links to missing pages of the folder to this file, with page and line"
    )

    def folder_links(self, root: str, context: ReadContext) -> FolderLinks:
        """The object that decides which links to keep."""
        return FolderLinks(root, self.base(), self.internal, self.report, context)

    def page_files(
        self, root: str, is_page: Callable[[str], bool], counts: Counter[str], context: ReadContext
    ) -> Iterator[str]:
        """The files with pages; files that another reader could read are counted."""
        own_format = self.name if self.name in FOLDER_FORMATS.values() else self.family

        def is_wanted(path: str) -> bool:
            if is_page(path):
                return True
            suffix = PurePath(path.lower().removesuffix(".gz")).suffix
            other = FOLDER_FORMATS.get(suffix)
            if other not in (None, own_format):
                counts[f"{suffix} files not read (--format {other} reads those instead)"] += 1
            elif suffix in SINGLE_FILES:
                counts[f"{suffix} files not read (name them as sources to include them)"] += 1
            elif suffix in UNREAD:
                counts[f"{suffix} files not read (convert them to Markdown)"] += 1
            elif other is not None:
                counts["non-page files left out"] += 1
            return False

        return files(root, is_wanted, context.refused)

    def base(self) -> str:
        """The base URL in canonical form, or empty; raises OptionError if it is not a URL."""
        return checked_base(self.name, self.base_url)


def checked_base(owner: str, base_url: str | None) -> str:
    """A base URL in canonical form, or empty; raises OptionError if it is not a URL."""
    if not base_url:
        return ""
    try:
        return base_of(base_url)
    except BadName as error:
        raise OptionError(
            f"{owner}: base_url must be a URL such as https://example.org/docs/, "
            f"got {base_url!r:.80} ({error.reason})."
        ) from None


def sample_files(root: str) -> list[str]:
    """The first files of a folder, to recognise its kind."""
    return list(islice(files(root, lambda path: True, Refused()), SAMPLE_FILES))
