"""A job of `related all`: its pages, method and output, divided into parts.

A part holds the answers for `PART_PAGES` consecutive pages. The boundaries depend only on the
pages, not on shards, processes or memory, so any process writes the same bytes for a part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.batches import MAX_PAGES
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.api.batches import Batch

PART_PAGES = MAX_PAGES
"""Pages per part."""


@dataclass(frozen=True, slots=True)
class Shard:
    """An equal share of the parts; shards are numbered from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Parse `3/64`."""
        match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise OptionError(
                f"all: shard must be K/N with 1 <= K <= N, as in 3/64, got {text!r:.80}."
            )
        return cls(int(match[1]), int(match[2]))


@dataclass(frozen=True, slots=True)
class Job:
    """The answers to write for the pages of a graph."""

    batch: Batch
    output: Path
    format: str
    n_pages: int
    """Number of pages to answer for."""
    chosen: NDArray[uint32] | None = field(default=None, compare=False)
    """The pages to answer for, ascending; None for all pages of the graph."""
    part_pages: int = PART_PAGES

    @property
    def n_parts(self) -> int:
        return -(-self.n_pages // self.part_pages)

    def parts(self, shard: Shard) -> range:
        """The parts of a shard."""
        return range(shard.number - 1, self.n_parts, shard.of)

    def pages(self, part: int) -> range | NDArray[uint32]:
        """The pages of a part."""
        low, high = part * self.part_pages, min((part + 1) * self.part_pages, self.n_pages)
        return range(low, high) if self.chosen is None else self.chosen[low:high]


def digest(pages: NDArray[uint32]) -> str:
    """A short digest of a list of pages."""
    import hashlib

    return hashlib.blake2b(np.ascontiguousarray(pages, "<u4").tobytes(), digest_size=16).hexdigest()
