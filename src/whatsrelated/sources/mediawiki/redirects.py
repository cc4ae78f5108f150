"""The redirects of a wiki: find the final target of a title, following chains of redirects.

They are sorted and front-coded like the names in a graph, so they take little more memory than the
titles themselves. They are looked up in batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.options import option
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

LONGEST_CHAIN = 32
"""Maximum number of redirects followed in a row; a longer chain counts as a loop."""


def redirects_option() -> Any:
    """The option for redirects, shared by dumps and tables."""
    sentence = "fold redirects into their targets, or keep them as pages"
    return option("fold", sentence, choices=("fold", "keep"))


def pack_lines(titles: Iterable[str]) -> bytes:
    """Titles as lines; no title contains a newline."""
    return "".join(f"{title}\n" for title in titles).encode()


class Redirects:
    """Resolves titles through redirects."""

    def __init__(self) -> None:
        self._sources: list[bytes] = []
        self._targets: list[bytes] = []
        self._count = 0
        self.circles = 0

    def add(self, sources: bytes, targets: bytes) -> None:
        """Add redirects, as lines."""
        self._sources.append(sources)
        self._targets.append(targets)

    def close(self) -> None:
        """Prepare for `resolve`, after all redirects have been added."""
        sources, targets = _unpack(self._sources), _unpack(self._targets)
        self._sources, self._targets = [], []
        order = kernels.sort_keys.sort(sources.blob, sources.offsets)
        text, ends = kernels.sort_keys.take(sources.blob, sources.offsets, order)
        first = np.flatnonzero(kernels.sort_keys.differs(text, ends)).astype(np.uint32)
        text, ends = kernels.sort_keys.take(text, ends, first)
        self._count = len(first)
        self._table = kernels.name_table.Table(*kernels.name_table.encode(text, ends), self._count)
        self._final = Names(*kernels.sort_keys.take(targets.blob, targets.offsets, order[first]))
        following = self._table.find_many(self._final.blob, self._final.offsets)
        self._last, self.circles = _ends_of_chains(following)

    def __len__(self) -> int:
        return self._count

    def resolve(self, titles: Sequence[str]) -> list[str]:
        """The final targets of these titles; a title that is not a redirect is its own target."""
        if not self._count:
            return list(titles)
        packed = Names.of(title.encode("utf-8", "replace") for title in titles)
        places = self._table.find_many(packed.blob, packed.offsets)
        resolved = list(titles)
        for index in np.flatnonzero(places >= 0).tolist():
            last = int(self._last[places[index]])
            if last >= 0:
                resolved[index] = self._final[last].decode()
        return resolved


def _ends_of_chains(following: NDArray[int64]) -> tuple[NDArray[int64], int]:
    """The last redirect of each chain (-1 for a loop), and the number of loops."""
    last = np.arange(len(following), dtype=np.int64)
    for _ in range(LONGEST_CHAIN):
        onward = following[last] >= 0
        if not onward.any():
            return last, 0
        last[onward] = following[last[onward]]
    circle = following[last] >= 0
    last[circle] = -1
    return last, int(circle.sum())


def _unpack(lines: list[bytes]) -> Names:
    blob = np.frombuffer(b"".join(lines), np.uint8)
    ends = np.flatnonzero(blob == 10).astype(np.uint64)
    sizes = np.diff(ends, prepend=np.uint64(0)) - np.uint64(1)
    if len(ends):
        sizes[0] += np.uint64(1)
    offsets = np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])
    return Names(blob[blob != 10], offsets)
