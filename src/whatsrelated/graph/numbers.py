"""Names that are numbers, which become strings only when they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.array_spool import SpooledArray, SpooledRuns
from whatsrelated.graph.numbering import NONE, KeyRun, NamesWriter
from whatsrelated.graph.streamed_run import StreamedRun
from whatsrelated.stream import NumberedLinks

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray


Piece = tuple[KeyRun | StreamedRun | None, SpooledArray | SpooledRuns, SpooledArray]
"""Links as they were read: positions in a run, or numbers if there is no run."""


class NumberedPages:
    """Names that are numbers: which numbers occur, and the page of each."""

    def __init__(self, max_number: int) -> None:
        self._max_number = max(max_number, 1 << 24)
        self._flags = np.zeros(0, np.uint8)
        self._table: NDArray[uint32] | None = None
        self.fits = True
        self.floor = 0
        """All numbers below this are pages, whether or not they occur in links."""
        self._any = False

    def __bool__(self) -> bool:
        return self._any

    def add(self, batch: NumberedLinks) -> tuple[NDArray[Any], NDArray[Any]]:
        """Mark the numbers of a batch; return its links in the smallest type."""
        self._any = True
        self.floor = max(self.floor, batch.pages)
        highest = max(
            batch.pages - 1,
            int(batch.sources.max()) if len(batch.sources) else -1,
            int(batch.targets.max()) if len(batch.targets) else -1,
        )
        self.fits = self.fits and highest < min(self._max_number, NONE)
        if not self.fits:
            self._flags = np.zeros(0, np.uint8)
            return batch.sources.astype(np.uint64), batch.targets.astype(np.uint64)
        if highest >= len(self._flags):
            grown = np.zeros(max(highest + 1, 3 * len(self._flags) // 2), np.uint8)
            grown[: len(self._flags)] = self._flags
            self._flags = grown
        sources = batch.sources.astype(np.uint32)
        targets = batch.targets.astype(np.uint32)
        kernels.link_sorting.mark(self._flags, sources)
        kernels.link_sorting.mark(self._flags, targets)
        self._flags[: batch.pages] = 1
        return sources, targets

    def number_pages(self, names: NamesWriter) -> int:
        """Number the pages in numeric order and write their names; return the number of pages."""
        count = int(np.count_nonzero(self._flags))
        if self._flags[:count].all():
            self._table = None
        else:
            self._table = np.cumsum(self._flags, dtype=np.uint32)
            self._table -= np.uint32(1)  # entries before the first number are never read
        for first in range(0, len(self._flags), 1 << 20):
            present = np.flatnonzero(self._flags[first : first + (1 << 20)]) + first
            names.append(*kernels.sort_keys.number_keys(present.astype(np.uint64)))
        self._flags = np.zeros(0, np.uint8)
        return count

    def pages(self, numbers: NDArray[uint32]) -> NDArray[uint32]:
        """The pages that these numbers stand for."""
        if self._table is None:
            return numbers
        return kernels.link_sorting.translate(self._table, numbers)
