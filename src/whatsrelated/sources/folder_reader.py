"""The base of readers of folders: the URL of the folder, and its links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from whatsrelated.errors import OptionError
from whatsrelated.names.canonical import BadName
from whatsrelated.options import option
from whatsrelated.sources.dead_links import FolderLinks
from whatsrelated.sources.folder import base_of, files
from whatsrelated.sources.page_reader import PageReader
from whatsrelated.sources.reader import ReadContext
from whatsrelated.stream import Refused

SAMPLE_FILES = 1000
"""Number of files sampled to recognise the kind of a folder."""


@dataclass(frozen=True)
class FolderReader(PageReader):
    """A folder of pages, read by workers."""

    folders = True
    is_site = True

    base_url: str | None = option(
        None, "the URL that the folder is served at; without it, pages are named by path"
    )

    internal: bool = option(False, "leave out links to pages outside the folder")
    report: str | None = option(
        None, "a file for the links to pages of the folder that are not there, with page and line"
    )

    def folder_links(self, root: str, context: ReadContext) -> FolderLinks:
        """Decides which links to keep, from the options."""
        return FolderLinks(root, self.base(), self.internal, self.report, context)

    def base(self) -> str:
        """The base URL in canonical form, or empty; OptionError if it is not a URL."""
        return checked_base(self.name, self.base_url)


def checked_base(owner: str, base_url: str | None) -> str:
    """A base URL in canonical form, or empty; OptionError if it is not a URL."""
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
