"""Tables with a link in each row: which columns hold the links, and which rows count.

The two columns are those whose names say so (`src dst`, `FromNodeId ToNodeId` …),
or those asked for by name or number; of more than two without either, none is
guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.options import option
from whatsrelated.sources.reader import Reader, whole_number

_ENDS = ("", "id", "url", "node", "nodeid", "host", "page")
SOURCES = frozenset(
    word + end for word in ("source", "src", "from", "start", "linksource") for end in _ENDS
) | {"citing", "tail", "u"}
TARGETS = frozenset(
    word + end for word in ("target", "dst", "to", "end", "linktarget") for end in _ENDS
) | {"cited", "head", "dest", "destination", "v"}


@dataclass(frozen=True)
class TableReader(Reader):
    """A link in each row, in two of its columns."""

    columns: str | None = option(
        None, "the two columns that hold the links, by name or number: src,dst or 1,3", kind=str
    )
    where: str | None = option(
        None, "read only rows with this value in this column: section=body", kind=str
    )

    def link_columns(self, label: str, header: Sequence[str], width: int) -> tuple[int, int]:
        """The places of the two columns with the links."""
        if self.columns:
            wanted = [name.strip() for name in self.columns.split(",")]
            if len(wanted) != 2:
                raise OptionError(
                    f"columns: must be two columns, such as src,dst or 1,3, "
                    f"got {self.columns!r:.80}."
                )
            first, second = (_place(label, name, header, width) for name in wanted)
            return first, second
        named = columns_by_words(header)
        if named is None and width != 2:
            listed = f" ({', '.join(header)})" if header else ""
            raise ReadError(
                f"{label} has {width} columns{listed}; say which two hold the links: --columns 1,2."
            )
        return named or (0, 1)

    def row_filter(self, label: str, header: Sequence[str], width: int) -> tuple[int, bytes]:
        """The place of the column that chooses rows and the value it must have; -1 for none."""
        if not self.where:
            return -1, b""
        column, equals, value = self.where.partition("=")
        if not equals:
            raise OptionError(
                f"where: must be a column and its value, such as section=body, "
                f"got {self.where!r:.80}."
            )
        return _place(label, column.strip(), header, width), value.strip().encode()


def word_of(name: str) -> str:
    """The letters of a column's name, in lower case."""
    return re.sub(r"[^a-z]", "", name.lower())


def columns_by_words(header: Sequence[str]) -> tuple[int, int] | None:
    """The columns whose names say what they are."""
    words = [word_of(name) for name in header]
    source = next((i for i, word in enumerate(words) if word in SOURCES), None)
    target = next((i for i, word in enumerate(words) if word in TARGETS), None)
    return None if source is None or target is None else (source, target)


def _place(label: str, wanted: str, header: Sequence[str], width: int) -> int:
    """The place of a column that is asked for by name or number."""
    if wanted in header:
        return header.index(wanted)
    number = whole_number(wanted)
    if number is not None and 1 <= number <= width:
        return number - 1
    there = ", ".join(header) if header else f"1 to {width}"
    raise ReadError(f"{label} has no column {wanted!r:.80}; it has: {there}.")
