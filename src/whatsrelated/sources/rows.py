"""One page and its links per line, all numbers.

- `id: t1 t2 … -1`, the lists of Toronto's link analysis data; the `-1` is optional, `row `
  may precede the number, and `SparseMatrix: n by n` may come first;
- `id<TAB>t1 t2 …`, the most common adjacency list;
- bare rows: line i, counted from 0, has the links of page i; an empty line is a page without links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.sources.columns import NUMBERS_AT_ONCE, is_comment
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import NumberedLinks

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

HEADER = b"SparseMatrix:"
LONGEST_ROW = 1 << 28
_NUMBERED = re.compile(rb"(row )?\s*[0-9]+:(\s|$)")
_TABBED = re.compile(rb"[0-9]+\t[0-9 ]*\r?")
_FIRST_TAB = re.compile(rb"^([0-9]+)\t", re.MULTILINE)
_BARE = re.compile(rb"[0-9 \t]*+(?:(?<= )-1)?+[ \t]*+\r?")


class RowsReader(Reader):
    """One page and its links per line: `id: t1 t2 … -1`, or line i has the links of page i."""

    name = "rows"
    sentence = "the links of one page per line, all numbers"
    suffixes = ("adj_list", ".adj", ".adj.txt")

    @classmethod
    def recognises(cls, file: File) -> bool:
        lines = _sample_lines(file)
        full = [line for line in lines if line.strip()]
        if not full:
            return False
        if full[0].startswith(HEADER) or all(map(_NUMBERED.match, full)):
            return True
        if _is_tabbed(file):
            return True
        widths = {len(line.split()) for line in lines}
        return len(widths) > 1 and all(map(_BARE.fullmatch, lines))

    def about(self, file: File) -> str:
        return "line i has the links of page i" if _is_bare(file) else "each line names its page"

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        start = line = 0
        if file.sample.startswith(HEADER):
            start, line = file.sample.find(b"\n") + 1, 1
            if not start:
                raise ReadError(f"{file.label} is cut short: no rows follow its size.")
        memory = min(context.memory, NUMBERS_AT_ONCE)
        rows = kernels.adjacency_lines.RowLines(_is_bare(file), LONGEST_ROW, memory, line)
        tabbed = _is_tabbed(file)
        for piece in file.blocks(LONGEST_ROW):
            if tabbed:
                piece = memoryview(_FIRST_TAB.sub(rb"\1: ", bytes(piece)))
            while start < len(piece):
                start = rows.feed(piece, start)
                context.refuse_lines(file, rows)
                if start < len(piece):
                    yield _take_batch(rows)
            start = 0
        yield _take_batch(rows)


def _take_batch(rows: kernels.adjacency_lines.RowLines) -> NumberedLinks:
    """Take the links that the kernel has read so far."""
    sources, targets = rows.take()
    return NumberedLinks(sources, targets, rows.rows)


def _sample_lines(file: File) -> list[bytes]:
    """The first lines, including blank ones, since a blank line is a page without links."""
    lines = file.sample.split(b"\n")
    lines.pop()
    return [line for line in lines if not is_comment(line)][:200]


def _is_tabbed(file: File) -> bool:
    """Whether each line is a number, a tab and more numbers, at least two of them on some line."""
    lines = [line for line in _sample_lines(file) if line.strip()]
    has_several_links = any(b" " in line.partition(b"\t")[2].strip() for line in lines)
    return has_several_links and all(map(_TABBED.fullmatch, lines))


def _is_bare(file: File) -> bool:
    return not _is_tabbed(file) and not any(map(_NUMBERED.match, _sample_lines(file)[:2]))
