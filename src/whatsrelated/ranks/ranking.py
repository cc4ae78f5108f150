"""The result of a rank: a score for every page, and the best pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.contract.candidates import Candidates, Result, order
from whatsrelated.contract.replies import RankingReply
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks import Rank
    from whatsrelated.ranks.vectors import Floats


@dataclass(frozen=True, eq=False)
class Ranking:
    """Every page's score, by page number, and its hub score if the rank has one.

    `residuals` has one entry per round; it is empty if the scores were read from the cache.
    """

    store: Store
    by: Rank
    scores: Floats
    hubs: Floats | None = None
    rounds: int = 0
    residual: float = 0.0
    converged: bool = True
    notes: tuple[str, ...] = ()
    residuals: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.scores, self.hubs):
            if array is not None:
                array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, url: str) -> float:
        """The score of a page, by any usual form of its name."""
        return float(self.scores[self.store.page(url)])

    def scores_of(self, *, hubs: bool) -> Floats:
        """The scores or, if the rank has them, the hub scores."""
        scores = self.hubs if hubs else self.scores
        if scores is None:
            raise OptionError(f"{self.by.name} has no hubs; hits, randomized-hits and mbcc do.")
        return scores

    def top(self, count: int = 20, *, hubs: bool = False) -> list[Result]:
        """The best pages in order; ties go to the lower in-degree, then the lower page number."""
        scores = self.scores_of(hubs=hubs)
        pages = Candidates(np.arange(len(scores), dtype=np.uint32), scores.astype(np.float64))
        best = order(pages, self.store.links, min(count, len(scores))).tolist()
        return [
            Result(page, self.store.url(page), self.store.title(page), float(scores[page]))
            for page in best
        ]

    def reply(self, count: int = 20, *, hubs: bool = False) -> RankingReply:
        """The best pages as JSON, in the same form on the command line and over HTTP."""
        return RankingReply(
            by=self.by.name,
            options=self.by.settings(),
            of="hubs" if hubs else "scores",
            results=[result.reply() for result in self.top(count, hubs=hubs)],
            rounds=self.rounds,
            residual=self.residual,
            notes=list(self.notes),
        )

    def as_dict(self, count: int = 20, *, hubs: bool = False) -> dict[str, Any]:
        """The same JSON as plain Python values."""
        return self.reply(count, hubs=hubs).as_dict()

    @property
    def summary(self) -> str:
        """A sentence about the cost."""
        if not self.rounds:
            return f"{self.by.name}: no rounds were needed."
        change = f"the last one changed the scores by {self.residual:.2g}"
        return f"{self.by.name}: {self.rounds:,} rounds; {change}."

    def with_notes(self, *notes: str) -> Ranking:
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    def __repr__(self) -> str:
        return f"<Ranking of {len(self):,} pages by {self.by!r}, {self.rounds} rounds>"
