"""Stop lists: pages that everybody links to but that have no topic (DH99, sec. 2.1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.graph import degrees
from whatsrelated.names.lookup import likely_names
from whatsrelated.query.decisions import NOTHING_CHOSEN, Decisions, PairDecisions, read_decisions

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store


WEB = Path(__file__).with_name("stop_web.txt")
"""The stop list named `web`: well-known pages without a topic."""
MAX_NAMED = 3
"""Maximum number of unknown names listed in a note; all of them are counted."""


@dataclass(frozen=True, slots=True)
class StopList:
    """The pages of a stop list, ascending, and notes about it."""

    pages: NDArray[uint32]
    notes: tuple[str, ...] = ()


class StopLists:
    """The stop lists of a graph, each read once; a file is read again if it changes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._read: dict[str, tuple[object, StopList]] = {}

    def get(self, stop: str | tuple[str, ...] | None) -> StopList:
        """The stop list for a description: a file, `web`, `auto:N`, or URLs."""
        if stop is None:
            return StopList(np.empty(0, np.uint32))
        if not isinstance(stop, str):
            return self._find_pages(stop, "The stop list")
        state = state_of(stop)
        before = self._read.get(stop)
        if before is None or before[0] != state:
            before = self._read[stop] = state, self._read_list(stop)
        return before[1]

    def known(self, known: str | tuple[str, ...] | None) -> StopList:
        """The pages that the user knows, from a file or a list of names."""
        if isinstance(known, str):
            known = tuple(read_names(known, "list of known pages"))
        return self._find_pages(known or (), "The list of known pages")

    def chosen(self, pairs: str | None) -> PairDecisions:
        """The decisions in a file of pairs; a note lists pinned pages that are not in the graph."""
        if pairs is None:
            return NOTHING_CHOSEN
        decisions = Decisions(read_decisions(pairs), self._full_name)
        pins: dict[int, tuple[int, ...]] = {}
        for source, target in decisions.pins:
            page, pin = self.store.look_up(source), self.store.look_up(target)
            if page is not None and pin is not None:
                pins[page] = (*pins.get(page, ()), pin)
        names = [name for pair in decisions.pins for name in pair]
        return PairDecisions(decisions, pins, self._find_pages(names, f"The pins of {pairs}").notes)

    def _full_name(self, name: str) -> str:
        """A page's name in the graph, or the name as given if there is no such page."""
        page = self.store.look_up(name)
        return name if page is None else self.store.url(page)

    def _read_list(self, stop: str) -> StopList:
        kind, _, number = stop.partition(":")
        if kind == "auto":
            if not re.fullmatch("[0-9]{1,18}", number):
                raise OptionError(f"related: stop must be a file, web or auto:N, got {stop!r:.80}.")
            sites = None if self.store.auto_site == "page" else self.store.hosts
            return StopList(most_linked(self.store, int(number), sites))
        if stop == "web":
            return self._find_everywhere(read_names(WEB))
        return self._find_pages(read_names(stop), f"The stop list {stop}")

    def _find_pages(self, names: Iterable[str], called: str) -> StopList:
        """The pages with these names, and a note about names that are not in the graph."""
        page_by_name = {name: self.store.look_up(name) for name in names}
        unknown = [name for name, page in page_by_name.items() if page is None]
        pages = _ascending(page for page in page_by_name.values() if page is not None)
        if not unknown:
            return StopList(pages)
        listed = ", ".join(f"{name:.80}" for name in unknown[:MAX_NAMED])
        more = ", …" if len(unknown) > MAX_NAMED else ""
        names_of = f"{len(unknown):,} of its {len(page_by_name):,} names"
        are = "is" if len(unknown) == 1 else "are"
        note = f"{called}: {names_of} {are} not in the graph: {listed}{more}."
        return StopList(pages, (note,))

    def _find_everywhere(self, names: Iterable[str]) -> StopList:
        """The pages with these names in any form; most graphs have only a few of them."""
        spelt = {spelling for name in names for spelling in likely_names(name)}
        matches = map(self.store.names.page_of, sorted(spelt))
        pages = _ascending(page for page in matches if page is not None)
        if len(pages):
            return StopList(pages)
        return StopList(pages, ("No page of the stop list web is in the graph.",))


def _is_word(stop: str) -> bool:
    return stop == "web" or stop.startswith("auto:")


def state_of(stop: str | None) -> tuple[int, int, int] | None:
    """A value that changes when a stop list's file does; None if there is no file."""
    if stop is None or _is_word(stop):
        return None
    try:
        stat = Path(stop).stat()
    except (OSError, ValueError):
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def read_names(path: str | Path, called: str = "stop list") -> list[str]:
    """The lines of a list of names, without empty lines or comments (#)."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise OptionError(f"related: the {called} {path} cannot be read: {why}.") from error
    names = (line.strip() for line in lines)
    return [name for name in names if name and not name.startswith("#")]


def _ascending(pages: Iterable[int]) -> NDArray[uint32]:
    # Not np.unique, which imports numpy.ma: that takes longer than a whole query.
    return np.array(sorted(set(pages)), np.uint32)


def _most_linked_first(store: Store, count: int) -> Iterator[int]:
    """All pages by in-degree, highest first; only about `count` will be used."""
    start, end = 0, 2 * count
    while start < min(end, store.n_pages):
        yield from degrees.most_linked(store, end)[start:].tolist()
        start, end = end, 4 * end


def most_linked(store: Store, count: int, sites: NDArray[uint32] | None) -> NDArray[uint32]:
    """The pages that the most sites link to; a page never has more linking sites than parents."""
    best: list[tuple[int, int]] = []
    for page in _most_linked_first(store, count):
        kernels.limits.check()
        parents = store.links_to(page)
        if len(best) >= count and len(parents) < -best[count - 1][0]:
            break
        linking = len(parents) if sites is None else len(np.unique(sites[parents]))
        best.append((-linking, page))
        best.sort()
        del best[count:]
    return np.unique(np.array([page for _, page in best], np.uint32))
