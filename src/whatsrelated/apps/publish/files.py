"""The files of a published site: their names, and the links between them.

Each page of the graph has one file with its answer and two with its links. A file is named after
the URL, so links from elsewhere stay valid when the site is published again:
`page/nytimes-com-3f2a9b1c07.html`. The readable part is cut; the digest tells files apart.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from whatsrelated.apps.serve.destinations import Destinations
from whatsrelated.apps.serve.state import PageState
from whatsrelated.apps.serve.static import address
from whatsrelated.contract.markup import outside

PACKAGE = "whatsrelated.apps.publish"
SCRIPT = "published.js"
MARKER = "published.json"
"""The file that marks a folder as a published site."""
FOLDERS = {"": "page", "in": "in", "out": "out"}
"""The folder of each list of a page: its answer, the pages that link to it, those it links to."""
ALLOWED = re.compile(
    r"(?:page|in|out)/[a-z0-9-]{1,60}\.html|data/(?:pages|related-[0-9]{1,4})\.js"
    r"|static/[a-z]{1,20}\.(?:css|js|svg)"
    r"|(?:index|graph|map|pages(?:-[0-9]{1,6})?|ranks(?:-[a-z0-9-]{1,40})?)\.html|published\.json"
)
"""Every file that is written or removed, relative to the folder."""
LONGEST_NAME = 40
DIGEST_BYTES = 5


def file_name(url: str) -> str:
    """The name of a page's files, without the folder or suffix."""
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)
    bare = re.sub(r"^https?://(?:www\.)?", "", url.lower())
    words = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")[:LONGEST_NAME].strip("-")
    return f"{words}-{digest.hexdigest()}".lstrip("-")


@dataclass(frozen=True)
class Files(Destinations):
    """Link targets in a published site, from a file whose path to the top folder is `root`."""

    root: str = ""

    live = False

    def opens(self, url: str) -> str | None:
        """The address of a page on the Web; the site cannot open any other page."""
        return outside(url)

    @property
    def home(self) -> str:  # type: ignore[override]
        """The start page."""
        return f"{self.root}index.html"

    @property
    def scripts(self) -> list[str]:  # type: ignore[override]
        """The script that searches without a server."""
        return [self.root + address(SCRIPT, PACKAGE)]

    def static(self, name: str) -> str:
        return self.root + address(name)

    def view(self, name: str, **fields: Any) -> str:
        return f"{self.root}{'-'.join([name, *map(str, fields.values())])}.html"

    def state(self, state: PageState) -> PageState:
        return state if isinstance(state, FileState) else FileState(**vars(state), files=self)


@dataclass(frozen=True)
class FileState(PageState):
    """A state of the page, whose links lead to files."""

    files: Files = Files()

    def link(self, **changes: Any) -> str:
        """The file that shows a page, or a list of its links; other changes need a server."""
        urls, show = changes.get("url", self.urls), changes.get("show", self.show)
        url = urls if isinstance(urls, str) else urls[0]
        return f"{self.files.root}{FOLDERS[show]}/{file_name(url)}.html"
