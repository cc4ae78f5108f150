"""MatrixMarket: an entry in row i and column j is a link from i to j, numbered from 1.

In a symmetric matrix, links go in both directions. The order of entries has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.sources.columns import Layout, links_in
from whatsrelated.sources.reader import Item, ReadContext, Reader, whole_number
from whatsrelated.sources.recognition import starts
from whatsrelated.stream import NumberedLinks

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

WIDTHS = {"pattern": 2, "real": 3, "integer": 3, "complex": 4}
MAX_PAGES = 2**32 - 1
MAX_ALONE = 100_000
"""Maximum number of rows, as a multiple of the number of entries plus one."""


class MatrixMarketReader(Reader):
    """A sparse matrix: an entry in row i and column j is a link from i to j."""

    name = "matrixmarket"
    sentence = "a sparse matrix in coordinates, numbered from 1"
    contents = starts(b"%%MatrixMarket")
    first_number = 1
    ordered = False

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        layout, pages, entries, both_ways = _header(file)
        seen = np.zeros(pages + 1, np.bool_)
        count = 0
        for batch in links_in(file, layout, replace(context, numbers_only=True)):
            assert isinstance(batch, NumberedLinks)
            count += len(batch.sources)
            for links in _directions(batch, pages, both_ways, file, context):
                seen[links.sources] = seen[links.targets] = True
                yield links
        if count < entries and not context.refused.total():
            raise ReadError(f"{file.label} is cut short: it has {count:,} of {entries:,} entries.")
        alone = (np.flatnonzero(~seen[1:]) + 1).astype(np.uint64)
        if len(alone) and not context.numbers_only:
            yield NumberedLinks(alone, alone)


def _directions(
    batch: NumberedLinks, pages: int, both_ways: bool, file: File, context: ReadContext
) -> Iterator[NumberedLinks]:
    ends = np.stack([batch.sources, batch.targets])
    good = ((ends >= 1) & (ends <= pages)).all(axis=0)
    if not good.all():
        first = ends[:, np.flatnonzero(~good)[0]].tolist()
        place = f"{file.label}: {first[0]} {first[1]} in a matrix of {pages}"
        context.refuse("number out of range", place, int((~good).sum()))
        ends = ends[:, good]
    yield NumberedLinks(ends[0].copy(), ends[1].copy())
    if both_ways:
        yield NumberedLinks(ends[1].copy(), ends[0].copy())


def _header(file: File) -> tuple[Layout, int, int, bool]:
    """The layout, the numbers of pages and entries, and whether links go in both directions."""
    start = 0
    words: list[str] = []
    for line, text in enumerate(file.sample.split(b"\n"), 1):
        start += len(text) + 1
        if line == 1:
            words = text.decode(errors="replace").lower().split()
        elif text.strip() and not text.startswith(b"%"):
            size = text.split()
            break
    else:
        raise ReadError(f"{file.label} is cut short: the matrix's size is missing.")
    if words[1:3] != ["matrix", "coordinate"] or len(words) != 5 or words[3] not in WIDTHS:
        raise ReadError(
            f"{file.label} is not a sparse matrix ({' '.join(words[1:])[:80]}); only `matrix "
            f"coordinate` is a list of links."
        )
    numbers = [number for number in map(whole_number, size) if number is not None]
    if len(size) != 3 or len(numbers) != 3:
        raise ReadError(
            f"{file.label}:{line}: this line must give the numbers of rows, columns and entries."
        )
    pages, entries = max(numbers[:2]), numbers[2]
    if pages > MAX_PAGES:
        raise ReadError(
            f"{file.label} has {pages:,} rows; a graph holds at most {MAX_PAGES:,} pages."
        )
    if pages > MAX_ALONE * (1 + entries):
        raise ReadError(
            f"{file.label} has {pages:,} rows for {entries:,} entries: nearly all pages would have "
            "no links; reduce the matrix size."
        )
    layout = Layout(" ", WIDTHS[words[3]], 0, 1, start=start, line=line)
    return layout, pages, entries, words[4] != "general"
