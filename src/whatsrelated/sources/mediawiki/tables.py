"""Stream the rows of a MediaWiki table written by mysqldump.

`CREATE TABLE` gives the columns and their order, which differ from wiki to wiki.
`INSERT INTO … VALUES (…),(…);` is one line of about a megabyte.  If all values are
numbers, a whole line is read at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import ReadError

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import ReadContext

LONGEST_LINE = 1 << 28
_CREATE = re.compile(rb"CREATE TABLE [`\"]?(\w++)[`\"]? \(")
_COLUMN = re.compile(rb"^[ \t]*+[`\"](\w++)[`\"] ", re.M)
_INSERT = re.compile(rb"INSERT INTO [`\"]?\w+[`\"]? (?:\([^)]*\) )?VALUES ")
_VALUE = rb"(NULL|-?[0-9][0-9.eE+-]*|'(?:[^'\\]|\\.|'')*')"
_TEXT = rb"('(?:[^'\\]|\\.|'')*')"
_WHOLE = rb"(-?[0-9]{1,18})"
_ESCAPE = re.compile(rb"\\(.)|''", re.S)
_CONTROL = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"0": b"\0", b"Z": b"\x1a"}
_NUMBERS = re.compile(rb"[0-9,()\s-]*")
_BLANKS = bytes.maketrans(b"(),;", b"    ")


class DumpTable:
    """A table in a dump: its name, its columns, its rows."""

    def __init__(self, file: File) -> None:
        self.file = file
        match = _CREATE.search(file.sample)
        end = file.sample.find(b"\n)", match.end()) if match else -1
        self.name = match[1].decode() if match and end >= 0 else ""
        listed = _COLUMN.findall(file.sample, match.end(), end) if match and end >= 0 else []
        self.columns = [name.decode() for name in listed]

    def places(self, columns: tuple[str, ...]) -> list[int]:
        """The positions of these columns; raises ReadError if one is missing."""
        for column in columns:
            if column not in self.columns:
                raise ReadError(
                    f"{self.file.label}: the table {self.name} has no column {column}; "
                    f"it has: {', '.join(self.columns)}."
                )
        return [self.columns.index(column) for column in columns]

    def rows(self, columns: tuple[str, ...], context: ReadContext) -> Iterator[list[bytes]]:
        """The requested columns of each row, as written: titles in quotes, numbers without."""
        places = self.places(columns)
        kinds = [_VALUE] * len(self.columns)
        for column, place in zip(columns, places, strict=True):
            kinds[place] = _TEXT if column.endswith("_title") else _WHOLE
        row = re.compile(rb"\(" + rb",".join(kinds) + rb"\)[,;]?", re.S)
        for number, values in self._inserts():
            at = 0
            for match in row.finditer(values):
                if match.start() != at:
                    break
                at = match.end()
                groups = match.groups()
                yield [groups[place] for place in places]
            self._check(number, values, at, context)

    def numbers(
        self, columns: tuple[str, ...], context: ReadContext
    ) -> Iterator[tuple[NDArray[int64], ...]]:
        """The requested columns of all rows of a line, if every value is a number."""
        places = self.places(columns)
        width = len(self.columns)
        for number, values in self._inserts():
            try:
                if not _NUMBERS.fullmatch(values.rstrip(b";\r\n")):
                    raise ValueError("more than numbers")
                rows = np.array(values.translate(_BLANKS).split(), np.int64).reshape(-1, width)
            except (ValueError, OverflowError):
                self._check(number, values, 0, context)
            else:
                yield tuple(rows[:, place] for place in places)

    def _inserts(self) -> Iterator[tuple[int, bytes]]:
        for number, line in self.file.numbered_lines(LONGEST_LINE):
            match = _INSERT.match(line)
            if match is not None:
                yield number, line[match.end() :]

    def _check(self, number: int, values: bytes, read: int, context: ReadContext) -> None:
        """Report anything that follows the rows of an INSERT."""
        rest = values[read:].strip(b"; \t\r\n")
        if rest:
            context.refuse("not a row of the table", self.file.place(number, rest))


def text_of(value: bytes) -> str:
    """The text of a quoted value, which may not be valid UTF-8."""
    inner = value[1:-1]
    if b"\\" in inner or b"''" in inner:
        inner = _ESCAPE.sub(_unescape, inner)
    return inner.decode("utf-8", "replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    escaped: Any = match[1]
    return b"'" if escaped is None else _CONTROL.get(escaped, escaped)
