"""One link per line, in two of its columns.

`numbers` reads links between numbers; `names` gives each distinct name a position, in
order of first appearance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whatsrelated.kernels.reading.text import (
    EMPTY_NAME,
    NOT_A_NUMBER,
    Columns,
    Refusal,
    fault_of,
    is_number,
    packed,
)


class LinkLines(Columns):
    """One link per line, from the column `source` to the column `target`."""

    def __init__(
        self,
        delimiter: int,
        columns: int = 2,
        source: int = 0,
        target: int = 1,
        where: int = -1,
        value: bytes = b"",
        longest: int = 1 << 20,
        memory: int = 1 << 30,
        line: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__(delimiter, columns, where, value, longest, line)
        self.source = source
        self.target = target
        self.memory = memory
        self._clear()

    def _clear(self) -> None:
        self.full = False
        self._positions: dict[bytes, int] = {}
        self._size = 0
        self._sources: list[int] = []
        self._targets: list[int] = []

    @property
    def links(self) -> int:
        """The number of links that have not been taken yet."""
        return len(self._sources)

    def numbers(self, data: bytes | memoryview, start: int, only: bool) -> int:
        """Read from `start`; return the position reached.

        Reading stops at the end or at the first line for which there is no room (`full`). Unless
        `only` numbers are allowed, it also stops at the first line with a name.
        """

        def read(text: bytes) -> bool:
            fields = self._fields(text)
            if fields is None:
                return True
            source, target = fields[self.source], fields[self.target]
            if is_number(source) and is_number(target):
                self._sources.append(int(source))
                self._targets.append(int(target))
                return True
            if not (source and target):
                raise Refusal(EMPTY_NAME)
            if only:
                raise Refusal(NOT_A_NUMBER)
            return False

        return self._read_lines(
            data, start, read, lambda: not self.links or 16 * self.links < self.memory
        )

    def names(self, data: bytes | memoryview, start: int) -> int:
        """Read from `start`.

        Return the position reached: the end, or less if out of room (`full`).
        """

        def read(text: bytes) -> bool:
            fields = self._fields(text)
            if fields is not None:
                self._add(fields[self.source], fields[self.target])
            return True

        return self._read_lines(
            data, start, read, lambda: not self.links or self._size < self.memory
        )

    def _add(self, source: bytes, target: bytes) -> None:
        if not (source and target):
            raise Refusal(EMPTY_NAME)
        for name in (source, target):
            fault = fault_of(name)
            if fault is not None:
                raise Refusal(fault)
        for name, column in ((source, self._sources), (target, self._targets)):
            if name not in self._positions:
                self._size += len(name) + 24
            column.append(self._positions.setdefault(name, len(self._positions)))
        self._size += 8

    def take_numbers(self) -> tuple[Any, Any]:
        """The links read since the last call: sources and targets."""
        ends = np.array(self._sources, np.uint64), np.array(self._targets, np.uint64)
        self._clear()
        return ends

    def take_names(self) -> tuple[Any, Any, Any, Any]:
        """The names' bytes and offsets, and the links as positions among them."""
        names = list(self._positions)
        links = np.array(self._sources, np.uint32), np.array(self._targets, np.uint32)
        self._clear()
        return (*packed(names), *links)
