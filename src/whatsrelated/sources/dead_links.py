"""Count links to missing pages of the same folder, and list them with their lines.

Each line of the list has the page, the line number and the link, separated by tabs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.names.hosts import host_of

if TYPE_CHECKING:
    from collections import Counter

    from whatsrelated.sources.reader import ReadContext

DEAD = "links to missing pages"
OUT = "links out of the folder"
OUTSIDE = "links to pages outside the folder left out"
MAX_LOCATED = 1000
"""Maximum number of broken links per page with line numbers, since each takes a search."""
_NO_PAGE = re.compile(r"(?:mailto|javascript|tel|data|sms|news|about|blob|callto|xmpp|irc):", re.I)
"""Addresses that are not pages."""


class FolderLinks:
    """Decides which links of a folder's pages to keep, and reports broken links."""

    def __init__(
        self, root: str, base: str, internal: bool, report: str | None, context: ReadContext
    ) -> None:
        self._root = root
        self._base = base
        self._internal = internal
        self._report = report
        if report is not None and report not in context.reports:
            context.reports.add(report)
            self._write("page\tline\tlink\n", "w")

    def is_left_out(self, target: str, counts: Counter[str]) -> bool:
        """Whether to drop a link because it leads outside the folder (`internal`)."""
        if not self._internal or self.is_inside(target):
            return False
        counts[OUTSIDE] += 1
        return True

    def is_inside(self, target: str) -> bool:
        """Whether a name belongs to the folder, even if no such file exists."""
        if _NO_PAGE.match(target):
            return False
        return target.startswith(self._base) if self._base else host_of(target) is None

    def is_outside(self, target: str) -> bool:
        """Whether a name is a page outside the folder."""
        return not (self.is_inside(target) or _NO_PAGE.match(target))

    def count_outside(self, outside: int, counts: Counter[str]) -> None:
        """Count links that lead outside the folder and are kept."""
        if outside and not self._internal:
            counts[OUT] += outside

    def add(self, path: str, link: str, line: int | None, counts: Counter[str]) -> None:
        """Count a broken link on the page at `path`, and list it with its line."""
        counts[DEAD] += 1
        if self._report is not None:
            self._write(f"{_cell(path)}\t{line or ''}\t{_cell(link)}\n", "a")

    def _write(self, text: str, mode: str) -> None:
        assert self._report is not None
        try:
            with Path(self._report).open(mode, encoding="utf-8", errors="replace") as file:
                file.write(text)
        except OSError as error:
            raise ReadError(f"{self._report} cannot be written: {error.strerror}.") from error


class LineNumbers:
    """The line numbers of one file's links; the file is read once."""

    def __init__(self, root: str, path: str) -> None:
        self._looked_for = 0
        try:
            self._data = Path(root, path).read_bytes()
        except OSError:
            self._data = b""

    def of_text(self, link: str) -> int | None:
        """The line of a link, found by a text search; only for the first `MAX_LOCATED`
        links.
        """
        self._looked_for += 1
        if self._looked_for > MAX_LOCATED:
            return None
        place = self._data.find(link.encode("utf-8", "surrogateescape"))
        return None if place < 0 else self._data.count(b"\n", 0, place) + 1


def _cell(text: str) -> str:
    """Text as a table cell, with tabs, newlines and control characters replaced."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
