"""Answer for many pages by number, with the same results as `ask` but at a lower cost per page.

1. a method with a loop for many pages (`find_best`) gets a few hundred at a time, unless filters or
   reasons are requested;
2. pages with too few results, and all pages of other methods, are queried one by one
   (`Asker.best`); the lists of the pages above are kept, since neighbours are chopped to the same
   page;
3. if a loop reaches its memory limit, its pages are queried one by one, each with the whole limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.contract.blocks import AnswerBlock
from whatsrelated.contract.candidates import Candidates
from whatsrelated.contract.question import Questions, site_for, sites_of
from whatsrelated.errors import OutOfMemory, OutOfTime
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.query.ask import Asker

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.methods import Method

PAGES_PER_CALL = 512
"""Number of pages per kernel call; Ctrl-C is noticed between calls."""
PAGES_PER_REPORT = 16
"""Number of pages between two calls of `progress`, if pages are queried one by one."""
MAX_REMEMBERED = 8
"""Number of pages whose lists are kept."""


def ask_many(
    asker: Asker,
    pages: NDArray[uint32],
    *,
    why: bool = False,
    memory: int = QUESTION_MEMORY,
    allowed: NDArray[bool_] | None = None,
    progress: Callable[[int], None] | None = None,
) -> AnswerBlock:
    """The answers for these pages, the same as if each were queried alone.

    Each query may take `memory` bytes. `allowed` marks the pages that may be results. `progress` is
    called with the number of pages done.
    """
    numbers = np.ascontiguousarray(pages, np.uint32)
    many = _ManyAsker(asker, why, memory, allowed)
    size = PAGES_PER_CALL if many.loops else PAGES_PER_REPORT
    blocks = []
    for low in range(0, max(len(numbers), 1), size):
        blocks.append(many.ask(numbers[low : low + size]))
        if progress is not None:
            progress(min(low + size, len(numbers)))
    return AnswerBlock.join(blocks)


class _ManyAsker:
    """Queries some pages at a time, with the method's loop if possible."""

    def __init__(
        self, asker: Asker, why: bool, memory: int, allowed: NDArray[bool_] | None
    ) -> None:
        self.asker, self.why, self.memory, self.allowed = asker, why, memory, allowed
        self.remembering = _Remembering(
            *(getattr(asker, field.name) for field in fields(asker) if field.name != "cache")
        )
        self.loops = (
            _has_loop(asker.method)
            and not why
            and allowed is None
            and not asker.request.in_force(asker.store)
            and not len(asker.stop.pages)
        )

    def ask(self, pages: NDArray[uint32]) -> AnswerBlock:
        """The answers for some pages."""
        own_site = self._own_sites(pages)
        looped = self._by_loop(pages, own_site) if self.loops and len(pages) else None
        if looped is None:
            return self._ask_alone(pages)
        block, enough = looped
        alone = np.flatnonzero(~enough & self._chops(own_site))
        if not len(alone):
            return block
        places = np.arange(len(pages))
        places[alone] = len(pages) + np.arange(len(alone))
        return AnswerBlock.join([block, self._ask_alone(pages[alone])]).take(places)

    def _own_sites(self, pages: NDArray[uint32]) -> NDArray[bool_]:
        """Which of these pages have a `site` that resolves to "page"."""
        store, site = self.asker.store, self.asker.request.site
        if site != "auto" or store.auto_site == "page":
            return np.full(len(pages), site_for(store, site, ()) == "page")
        return np.array(
            [site_for(store, site, (page,)) == "page" for page in pages.tolist()], np.bool_
        )

    def _chops(self, own_site: NDArray[bool_]) -> NDArray[bool_]:
        """Which pages chopping applies to."""
        chop = self.asker.request.chop
        if chop is not None:
            return np.full(len(own_site), chop)
        return ~own_site if self.asker.method.chops else np.zeros(len(own_site), np.bool_)

    def _by_loop(
        self, pages: NDArray[uint32], own_site: NDArray[bool_]
    ) -> tuple[AnswerBlock, NDArray[bool_]] | None:
        """The result of the method's loop (`Method.find_best`); None if memory runs out."""
        store, request = self.asker.store, self.asker.request
        site = store.auto_site if request.site == "auto" else request.site
        replies: list[tuple[AnswerBlock, NDArray[bool_]] | None] = []
        masks = [
            (mask, kind) for mask, kind in ((own_site, "page"), (~own_site, site)) if mask.any()
        ]
        try:
            with keep_within(question_limits(None, self.memory)) as limits:
                for mask, kind in masks:
                    questions = Questions(store, pages[mask], sites_of(store, kind), request.seed)
                    replies.append(self.asker.method.find_best(questions, request.limit))
        except OutOfMemory:
            return None
        parts = [part for part in replies if part is not None]
        if limits.reached or len(parts) < len(masks):
            return None
        block = AnswerBlock.join([lists for lists, _ in parts])
        enough = np.concatenate([each for _, each in parts])
        if len(parts) == 1:
            return block, enough
        places = np.argsort(np.concatenate([np.flatnonzero(mask) for mask, _ in masks]))
        return block.take(places), enough[places]

    def _ask_alone(self, pages: NDArray[uint32]) -> AnswerBlock:
        """The answers for some pages, one by one."""
        answers: list[tuple[Candidates, int]] = []
        reasons: list[str] = []
        failed: dict[int, str] = {}
        for page in pages.tolist():
            try:
                with keep_within(question_limits(None, self.memory)):
                    candidates, answered_for = self.remembering.best(page, self.allowed)
                    if self.why:
                        evidence = map(candidates.evidence, candidates.pages.tolist())
                        reasons += [str(one["sentence"]) for one in evidence]
            except (OutOfMemory, OutOfTime) as error:
                failed[page] = str(error)
                candidates, answered_for = Candidates.nothing(str(error)), page
            answers.append((candidates, answered_for))
        return AnswerBlock(
            pages,
            np.array([page for _, page in answers], np.uint32),
            np.cumsum([len(candidates) for candidates, _ in answers], dtype=np.int64),
            np.concatenate([pages[:0], *(candidates.pages for candidates, _ in answers)]),
            np.concatenate([np.empty(0), *(candidates.scores for candidates, _ in answers)]),
            reasons if self.why else None,
            failed,
        )


@dataclass(frozen=True, slots=True)
class _Remembering(Asker):
    """An asker that caches its results for a few pages."""

    cache: dict[tuple[int, ...], Candidates] = field(default_factory=dict)

    def ask_method(self, pages: tuple[int, ...]) -> Candidates:
        candidates = self.cache.pop(pages, None)
        if candidates is None:
            candidates = Asker.ask_method(self, pages)
        self.cache[pages] = candidates
        if len(self.cache) > MAX_REMEMBERED:
            del self.cache[next(iter(self.cache))]
        return candidates


def _has_loop(method: Method) -> bool:
    """Whether a method's `find_best` is defined in the same class as its `find`."""
    kinds = type(method).__mro__
    return next(one for one in kinds if "find" in vars(one)) is next(
        one for one in kinds if "find_best" in vars(one)
    )
