"""What `related all` does: which pages, by which method, into which place; cut into parts.

A part has the answers for `PART_PAGES` pages one after the other.  Where parts begin depends
on the pages alone, not on shards, processes or memory, so that whoever makes a part makes
the same bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.batches import MOST_PAGES
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.api.batches import Batch

PART_PAGES = MOST_PAGES
"""Pages of a part."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal shares of the parts, from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """`3/64`."""
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise OptionError(
                f"all: shard must be K/N with 1 <= K <= N, as in 3/64, got {text!r:.80}."
            )
        return cls(int(found[1]), int(found[2]))


@dataclass(frozen=True, slots=True)
class Job:
    """Answers for pages of a graph, to be written."""

    batch: Batch
    output: Path
    format: str
    n_pages: int
    """How many pages are answered for."""
    chosen: NDArray[uint32] | None = field(default=None, compare=False)
    """Which, ascending; None where it is all of the graph's."""
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
    """A short name for a list of pages."""
    import hashlib

    return hashlib.blake2b(np.ascontiguousarray(pages, "<u4").tobytes(), digest_size=16).hexdigest()
