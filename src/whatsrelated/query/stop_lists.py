"""Stop lists: pages without a topic, which everybody links to (DH99, sec. 2.1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.errors import OptionError
from whatsrelated.options import configure
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store


class StopLists:
    """The stop lists of a graph, each read once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._read: dict[str, NDArray[uint32]] = {}

    def pages(self, stop: str | Iterable[str] | None) -> NDArray[uint32]:
        """The pages of a stop list, ascending: a file, `auto:N`, or URLs."""
        if stop is None:
            return np.empty(0, np.uint32)
        if not isinstance(stop, str):
            return self._find_pages(stop)
        configure(Request, {"stop": stop})
        if stop not in self._read:
            self._read[stop] = self._read_list(stop)
        return self._read[stop]

    def _read_list(self, stop: str) -> NDArray[uint32]:
        kind, _, number = stop.partition(":")
        if kind == "auto":
            if not re.fullmatch("[0-9]{1,18}", number):
                raise OptionError(f"related: stop must be a file or auto:N, got {stop!r:.80}.")
            sites = None if self.store.auto_site == "page" else self.store.hosts
            return most_linked(self.store, int(number), sites)
        try:
            lines = Path(stop).read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise OptionError(f"related: the stop list {stop} cannot be read: {error}.") from error
        return self._find_pages(line.strip() for line in lines if line.strip())

    def _find_pages(self, names: Iterable[str]) -> NDArray[uint32]:
        found = map(self.store.look_up, names)
        return np.unique(np.array([page for page in found if page is not None], np.uint32))


def most_linked(store: Store, count: int, sites: NDArray[uint32] | None) -> NDArray[uint32]:
    """The pages that the most sites link to; a page is linked from no more sites than pages."""
    degrees = np.diff(store.in_offsets.astype(np.int64))
    best: list[tuple[int, int]] = []
    if not count:
        return np.empty(0, np.uint32)
    for page in np.argsort(-degrees, kind="stable").tolist():
        if len(best) >= count and degrees[page] < -best[count - 1][0]:
            break
        parents = store.links_to(page)
        linking = len(parents) if sites is None else len(np.unique(sites[parents]))
        best.append((-linking, page))
        best.sort()
        del best[count:]
    return np.unique(np.array([page for _, page in best], np.uint32))
