"""A long list of names, streamed as one run of keys per chunk, with one table at the end.

Only one chunk of names is in memory at a time.  Links stay numbers until all pages are
numbered; then a table with four bytes per number maps them to pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.graph.array_spool import ArraySpool, SpooledArray
from whatsrelated.graph.numbering import NONE, KeyRun
from whatsrelated.stream import Refused, StreamedNames

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.names.naming import Naming


class StreamedRun:
    """The runs of a list of names, addressed by the numbers of the names."""

    def __init__(self, names: StreamedNames, naming: Naming, spool: ArraySpool) -> None:
        self.runs: list[KeyRun] = []
        self.reasons: dict[int, tuple[str, str]] = {}
        self._places: list[tuple[int, SpooledArray]] = []
        self._spool = spool
        self._pages: SpooledArray | None = None
        self._counting = False
        for first, chunk in names.chunks():
            run = KeyRun(chunk, naming, spool)
            self.reasons.update((first + place, why) for place, why in run.reasons.items())
            self._places.append((first, spool.add(run.places)))
            run.places = np.empty(0, np.uint32)
            self.runs.append(run)
        self._refused = np.array(sorted(self.reasons), np.uint32)

    def places_of(self, numbers: NDArray[uint32]) -> NDArray[uint32]:
        """The numbers themselves, NONE for rejected names."""
        if not self.reasons:
            return numbers
        return np.where(np.isin(numbers, self._refused), np.uint32(NONE), numbers)

    def count_refused(self, numbers: NDArray[uint32], refused: Refused) -> None:
        """Count the links lost to these rejected names, by reason."""
        refused.add_links(numbers, self.reasons)

    @property
    def pages(self) -> SpooledArray:
        """The page of each number; known once the pages are numbered."""
        if self._pages is None:
            count = max((first + len(places) for first, places in self._places), default=0)
            table = np.full(count, NONE, np.uint32)
            for run, (first, places) in zip(self.runs, self._places, strict=True):
                positions = places.load()
                named = positions != NONE
                table[first : first + len(positions)][named] = run.pages.load()[positions[named]]
                if not self._counting:
                    places.drop()
                run.pages.drop()
            self._pages = self._spool.add(table)
        return self._pages

    def number_again(self, counting: bool) -> None:
        """Prepare for another numbering; one that is only `counting` precedes another."""
        if self._pages is not None:
            self._pages.drop()
        self._pages = None
        self._counting = counting
