"""One name per line, optionally with a number and a title."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np

from whatsrelated.kernels.reading.text import (
    BLANKS,
    EMPTY_NAME,
    NOT_A_NUMBER,
    TOO_LONG,
    Columns,
    Refusal,
    fault_of,
    is_number,
    packed,
)


class NameLines(Columns):
    """One name per line; other columns may hold its number and title (-1 if there is no such
    column).

    Without a number column, lines are numbered in order, so a rejected line leaves an empty name.
    """

    def __init__(
        self,
        delimiter: int,
        columns: int,
        number: int,
        name: int,
        title: int = -1,
        longest: int = 1 << 20,
        line: int = 0,
    ) -> None:
        super().__init__(delimiter, columns, -1, b"", longest, line)
        self.number = number
        self.name = name
        self.title = title
        self._numbers: list[int] = []
        self._names: list[bytes] = []
        self._titles: list[bytes] = []

    def feed(self, data: bytes | memoryview, start: int) -> int:
        """Read from `start` to the end."""
        return self._read_lines(data, start, self._add)

    def _refuse(self, reason: int, text: bytes) -> None:
        super()._refuse(reason, text)
        if self.number < 0:
            self._names.append(b"")

    def _add(self, text: bytes) -> bool:
        if self.number < 0:
            if len(text) > self.longest:
                raise Refusal(TOO_LONG)
            fields: list[bytes] | None = [text.removesuffix(b"\r").strip(BLANKS)]
        else:
            fields = self._fields(text)
        if fields is None:
            return True
        name = fields[self.name]
        if self.number >= 0:
            if not is_number(fields[self.number]):
                raise Refusal(NOT_A_NUMBER)
            if not name:
                raise Refusal(EMPTY_NAME)
        fault = fault_of(name)
        if fault is not None:
            raise Refusal(fault)
        self._names.append(name)
        if self.number >= 0:
            self._numbers.append(int(fields[self.number]))
        if self.title >= 0:
            title = fields[self.title]
            self._titles.append(b"" if fault_of(title) is not None else title)
        return True

    def _split(self, text: bytes) -> list[bytes]:
        if self.delimiter == ord(" ") and self.columns == 2:
            return re.split(rb"[ \t]+", text.strip(BLANKS), maxsplit=1)
        return super()._split(text)

    def take(self) -> tuple[Any, Any, Any, Any, Any]:
        """The bytes and offsets of the names and of the titles, and the numbers."""
        columns = (
            *packed(self._names),
            *packed(self._titles),
            np.array(self._numbers, np.uint64),
        )
        self._numbers, self._names, self._titles = [], [], []
        return columns


def restore_hosts(blob: Any, offsets: Any, fold_www: bool) -> tuple[Any, Any]:
    """Reversed hosts (`com.example.www`) as URLs (`http://www.example.com/`).

    With `fold_www` the last label is dropped if it is `www` and leaves two others.
    """
    data = blob.tobytes()
    ends = offsets.tolist()
    hosts = (data[first:last] for first, last in pairwise(ends))
    if fold_www:
        hosts = (host.removesuffix(b".www") if host.count(b".") > 1 else host for host in hosts)
    return packed(
        [
            b"http://" + b".".join(reversed(host.split(b"."))) + b"/" if host else b""
            for host in hosts
        ]
    )
