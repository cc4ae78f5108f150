"""Kleinberg's format: lines `n id URL` for pages and `e from to` for links, in one file."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.sources.columns import first_lines
from whatsrelated.sources.names import make_distinct
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import NamedLinks, Names

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


class KleinbergReader(Reader):
    """One page or link per line: `n id URL` or `e from to`."""

    name = "kleinberg"
    sentence = "lines `n id URL` and `e from to`"

    @classmethod
    def recognises(cls, file: File) -> bool:
        rows = [line.split(None, 2) for line in first_lines(file)]
        return len(rows) > 1 and all(
            len(row) == 3 and row[0] in (b"n", b"e") and row[1].isdigit() for row in rows
        )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        places: dict[int, int] = {}
        names: list[bytes] = []
        links = array("Q")
        for number, line in file.numbered_lines():
            parts = line.split(None, 2)
            if not parts or line.startswith((b"#", b"%")):
                continue
            kind = parts[0]
            if kind == b"n" and len(parts) == 3 and _are_numbers(parts[1:2]):
                if int(parts[1]) in places:
                    context.refuse("a number with two names", file.place(number, line))
                    continue
                places[int(parts[1])] = len(names)
                names.append(parts[2].strip())
            elif kind == b"e" and len(parts) == 3 and _are_numbers(parts[1:]):
                links.extend((int(parts[1]), int(parts[2])))
            else:
                context.refuse("neither a page nor a link", file.place(number, line))
        ends = np.array([places.get(number, -1) for number in links], np.int64).reshape(-1, 2)
        known = (ends >= 0).all(axis=1)
        if not known.all():
            first = int(np.flatnonzero(~known)[0])
            place = f"{file.label}: e {links[2 * first]} {links[2 * first + 1]}"
            context.refuse("a number without a name", place, int((~known).sum()))
        pairs = ends[known].astype(np.uint32)
        distinct = make_distinct(Names.of(names), list(places).__getitem__)
        yield NamedLinks(distinct, pairs[:, 0].copy(), pairs[:, 1].copy())


def _are_numbers(parts: list[bytes]) -> bool:
    return all(part.strip().isdigit() and len(part) < 19 for part in parts)
