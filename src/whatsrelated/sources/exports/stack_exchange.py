"""Stack Exchange's dumps: `PostLinks.xml`, one row per link between two posts.

A page's name is its post number. Rows are in the order in which people made the links.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.sources.reader import Item, ReadContext, Reader, whole_number
from whatsrelated.sources.recognition import root_element
from whatsrelated.sources.xml import parse
from whatsrelated.stream import NumberedLinks

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


class StackExchangeReader(Reader):
    """Links between the posts of a Stack Exchange site."""

    name = "stack-exchange"
    sentence = "the links between posts in a Stack Exchange dump (PostLinks.xml)"
    contents = root_element(b"postlinks")
    ordered = False

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        rows = _Rows(file, context)
        parse(file, rows)
        ends = np.array(rows.ends, np.uint64).reshape(-1, 2)
        if len(ends):
            yield NumberedLinks(ends[:, 0].copy(), ends[:, 1].copy())


class _Rows:
    def __init__(self, file: File, context: ReadContext) -> None:
        self.ends: list[int] = []
        self._file = file
        self._context = context

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "row":
            return
        numbers = [whole_number(attributes.get(key, "")) for key in ("PostId", "RelatedPostId")]
        if None in numbers:
            place = f"{self._file.label}: {str(attributes)[:80]}"
            self._context.refuse("a row without two posts", place)
        else:
            self.ends += [number for number in numbers if number is not None]

    def end(self, tag: str) -> None:
        """Rows have no contents."""

    def text(self, text: str) -> None:
        """Rows have no contents."""
