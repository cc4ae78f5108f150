"""KONECT's lists: a line `% sym`, `% asym` or `% bip`, then lines `from to [weight [time]]`.

The first line says how to read the rest:

- `asym`: each line is a link;
- `sym`: each line is a link in both directions;
- `bip`: the two columns number two different sets, so page 7 of the left column is named
  `left 7` and page 7 of the right column `right 7`.

Weights and times are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.sources.columns import Layout, first_lines, links_in, split
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import NamedLinks, Names, NumberedLinks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File

MAX_COLUMNS = 4
_KIND = re.compile(rb"%[ \t]*(sym|asym|bip)\b")


class KonectReader(Reader):
    """One link per line, after a line that says whether links have a direction."""

    name = "konect"
    sentence = "one link per line, after KONECT's line `% sym`, `% asym` or `% bip`"

    @classmethod
    def recognises(cls, file: File) -> bool:
        lines = first_lines(file)
        rows = [split(line, " ") for line in lines]
        return _KIND.match(file.sample) is not None and all(
            2 <= len(row) <= MAX_COLUMNS and row[0].isdigit() and row[1].isdigit() for row in rows
        )

    def about(self, file: File) -> str:
        return {"sym": "links in both directions", "bip": "two sets of pages"}.get(
            _kind(file), "links in one direction"
        )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        kind = _kind(file)
        lines = first_lines(file)
        width = len(split(lines[0], " ")) if lines else 2
        if width > MAX_COLUMNS:
            raise ReadError(f"{file.label} has {width} columns; a KONECT list has 2 to 4.")
        for links in links_in(file, Layout(" ", width, 0, 1), context):
            if not isinstance(links, NumberedLinks) or kind == "asym":
                yield links
            elif kind == "sym":
                yield NumberedLinks(
                    np.stack([links.sources, links.targets], axis=1).ravel(),
                    np.stack([links.targets, links.sources], axis=1).ravel(),
                )
            else:
                yield _between_sets(links)


def _kind(file: File) -> str:
    """The kind of network: `sym`, `asym` or `bip`; `asym` if the file does not specify it."""
    match = _KIND.match(file.sample)
    return match[1].decode() if match else "asym"


def _between_sets(links: NumberedLinks) -> NamedLinks:
    """Links from pages of the left set to pages of the right set."""
    left, sources = np.unique(links.sources, return_inverse=True)
    right, targets = np.unique(links.targets, return_inverse=True)
    names = Names.of(
        [b"left %d" % n for n in left.tolist()] + [b"right %d" % n for n in right.tolist()]
    )
    return NamedLinks(names, _small(sources), _small(targets + len(left)))


def _small(places: NDArray[np.intp]) -> NDArray[np.uint32]:
    return places.astype(np.uint32)
