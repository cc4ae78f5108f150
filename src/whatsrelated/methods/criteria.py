"""Criteria of hubfinder: a rank, HITS over the pages found, or a function.

A string names a rank (`hubrank`, `out-degree`), a rank's hubs (`hits:hubs`), or HITS' hubs or
authorities over the links between the pages found so far (`local`, `local:authorities`). It may
also name a criterion from the entry-point group `whatsrelated.criteria`: a function that takes the
store and returns a scoring function. In Python, a criterion may be a rank with options,
`HubRank(bias="in")`, or a scoring function. The function maps a page number to a score or, faster,
an array of numbers to an array of scores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.options import Configured
from whatsrelated.registry import Registry

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store

Scorer = Callable[["NDArray[uint32]"], "NDArray[float64]"]
LOCAL = ("local", "local:hubs", "local:authorities")
TOLERANCE, MAX_ROUNDS = 1e-9, 1000
CRITERIA: Registry[Callable[[Store], Scorer]] = Registry("criterion", "whatsrelated.criteria", {})
"""Criteria from other packages."""
OTHERS = "choose local, local:authorities, hits:hubs or any rank"


def is_criterion(value: Any) -> bool:
    """Whether a value can be a criterion; names are only looked up when used."""
    if isinstance(value, Configured):
        return hasattr(value, "compute")
    return isinstance(value, str) or (callable(value) and not isinstance(value, type))


class Criterion:
    """A criterion for one question."""

    def __init__(self, value: Any, question: Question) -> None:
        self.store = question.store
        self.name = criterion_name(value)
        self._local = value if isinstance(value, str) and value in LOCAL else None
        self._scorer = None if self._local else _global_scorer(value, question)

    def among(self, *pools: NDArray[uint32]) -> Scorer:
        """A function that scores pages, given arrays of those found so far, without duplicates."""
        scorer = self._scorer
        if self._local:
            scorer = _local_scorer(self.store, np.sort(np.concatenate(pools)), self._local)
        assert scorer is not None

        def score(pages: NDArray[uint32]) -> NDArray[float64]:
            scores = np.asarray(scorer(pages) if len(pages) else [])
            if scores.shape != pages.shape:
                raise OptionError(
                    f"hubfinder: the criterion {self.name} must return one score per page, "
                    f"got {scores.size:,} for {len(pages):,} pages."
                )
            if scores.dtype.kind not in "biuf":
                raise OptionError(
                    f"hubfinder: the criterion {self.name} must return numbers, got {scores.dtype}."
                )
            numbers = scores.astype(np.float64, copy=False)
            odd = np.flatnonzero(~np.isfinite(numbers))
            if len(odd):
                raise OptionError(
                    f"hubfinder: the criterion {self.name} must return numbers, "
                    f"got {numbers[odd[0]]} for {self.store.url(int(pages[odd[0]]))}."
                )
            return numbers

        return score


def criterion_name(value: Any) -> str:
    """The name of a criterion."""
    if isinstance(value, str):
        return value
    return repr(value) if isinstance(value, Configured) else getattr(value, "__name__", repr(value))


def _global_scorer(value: Any, question: Question) -> Scorer:
    if callable(value):
        return _for_many(value)
    name, _, part = value.partition(":") if isinstance(value, str) else (value, "", "")
    try:
        if part not in ("", "hubs"):
            raise OptionError(f"A rank may have hubs, but not {part}.")
        ranking = question.rank(name)
    except OptionError as error:
        if not isinstance(value, str) or value not in CRITERIA:
            raise OptionError(f"hubfinder: no criterion {value!r:.80}; {OTHERS}. {error}") from None
        return _for_many(CRITERIA[value](question.store))
    scores = ranking.hubs if part else ranking.scores
    if scores is None:
        raise OptionError(f"hubfinder: no criterion {value!r:.80}; {ranking.by.name} has no hubs.")
    return lambda pages: scores[pages]


def _for_many(function: Callable[[Any], Any]) -> Scorer:
    """Return a function that takes arrays unchanged; wrap one that takes a single page."""

    def score(pages: NDArray[uint32]) -> NDArray[float64]:
        try:
            scores = np.asarray(function(pages))
            if scores.ndim:
                return scores
        except (TypeError, ValueError, LookupError):  # a function of one page
            pass
        return np.array([function(page) for page in pages.tolist()])

    return score


def _local_scorer(store: Store, pages_found: NDArray[uint32], kind: str) -> Scorer:
    """HITS over all links between the pages found; 0 for other pages."""
    around = scratch_of(kernels.vicinity.Vicinity)
    around.clear(len(pages_found))
    around.add(pages_found, 0, np.empty(0, np.uint32))
    _, starts, targets = around.graph(store.links, None)
    authorities, hubs, _, _ = kernels.authorities.authorities(
        starts, targets, None, None, TOLERANCE, MAX_ROUNDS
    )
    scores = authorities if kind == "local:authorities" else hubs

    def score(pages: NDArray[uint32]) -> NDArray[float64]:
        places = np.minimum(np.searchsorted(pages_found, pages), len(pages_found) - 1)
        return np.where(pages_found[places] == pages, scores[places], 0.0)

    return score
