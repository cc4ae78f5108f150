"""Latent linkage information: similarity to a page in the space of its neighbours.

Two pages may be related through parents that they do not share, if these parents have similar
links. A singular value decomposition reveals this. On the page source of extended cocitation, for a
page u:

1. A has a row for each page of BS and a column for each merged parent of u, with a 1 if the parent
   links to the page; B is the same for FS and the children;
2. A = U S V'; keep the first k singular values, where k ≥ 2 is the first position after which they
   drop by at least the share `gap`;
3. the rows of U_k S_k are the pages, u' = (1, ..., 1) V_k S_k is the query, and the similarity is
   the absolute cosine of the two;
4. rank each half by similarity, and join the lists by the sum of 1 / (60 + place).

Differences from HZ03: k is at least 2, because k = 1 makes every similarity 1; `min_rank=1` looks
for the gap from the first value on, as the paper does. The two similarities belong to different
spaces, so we join places instead of values. The paper gives no order for its union;
`union="similarity"` orders it by the larger value.

Cost: the same as extended cocitation, plus the singular values of two matrices with as many columns
as u has neighbours. Pages with equal rows become one row, weighted by the square root of their
number, so the matrices are small. HZ03, sec. 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates, order
from whatsrelated.methods.page_source import (
    PageSourceMethod,
    counts,
    evidence_of,
    reason_for_nothing,
)
from whatsrelated.options import option

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store
    from whatsrelated.vicinity.page_source import HalfSource

OPERATIONS = 4e9
"""A conservative estimate of floating-point operations per second for singular values."""
SMALL = 1e-10
"""Singular values and row lengths below this share of the first singular value count as 0."""


@dataclass(frozen=True)
class Lli(PageSourceMethod):
    """Similarity to a page in the space of its neighbours."""

    name = "lli"
    scored = "the sum of 1 / (60 + position) over the two lists, by parents and by children"
    reads_order = True

    threshold: float = option(
        0.0,
        "minimum similarity of a result, by parents or by children",
        symbol="δ",
        low=0,
        high=1,
    )
    gap: float = option(
        0.5,
        "cut the parents' singular values after the first drop by this share",
        symbol="ε",
        low=0,
        high=1,
    )
    gap_forward: float = option(
        0.5,
        "cut the children's singular values after the first drop by this share",
        symbol="ε",
        low=0,
        high=1,
    )
    rank: int | None = option(
        None,
        "number of singular values to use instead of searching for a gap",
        symbol="k",
        low=1,
        kind=int,
    )
    min_rank: int = option(
        2, "minimum number of singular values when searching for a gap; HZ03 uses 1", low=1
    )
    union: str = option(
        "places",
        "join the parents' and children's lists by position, or by the larger similarity",
        choices=("places", "similarity"),
    )

    def find(self, question: Question) -> Candidates:
        store = question.store
        back, forward = map(_within_memory, self.halves(question))
        spaces = (
            Space(back, self.gap, self.rank, self.min_rank),
            Space(forward, self.gap_forward, self.rank, self.min_rank),
        )
        pages = np.union1d(back.pages, forward.pages)
        join = self._join_places if self.union == "places" else self._join_similarities
        scores, ties = join(store, pages, spaces)

        def evidence(page: int) -> dict[str, Any]:
            return _evidence(question, spaces, page)

        scored = scores >= 0
        candidates = Candidates(
            pages[scored],
            scores[scored],
            ties=tuple(tie[scored] for tie in ties),
            evidence=evidence,
            **counts(question, back, forward),
        )
        for name, space in zip(("back", "forward"), spaces, strict=True):
            candidates.details[f"{name}_rank"] = {"k": space.k, "r": space.r}
        if not len(candidates):
            below = f"no page has a similarity of {self.threshold:g} to {store.url(question.page)}"
            candidates.reason = reason_for_nothing(question, back, forward, below)
        return candidates

    def _join_places(
        self, store: Store, pages: NDArray[uint32], spaces: tuple[Space, Space]
    ) -> tuple[NDArray[float64], tuple[NDArray[float64], ...]]:
        """The sum of 1 / (60 + position) over the halves; -1 for a page in neither."""
        scores = np.zeros(len(pages), np.float64)
        for space in spaces:
            enough = space.similarity >= self.threshold
            similar = Candidates(
                space.half.pages[enough], space.similarity[enough], ties=(space.degrees[enough],)
            )
            ranked = order(similar, store.links)
            places = np.arange(1, len(ranked) + 1)
            scores[np.searchsorted(pages, similar.pages[ranked])] += 1 / (60 + places)
        return np.where(scores > 0, scores, -1.0), ()

    def _join_similarities(
        self, store: Store, pages: NDArray[uint32], spaces: tuple[Space, Space]
    ) -> tuple[NDArray[float64], tuple[NDArray[float64], ...]]:
        """The larger similarity, with the larger degree for ties; -1 for a page in neither half."""
        scores, degrees = np.full(len(pages), -1.0), np.zeros(len(pages))
        for space in spaces:
            enough = space.similarity >= self.threshold
            places = np.searchsorted(pages, space.half.pages[enough])
            scores[places] = np.maximum(scores[places], space.similarity[enough])
            degrees[places] = np.maximum(degrees[places], space.degrees[enough])
        return scores, (degrees,)


class Space:
    """One half in the space of its first k singular values."""

    def __init__(self, half: HalfSource, gap: float, rank: int | None, min_rank: int) -> None:
        self.half = half
        self.degrees = half.degrees().astype(np.float64)
        self.similarity: NDArray[float64] = np.zeros(len(half.pages), np.float64)
        self.k = self.r = 0
        if not len(half.places):
            return
        rows, of_page, count = _distinct_rows(half)
        # A row that several pages share is scaled by the square root of their number.
        weighted = rows * np.sqrt(count)[:, None]
        small, large = sorted(weighted.shape)
        kernels.limits.check(seconds=(4 * small**2 * large + 22 * small**3) / OPERATIONS)
        if len(rows) > half.width:
            weighted = np.asarray(np.linalg.qr(weighted, mode="r"))
        _, sigma, vectors = np.linalg.svd(weighted, full_matrices=False)
        self.r = int(np.count_nonzero(sigma > SMALL * sigma[0]))
        self.k = _rank(sigma[: self.r], gap, min_rank) if rank is None else min(rank, self.r)
        axes = vectors[: self.k].T
        query = axes.sum(axis=0) * sigma[: self.k]
        pages = rows @ axes
        lengths = np.sqrt((pages * pages).sum(axis=1))
        length = float(np.sqrt(query @ query))
        nothing = (lengths <= SMALL * sigma[0]) | (length <= SMALL * sigma[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            cosines = np.abs(pages @ query) / (lengths * length)
        self.similarity = np.where(nothing, 0.0, cosines)[of_page]


def _within_memory(half: HalfSource) -> HalfSource:
    """The half; if it is too large, the candidates that share the fewest neighbours are dropped."""
    max_rows = kernels.limits.rows_within(40 * half.width)  # five matrices of 64-bit numbers
    if len(half.pages) <= max_rows:
        return half
    kernels.limits.mark_reached()
    kept = np.zeros(len(half.pages), np.bool_)
    kept[np.argsort(-half.degrees(), kind="stable")[:max_rows]] = True
    shared = kept[half.places]
    places = (np.cumsum(kept) - 1)[half.places[shared]].astype(np.uint32)
    return replace(half, pages=half.pages[kept], places=places, numbers=half.numbers[shared])


def _distinct_rows(half: HalfSource) -> tuple[NDArray[float64], NDArray[int64], NDArray[int64]]:
    """The distinct rows of the half's 0/1 matrix, each page's row, and the count of each row."""
    matrix = np.zeros((len(half.pages), half.width), np.bool_)
    matrix[half.places, half.numbers] = True
    packed = np.packbits(matrix, axis=1)
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, of_page, count = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    return matrix[first].astype(np.float64), of_page, count


def _rank(sigma: NDArray[float64], gap: float, min_rank: int) -> int:
    """The smallest k from `min_rank` to r after which singular values drop by at least `gap`."""
    r = len(sigma)
    following = np.append(sigma[1:], 0.0)
    falls = (sigma - following) / sigma >= gap - 1e-9
    min_rank = min(min_rank, r)
    return min_rank + int(np.argmax(falls[min_rank - 1 :]))


def _evidence(question: Question, spaces: tuple[Space, Space], page: int) -> dict[str, Any]:
    """Both similarities, k and r, and the evidence of extended cocitation."""
    back, forward = spaces
    evidence = evidence_of(question, back.half, forward.half, page)
    for name, space in (("back", back), ("forward", forward)):
        if evidence[name]:
            place = int(np.flatnonzero(space.half.pages == page)[0])
            similarity = float(space.similarity[place])
            numbers = {"similarity": similarity, "k": space.k, "r": space.r}
            evidence[name] = {**numbers, **evidence[name]}
    return evidence
