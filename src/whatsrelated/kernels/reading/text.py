"""The base of the plain line readers: columns, numbers, and reasons to reject a line.

A reader receives bytes that end in a newline. Rejected lines are counted in `bad` under one of
REASONS, with the first few as examples. Numbers are plain decimals of at most 18 digits: 7 is one,
07 and +7 are names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

REASONS = (
    "one column",
    "mixed column counts",
    "empty name",
    "NUL byte",
    "control character",
    "invalid UTF-8",
    "line too long",
    "not a number",
    "broken quotes",
)
(
    ONE_COLUMN,
    MIXED_COLUMNS,
    EMPTY_NAME,
    NUL_BYTE,
    CONTROL,
    INVALID_UTF8,
    TOO_LONG,
    NOT_A_NUMBER,
    BROKEN_QUOTES,
) = range(len(REASONS))
SHOWN = 3
EXCERPT = 80

_NUMBER = re.compile(rb"0|[1-9][0-9]{0,17}")
_CONTROLS = re.compile(rb"[\x01-\x1f\x7f]")
_COMMENT = re.compile(rb"#|%(?![0-9A-Fa-f]{2})")
BLANKS = b" \t"


def is_number(field: bytes) -> bool:
    return _NUMBER.fullmatch(field) is not None


def fault_of(name: bytes) -> int | None:
    """The reason for rejecting a name, or None."""
    if b"\0" in name:
        return NUL_BYTE
    if _CONTROLS.search(name):
        return CONTROL
    try:
        name.decode()
    except UnicodeDecodeError:
        return INVALID_UTF8
    return None


class Refusal(Exception):
    """Raised for a rejected line, with the reason."""

    def __init__(self, reason: int) -> None:
        self.reason = reason


class Lines:
    """The position in the file, and the rejected lines."""

    def __init__(self, longest: int, line: int) -> None:
        self.longest = longest
        self.line = line
        self.full = False
        self.bad: dict[int, tuple[int, list[tuple[int, bytes]]]] = {}

    def _read_lines(
        self,
        data: bytes | memoryview,
        start: int,
        read: Callable[[bytes], bool],
        fits: Callable[[], bool] = lambda: True,
    ) -> int:
        """Read line by line from `start`; return the position reached.

        Reading stops at the end, at the first line for which `read` returns False, or when out of
        room (`full`).
        """
        data = bytes(data)
        while start < len(data):
            if not fits():
                self.full = True
                break
            end = data.index(b"\n", start)
            self.line += 1
            try:
                if not read(data[start:end]):
                    self.line -= 1
                    break
            except Refusal as refusal:
                self._refuse(refusal.reason, data[start:end])
            start = end + 1
        return start

    def _refuse(self, reason: int, text: bytes) -> None:
        count, shown = self.bad.get(reason, (0, []))
        if len(shown) < SHOWN:
            shown.append((self.line, text[:EXCERPT]))
        self.bad[reason] = (count + 1, shown)


class Columns(Lines):
    """Lines of a fixed number of columns."""

    def __init__(
        self, delimiter: int, columns: int, where: int, value: bytes, longest: int, line: int
    ) -> None:
        super().__init__(longest, line)
        self.delimiter = delimiter
        self.columns = columns
        self.where = where
        self.value = value
        self.excluded = 0
        """The number of rows without the value."""

    def _fields(self, text: bytes) -> list[bytes] | None:
        """The columns of a line; None for a blank line, a comment or one that `where` excludes."""
        if len(text) > self.longest:
            raise Refusal(TOO_LONG)
        text = text.removesuffix(b"\r")
        if not text.strip(BLANKS) or _COMMENT.match(text):
            return None
        fields = self._split(text)
        if len(fields) != self.columns:
            raise Refusal(ONE_COLUMN if len(fields) == 1 else MIXED_COLUMNS)
        if self.where >= 0 and fields[self.where] != self.value:
            self.excluded += 1
            return None
        return fields

    def _split(self, text: bytes) -> list[bytes]:
        if self.delimiter == ord(" "):
            return [field for field in re.split(rb"[ \t]+", text) if field]
        if self.delimiter in b",;":
            return self._split_quoted(text)
        return [field.strip(BLANKS) for field in text.split(bytes([self.delimiter]))]

    def _split_quoted(self, text: bytes) -> list[bytes]:
        mark = bytes([self.delimiter])
        fields = []
        while True:
            text = text.lstrip(BLANKS)
            if text.startswith(b'"'):
                quoted = re.match(rb'"((?:[^"]|"")*)"[ \t]*', text)
                if quoted is None:
                    raise Refusal(BROKEN_QUOTES)
                fields.append(quoted[1].replace(b'""', b'"'))
                rest = text[quoted.end() :]
                if rest and not rest.startswith(mark):
                    raise Refusal(BROKEN_QUOTES)
                quote, text = rest[:1], rest[1:]
            else:
                field, quote, text = text.partition(mark)
                fields.append(field.strip(BLANKS))
            if not quote:
                return fields


def packed(names: list[bytes]) -> tuple[Any, Any]:
    offsets = np.zeros(len(names) + 1, np.uint64)
    np.cumsum([len(name) for name in names], out=offsets[1:])
    return np.frombuffer(b"".join(names), np.uint8), offsets
