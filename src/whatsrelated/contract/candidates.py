"""The results of a method, and their order; ties are broken only here.

Before comparison, scores are divided by the largest one in the list and rounded to 9 decimals. Ties
are broken by the method's second criterion (`ties`), then by lower in-degree (the more specific
page), then by lower page number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import UNSET

from whatsrelated import kernels
from whatsrelated.contract.replies import ScoredPage

if TYPE_CHECKING:
    from numpy import bool_, float64, int64, uint32
    from numpy.typing import NDArray


def _no_evidence(page: int) -> dict[str, Any]:
    return {}


@dataclass(slots=True)
class Candidates:
    """Everything that a method found for one question, unsorted.

    `pages` and `scores` are parallel arrays. `ties` are further arrays, highest first, that decide
    between equal scores; `groups` are compared before scores. `evidence` is computed for a page
    only when it is read; `explained` lists the pages of the answer, so a method can read
    the links of all of them together. If nothing was found,
    `reason` explains why.
    """

    pages: NDArray[uint32]
    scores: NDArray[float64]
    ties: tuple[NDArray[float64], ...] = ()
    groups: NDArray[int64] | None = None
    vicinity_pages: int = 0
    vicinity_links: int = 0
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    evidence: Callable[[int], dict[str, Any]] = _no_evidence
    explained: list[int] = field(default_factory=list)
    reason: str = ""

    def explain_together(self, pages: Iterable[int]) -> None:
        """Set the pages of the answer, without those that this method did not find."""
        if not self.explained:
            pages_found = set(self.pages.tolist())
            self.explained[:] = [page for page in pages if page in pages_found]

    @classmethod
    def nothing(cls, reason: str) -> Candidates:
        """An empty answer with its reason."""
        return cls(np.empty(0, np.uint32), np.empty(0, np.float64), reason=reason)

    def __len__(self) -> int:
        return len(self.pages)

    def without(self, pages: Collection[int]) -> Candidates:
        """The same results without these query pages."""
        present = [page for page in pages if page in self.pages]
        if not present:
            return self
        rest = self.only(~np.isin(self.pages, present))
        if not len(rest):
            rest.reason = "nothing was found except the query pages"
        return rest

    def only(self, chosen: NDArray[bool_]) -> Candidates:
        """The same results, limited to the pages at these positions."""
        return replace(
            self,
            pages=self.pages[chosen],
            scores=self.scores[chosen],
            ties=tuple(tie[chosen] for tie in self.ties),
            groups=None if self.groups is None else self.groups[chosen],
        )


def order(
    candidates: Candidates, links: kernels.links.Links, limit: int | None = None
) -> NDArray[int64]:
    """The positions of `candidates.pages` from best to worst, at most `limit`."""
    limit = len(candidates) if limit is None else limit
    scores, ties = candidates.scores, list(candidates.ties)
    if candidates.groups is not None:  # groups come before scores
        largest = scores.max(initial=0)
        ties = [np.round(scores / largest, 9) if largest > 0 else scores, *ties]
        scores = candidates.groups.astype(np.float64)
    return kernels.best_pages.rank_best(
        np.ascontiguousarray(candidates.pages, np.uint32),
        np.ascontiguousarray(scores, np.float64),
        np.array(ties, np.float64) if ties else None,
        links,
        limit,
    )


PINNED = "You pinned this page; the method did not find it."


def with_pages(candidates: Candidates, pages: Collection[int]) -> Candidates:
    """The same results with these pages, at a score of 0 if the method did not find them."""
    new = [page for page in pages if page not in candidates.pages]
    if not new:
        return candidates
    explained: list[int] = []

    def evidence(page: int) -> dict[str, Any]:
        if page in new:
            return {"sentence": PINNED}
        candidates.explain_together(explained)
        return candidates.evidence(page)

    zeros = np.zeros(len(new))
    groups = candidates.groups
    return replace(
        candidates,
        pages=np.concatenate([candidates.pages, np.array(new, np.uint32)]),
        scores=np.concatenate([candidates.scores, zeros]),
        ties=tuple(np.concatenate([tie, zeros]) for tie in candidates.ties),
        groups=None if groups is None else np.concatenate([groups, zeros.astype(groups.dtype)]),
        evidence=evidence,
        explained=explained,
    )


@dataclass(slots=True)
class Result:
    """One related page; `pinned` if it comes first because of a user's decision."""

    page: int
    url: str
    title: str | None
    score: float
    _evidence: Callable[[int], dict[str, Any]] = field(repr=False, default=_no_evidence)
    _computed: dict[str, Any] | None = field(repr=False, default=None)
    pinned: bool = False

    @property
    def evidence(self) -> dict[str, Any]:
        """Why this page is a result, computed on first access."""
        if self._computed is None:
            kernels.limits.check()
            self._computed = self._evidence(self.page)
        return self._computed

    def __reduce__(self) -> tuple[Any, ...]:
        """A result is pickled with its evidence."""
        known = (self.page, self.url, self.title, self.score, _no_evidence, self.evidence)
        return Result, (*known, self.pinned)

    def reply(self, why: bool = False, grade: str | None = None) -> ScoredPage:
        """The page as JSON, with its evidence if `why` is set, and a strength in words."""
        return ScoredPage(
            url=self.url,
            title=self.title,
            score=self.score,
            grade=grade or UNSET,
            evidence=self.evidence if why else UNSET,
        )

    def as_dict(self, why: bool = False) -> dict[str, Any]:
        """The same JSON as plain Python values."""
        return self.reply(why).as_dict()
