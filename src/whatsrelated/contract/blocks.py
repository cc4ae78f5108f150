"""Answers for many pages at once: lists of page numbers in a few arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """The answers for some query pages: list i is pages[ends[i - 1] : ends[i]], best first."""

    asked: NDArray[uint32]
    answered_for: NDArray[uint32]
    """The query pages themselves, or the parent folders' pages used instead (chopping)."""
    ends: NDArray[int64]
    pages: NDArray[uint32]
    scores: NDArray[float64]
    reasons: list[str] | None = None
    """One sentence per page in `pages`, if requested."""
    failed: dict[int, str] = field(default_factory=dict)
    """The query pages that could not be answered within their limits, and the errors."""

    @property
    def counts(self) -> NDArray[int64]:
        """The number of pages in each list."""
        return np.diff(self.ends, prepend=0)

    @classmethod
    def join(cls, blocks: Sequence[AnswerBlock]) -> AnswerBlock:
        """The lists of all blocks, concatenated."""
        if len(blocks) == 1:
            return blocks[0]
        reasons = [block.reasons for block in blocks if block.reasons is not None]
        return cls(
            np.concatenate([block.asked for block in blocks]),
            np.concatenate([block.answered_for for block in blocks]),
            np.cumsum(np.concatenate([block.counts for block in blocks])),
            np.concatenate([block.pages for block in blocks]),
            np.concatenate([block.scores for block in blocks]),
            list(chain.from_iterable(reasons)) if reasons else None,
            dict(chain.from_iterable(block.failed.items() for block in blocks)),
        )

    def take(self, places: NDArray[int64]) -> AnswerBlock:
        """The lists at these positions, in this order."""
        counts = self.counts[places]
        ends = np.cumsum(counts)
        rows = np.arange(counts.sum()) + np.repeat(self.ends[places] - ends, counts)
        reasons = self.reasons and [self.reasons[row] for row in rows.tolist()]
        return replace(
            self,
            asked=self.asked[places],
            answered_for=self.answered_for[places],
            ends=ends,
            pages=self.pages[rows],
            scores=self.scores[rows],
            reasons=reasons,
        )

    def lists(self) -> Iterator[list[tuple[int, float, str]]]:
        """Each list: pages, scores, and reasons (empty if not requested)."""
        reasons = [""] * len(self.pages) if self.reasons is None else self.reasons
        rows = list(zip(self.pages.tolist(), self.scores.tolist(), reasons, strict=True))
        for first, end in pairwise([0, *self.ends.tolist()]):
            yield rows[first:end]
