"""One page and its links per line, all numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from whatsrelated.kernels.reading.text import (
    BLANKS,
    NOT_A_NUMBER,
    TOO_LONG,
    Lines,
    Refusal,
    is_number,
)


class RowLines(Lines):
    """One page and its links per line: `id: t1 t2 … -1`, or bare rows, numbered in order."""

    def __init__(
        self,
        bare: bool,
        longest: int = 1 << 28,
        memory: int = 1 << 30,
        line: int = 0,
        rows: int = 0,
    ) -> None:
        super().__init__(longest, line)
        self.bare = bare
        self.memory = memory
        self.rows = rows
        """The rows read so far are numbered 0 … rows-1. An empty row with any other number gets a
        link to itself.
        """
        self._links: list[tuple[int, int]] = []

    @property
    def links(self) -> int:
        """The number of links that have not been taken yet."""
        return len(self._links)

    def feed(self, data: bytes | memoryview, start: int) -> int:
        """Read from `start`.

        Return the position reached: the end, or less if out of room (`full`).
        """
        return self._read_lines(
            data, start, self._add, lambda: not self.links or 16 * self.links < self.memory
        )

    def _add(self, text: bytes) -> bool:
        if text[:1] in (b"#", b"%"):
            return True
        row = self.rows
        self.rows += self.bare
        if len(text) > self.longest:
            raise Refusal(TOO_LONG)
        text = text.removesuffix(b"\r").strip(BLANKS)
        if not self.bare:
            if not text:
                return True
            number, colon, text = text.removeprefix(b"row ").strip(BLANKS).partition(b":")
            if not (colon and is_number(number)):
                raise Refusal(NOT_A_NUMBER)
            row = int(number)
        fields = [field for field in re.split(rb"[ \t]+", text) if field]
        if fields and fields[-1] == b"-1":
            fields.pop()
        if not all(map(is_number, fields)):
            raise Refusal(NOT_A_NUMBER)
        self._links += [(row, int(field)) for field in fields]
        if not self.bare:
            if row == self.rows:
                self.rows += 1
            elif not fields:
                self._links.append((row, row))
        return True

    def take(self) -> tuple[Any, Any]:
        """The links read since the last call: sources and targets."""
        links = np.array(self._links, np.uint64).reshape(-1, 2)
        self._links = []
        self.full = False
        return links[:, 0].copy(), links[:, 1].copy()
