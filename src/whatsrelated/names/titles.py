"""Find and remove the text that most titles on a site share, such as ` — Python 3.11.2
documentation`.

Many sites put their name before or after each page title, with a separator. Text that more than
half of the titles share says nothing about the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_MARK = re.compile(r"(?<!\s)\s++[-\u2013\u2014|·•:»«]++\s++|:\s++")
FEWEST = 5
"""Minimum number of titles needed to find shared text."""
MAX_KEPT = 10_000
"""Maximum number of beginnings and endings to count; the rarest are dropped."""


class TitleEnds:
    """Counts how titles begin and end."""

    def __init__(self) -> None:
        self.titles = 0
        self._counts: Counter[tuple[str, bool]] = Counter()

    def add(self, title: str) -> None:
        self.titles += 1
        marks = list(_MARK.finditer(title))
        if not marks:
            return
        if title[marks[-1].end() :] and title[: marks[-1].start()]:
            self._counts[title[marks[-1].start() :], True] += 1
        self._counts[title[: marks[0].end()], False] += 1
        if len(self._counts) > 2 * MAX_KEPT:
            self._counts = Counter(dict(self._counts.most_common(MAX_KEPT)))

    def most_common(self, limit: int) -> list[tuple[str, bool, int]]:
        """The most frequent beginnings and endings: the text, whether it is an ending, and its
        count.
        """
        return [(*key, count) for key, count in self._counts.most_common(limit)]

    def merge(self, titles: int, counts: Iterable[tuple[str, bool, int]]) -> None:
        """Add counts that were collected elsewhere."""
        self.titles += titles
        for text, is_end, count in counts:
            self._counts[text, is_end] += count

    def shared(self) -> list[str]:
        """The text that more than half of the titles begin or end with, including its separator."""
        if self.titles < FEWEST:
            return []
        return [text for (text, _), count in self._counts.items() if count * 2 > self.titles]


def shorten(title: str, ends: Iterable[str]) -> str:
    """A title without the beginning or ending that the site's titles share."""
    for end in ends:
        if title.endswith(end) and len(title) > len(end) and _MARK.match(end):
            title = title.removesuffix(end)
        elif title.startswith(end) and len(title) > len(end) and not _MARK.match(end):
            title = title.removeprefix(end)
    return title
