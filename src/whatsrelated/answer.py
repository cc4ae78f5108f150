"""What a method finds, put in order: the one place where ties are decided.

Scores are compared after division by the list's largest and rounding to 9
decimals.  Equal ones: the method's own second thoughts (`ties`), then the
lower in-degree (the more specific page), then the lower page number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray


def _no_evidence(page: int) -> dict[str, Any]:
    return {}


@dataclass(slots=True)
class Found:
    """All that a method found for one question, not yet in order.

    `pages` and `scores` go together; `ties` are arrays like `scores`, compared
    highest first where scores are equal.  `evidence` is asked for a page only
    when somebody reads it.  `reason` says why nothing was found.
    """

    pages: NDArray[uint32]
    scores: NDArray[float64]
    ties: tuple[NDArray[float64], ...] = ()
    vicinity_pages: int = 0
    vicinity_links: int = 0
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    evidence: Callable[[int], dict[str, Any]] = _no_evidence
    reason: str = ""

    def __len__(self) -> int:
        return len(self.pages)


def order(found: Found, in_degrees: NDArray[int64], limit: int | None = None) -> NDArray[int64]:
    """The positions of `found.pages` from best to worst, `limit` of them at most."""
    count = len(found)
    if not count:
        return np.empty(0, np.int64)
    largest = found.scores.max()
    rounded = np.round(found.scores / largest, 9) if largest > 0 else found.scores
    chosen = np.arange(count)
    if limit is not None and limit < count:
        least = np.partition(rounded, count - limit)[count - limit]
        chosen = np.flatnonzero(rounded >= least)
    keys = [found.pages[chosen], in_degrees[chosen]]
    keys += [-tie[chosen] for tie in reversed(found.ties)]
    keys.append(-rounded[chosen])
    ranked = chosen[np.lexsort(keys)]
    return ranked if limit is None else ranked[:limit]
