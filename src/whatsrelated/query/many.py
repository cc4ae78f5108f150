"""Answers for many pages by their numbers: as `ask` gives them, without its cost for each.

1. a method that has a loop of its own for many pages (`find_best`) is asked for some hundreds
   at a time, where nothing is left out of its lists and no reasons are wanted;
2. a page whose list is too short, and all pages of other methods, are asked for one after the
   other (`Asker.best`); what was found for the pages above is remembered, for neighbours are
   chopped to the same page;
3. where a limit on memory was reached in a loop, its pages are asked for one after the other:
   each question has the whole of it, whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.contract.found import Lists
from whatsrelated.contract.question import Questions, site_for, sites_of
from whatsrelated.errors import OutOfMemory, OutOfTime
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.query.ask import Asker

if TYPE_CHECKING:
    from numpy import bool_, float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.found import Found
    from whatsrelated.methods import Method

AT_ONCE = 512
"""Pages that a kernel answers for before Ctrl-C is noticed."""
AT_ONCE_ALONE = 16
"""Pages between two calls of `progress`, where each is asked for alone."""
MOST_REMEMBERED = 8
"""Pages whose lists are remembered."""


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """The answers for some pages: list i is pages[ends[i - 1] : ends[i]], best first."""

    asked: NDArray[uint32]
    answered_for: NDArray[uint32]
    """The pages themselves, or those above them that were asked instead (chopping)."""
    ends: NDArray[int64]
    pages: NDArray[uint32]
    scores: NDArray[float64]
    reasons: list[str] | None
    """A sentence for each of `pages`, where they were asked for."""
    failed: dict[int, str]
    """The pages without an answer because it would have taken too much, and the errors."""

    @property
    def counts(self) -> NDArray[int64]:
        """How many pages each list has."""
        return np.diff(self.ends, prepend=0)


def ask_many(
    asker: Asker,
    pages: NDArray[uint32],
    *,
    why: bool = False,
    memory: int = QUESTION_MEMORY,
    progress: Callable[[int], None] | None = None,
) -> AnswerBlock:
    """The answers for these pages, each as if it were asked alone.

    Each question may take `memory`, in bytes; `progress` is called with how many are done.
    """
    asked = np.ascontiguousarray(pages, np.uint32)
    gathered = _Gathered(asker, why, memory)
    size = AT_ONCE if gathered.loops else AT_ONCE_ALONE
    for low in range(0, len(asked), size):
        gathered.add(asked[low : low + size])
        if progress is not None:
            progress(min(low + size, len(asked)))
    return AnswerBlock(
        asked=asked,
        answered_for=np.concatenate([asked[:0], *gathered.answered_for]),
        ends=np.cumsum(np.concatenate([np.empty(0, np.int64), *gathered.counts])),
        pages=np.concatenate([asked[:0], *gathered.pages]),
        scores=np.concatenate([np.empty(0), *gathered.scores]),
        reasons=gathered.reasons if why else None,
        failed=gathered.failed,
    )


class _Gathered:
    """The answers so far, in pieces."""

    def __init__(self, asker: Asker, why: bool, memory: int) -> None:
        self.asker, self.why, self.memory = asker, why, memory
        self.remembering = _Remembering(
            asker.store, asker.method, asker.request, asker.stop, asker.ranks, asker.deadline
        )
        self.loops = (
            _has_loop(asker.method)
            and not why
            and not asker.request.in_force()
            and not len(asker.stop.pages)
        )
        self.answered_for: list[NDArray[uint32]] = []
        self.counts: list[NDArray[int64]] = []
        self.pages: list[NDArray[uint32]] = []
        self.scores: list[NDArray[float64]] = []
        self.reasons: list[str] = []
        self.failed: dict[int, str] = {}

    def add(self, asked: NDArray[uint32]) -> None:
        """Ask for some pages."""
        own = self._own_sites(asked)
        lists = self._by_loop(asked, own)
        answered, counts = asked.copy(), np.empty(len(asked), np.int64)
        if lists is None:
            alone, starts = np.ones(len(asked), np.bool_), np.zeros(len(asked) + 1, np.int64)
        else:
            alone = ~lists.enough & self._chops(own)
            starts = np.concatenate([[0], lists.ends])
            counts[:] = np.diff(starts)
        after = 0
        for place in [*np.flatnonzero(alone).tolist(), len(asked)]:
            if lists is not None:
                self.pages.append(lists.pages[starts[after] : starts[place]])
                self.scores.append(lists.scores[starts[after] : starts[place]])
            if place < len(asked):
                answered[place], counts[place] = self._ask_alone(int(asked[place]))
            after = place + 1
        self.answered_for.append(answered)
        self.counts.append(counts)

    def _own_sites(self, asked: NDArray[uint32]) -> NDArray[bool_]:
        """Of which pages every page is its own site."""
        store, site = self.asker.store, self.asker.request.site
        if site != "auto" or store.auto_site == "page":
            return np.full(len(asked), site_for(store, site, ()) == "page")
        return np.array([site_for(store, site, (page,)) == "page" for page in asked.tolist()])

    def _chops(self, own: NDArray[bool_]) -> NDArray[bool_]:
        """For which pages those above are asked where there are too few results."""
        chop = self.asker.request.chop
        if chop is not None:
            return np.full(len(own), chop)
        return ~own if self.asker.method.chops else np.zeros(len(own), np.bool_)

    def _by_loop(self, asked: NDArray[uint32], own: NDArray[bool_]) -> Lists | None:
        """What the loop of the method gives; None where it has none, or takes too much at once."""
        if not self.loops:
            return None
        store, request = self.asker.store, self.asker.request
        site = store.auto_site if request.site == "auto" else request.site
        try:
            with keep_within(question_limits(self.asker.deadline, self.memory)) as limits:
                parts = [
                    self.asker.method.find_best(
                        Questions(store, asked[mask], sites_of(store, kind), request.seed),
                        request.limit,
                    )
                    for mask, kind in ((own, "page"), (~own, site))
                ]
        except OutOfMemory:
            return None
        if limits.reached or parts[0] is None or parts[1] is None:
            return None
        return _interleave(own, parts[0], parts[1])

    def _ask_alone(self, page: int) -> tuple[int, int]:
        """Ask for a page by itself; the page that it was answered for, and how many results."""
        try:
            with keep_within(question_limits(self.asker.deadline, self.memory)):
                best = self.remembering.best(page)
                if self.why:
                    reasons = [str(best.evidence(one)["sentence"]) for one in best.pages.tolist()]
                    self.reasons += reasons
        except (OutOfMemory, OutOfTime) as error:
            self.failed[page] = str(error)
            return page, 0
        self.pages.append(best.pages)
        self.scores.append(best.scores)
        return best.answered_for, len(best.pages)


@dataclass(frozen=True, slots=True)
class _Remembering(Asker):
    """An asker that remembers what it found for a few pages."""

    held: dict[tuple[int, ...], Found] = field(default_factory=dict)

    def find(self, pages: tuple[int, ...]) -> Found:
        found = self.held.pop(pages, None)
        if found is None:
            found = Asker.find(self, pages)
        self.held[pages] = found
        if len(self.held) > MOST_REMEMBERED:
            del self.held[next(iter(self.held))]
        return found


def _has_loop(method: Method) -> bool:
    """Whether a method has a loop for many pages, and it is that of its own `find`."""
    kinds = type(method).__mro__
    return next(one for one in kinds if "find" in vars(one)) is next(
        one for one in kinds if "find_best" in vars(one)
    )


def _interleave(first: NDArray[bool_], one: Lists, other: Lists) -> Lists:
    """The lists of the pages where `first` is true and of the others, in the order of the pages."""
    if not len(other.ends) or not len(one.ends):
        return one if len(one.ends) else other
    counts = np.empty(len(first), np.int64)
    enough = np.empty(len(first), np.bool_)
    for mask, lists in ((first, one), (~first, other)):
        counts[mask], enough[mask] = np.diff(lists.ends, prepend=0), lists.enough
    ends = np.cumsum(counts)
    pages, scores = np.empty(ends[-1], np.uint32), np.empty(ends[-1])
    for mask, lists in ((first, one), (~first, other)):
        shifts = np.repeat(ends[mask] - lists.ends, counts[mask])
        places = np.arange(len(lists.pages)) + shifts
        pages[places], scores[places] = lists.pages, lists.scores
    return Lists(ends, pages, scores, enough)
