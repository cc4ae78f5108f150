"""The result of scanning a source file: text that may become a link, and the existing links.

Positions are offsets into the decoded text of the file, so an edit changes nothing else.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple


class Span(NamedTuple):
    """A run of text that may contain a link; `block` numbers the paragraphs of a file.

    `code` is the text of an inline code span. It may become a link as a whole, with its marks, but
    nothing inside it may.
    """

    start: int
    end: int
    block: int
    code: str = ""


class SourceLink(NamedTuple):
    """A link: its extent, its words (as in the file, and as text), and its unresolved target."""

    start: int
    end: int
    words_start: int
    words_end: int
    words: str
    href: str
    block: int
    is_code: bool = False
    style: str = ""
    """The syntax of the link: inline, wiki or reference."""


@dataclass(slots=True)
class Scan:
    """The text of a file that may become a link, and its links, in order."""

    spans: list[Span] = field(default_factory=list)
    links: list[SourceLink] = field(default_factory=list)
    masked: str = ""
    """The text with macros blanked out, at the same positions."""
    labels: dict[str, str] = field(default_factory=dict)
    """The link reference definitions of Markdown: the target of each label."""
    see_also: int | None = None
    """The end of the last line of an existing "See also" list."""


class LineColumns:
    """Line and column of each position in the text; both start at 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        place = text.find("\n")
        while place >= 0:
            self._starts.append(place + 1)
            place = text.find("\n", place + 1)

    def __call__(self, place: int) -> tuple[int, int]:
        line = bisect_right(self._starts, place)
        return line, place - self._starts[line - 1] + 1


def context(text: str, start: int, end: int, width: int = 110) -> tuple[str, str, str]:
    """The words and the rest of their sentence before and after, on one line."""
    before, after = text[max(0, start - width) : start], text[end : end + width]
    cut = max(
        before.rfind("\n\n"),
        before.rfind("\r\n\r\n"),
        *(before.rfind(m) for m in (". ", "! ", "? ", "。")),
    )
    if cut >= 0:
        before = before[cut + 1 :]
    elif start > width:
        before = "…" + before.partition(" ")[2]
    stops = [
        place
        for mark in ("\n\n", "\r\n\r\n", ". ", ".\n", "! ", "? ", "。")
        if (place := after.find(mark)) >= 0
    ]
    if stops:
        after = after[: min(stops) + 1]
    elif end + width < len(text):
        after = after.rpartition(" ")[0] + "…"

    def one_line(part: str) -> str:
        return " ".join(f"|{part}|".split())[1:-1]

    return one_line(before).lstrip(), one_line(text[start:end]), one_line(after).rstrip()
