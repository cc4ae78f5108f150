"""How similar pages are, pair by pair: the score of one page in the full list of the other.

A row is one page's list: row a, column b shows how similar b is to a. Blend is symmetric, and so
are PageSim and SimRank apart from errors. Other methods may not be. A page has a score with itself
only if the method defines one (LLK06).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.question import Question
from whatsrelated.contract.replies import PageName, SimilarityReply
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS, Method
from whatsrelated.query.ask import UNORDERED, limit_notes
from whatsrelated.query.resolve import find_page

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated.contract.question import RankService
    from whatsrelated.graph.store import Store
    from whatsrelated.query.request import SimilarityRequest

DEFAULT_MEASURE = "blend"
MAX_COMPARED = 5_000
"""Maximum number of pages in a matrix, which then takes 0.2 GB."""


def measures() -> list[str]:
    """The methods that compare two pages, ours and installed ones."""
    return [name for name, method in METHODS.by_name().items() if method.compares]


@dataclass(frozen=True, slots=True)
class Similarity:
    """How similar several pages are, pair by pair; a row holds the scores for one page."""

    asked: list[str]
    urls: list[str]
    titles: list[str | None]
    by: Method
    options: dict[str, Any]
    scores: NDArray[float64]
    took_ms: float
    notes: list[str]

    def __len__(self) -> int:
        return len(self.urls)

    def rows(self) -> list[list[float | None]]:
        """The scores; None for a missing one."""
        return [
            [None if math.isnan(score) else score for score in row] for row in self.scores.tolist()
        ]

    def reply(self) -> SimilarityReply:
        """The matrix as JSON, in the same form on the command line and over HTTP."""
        named = zip(self.urls, self.titles, strict=True)
        return SimilarityReply(
            asked=self.asked,
            by=self.by.name,
            options=self.options,
            pages=[PageName(url=url, title=title) for url, title in named],
            scores=self.rows(),
            took_ms=self.took_ms,
            notes=self.notes,
        )

    def as_dict(self) -> dict[str, Any]:
        """The same JSON as plain Python values."""
        return self.reply().as_dict()


def pair_score(
    store: Store,
    names: Sequence[str],
    method: Method,
    request: SimilarityRequest,
    *,
    ranks: RankService,
    limits: kernels.limits.Limits,
) -> float:
    """The score of the second page in the list of the first."""
    _require_measure(method)
    one, two = (store.page(text) for text in names)
    ways = [(one, two), (two, one)] if method.symmetric else [(one, two)]
    scores = [
        float(method.compare(_question(store, page, request, ranks), [other])[0])
        for page, other in ways
    ]
    return max(scores)


def similarity_matrix(
    store: Store,
    names: Sequence[str],
    method: Method,
    request: SimilarityRequest,
    *,
    ranks: RankService,
    limits: kernels.limits.Limits,
) -> Similarity:
    """The matrix of these pages; a page given twice has two rows."""
    begun = time.perf_counter()
    if len(names) > MAX_COMPARED:
        raise OptionError(f"similarity: at most {MAX_COMPARED:,} pages, got {len(names):,}.")
    _require_measure(method)
    matches = [find_page(store, text) for text in names]
    pages = [page for page, _ in matches]
    times = Counter(pages)
    rows = {page: method.compare(_question(store, page, request, ranks), pages) for page in times}
    scores = np.array([rows[page] for page in pages], np.float64)
    if method.symmetric:
        scores = np.maximum(scores, scores.T)
    notes = [UNORDERED] if method.reads_order and not store.ordered else []
    notes += limit_notes(limits)
    notes += [note for _, spelling in matches for note in spelling]
    notes += [f"{store.url(page)} was given {n} times." for page, n in times.items() if n > 1]
    return Similarity(
        asked=list(names),
        urls=[store.url(page) for page in pages],
        titles=[store.title(page) for page in pages],
        by=method,
        options={**method.settings(), **request.settings()},
        scores=scores,
        took_ms=round((time.perf_counter() - begun) * 1000, 3),
        notes=list(dict.fromkeys(notes)),
    )


def _question(store: Store, page: int, request: SimilarityRequest, ranks: RankService) -> Question:
    kernels.limits.check()
    return Question.about(store, (page,), site=request.site, seed=request.seed, ranks=ranks)


def _require_measure(method: Method) -> None:
    if not method.compares:
        raise OptionError(
            f"similarity: {method.name} does not compare two pages; "
            f"choose from {', '.join(measures())}."
        )
