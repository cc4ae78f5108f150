"""SimRank: pages are similar if similar pages link to them.

    s(u, u) = 1,   s(u, v) = γ · the mean of s(p, q) over the parents p of u and q of v,

and 0 if one of them has no parent. It is the probability that two walkers meet: they start from u
and v and follow links backwards, and the pair continues with probability γ at every step.

A small graph is solved for all pairs at once, in rounds, until nothing changes (`exact`). On a
larger graph, one page is compared with all others, and scores are estimated until they are accurate
enough (`estimates`).

Difference from JW02: scores on a large graph are estimates, and the answer states their
accuracy.

For the cost, see docs/explanation/methods/simrank.md. JW02; LLK06, eq. 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.contract.candidates import Candidates
from whatsrelated.errors import OptionError
from whatsrelated.methods import Method
from whatsrelated.methods.simrank.estimates import PROBABILITY, USUAL_ERROR, Estimate, Estimator
from whatsrelated.methods.simrank.evidence import Evidence
from whatsrelated.methods.simrank.exact import all_pairs
from whatsrelated.options import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store

SMALL = 4_000_000
"""All pairs are computed up to this product of pages and links."""
MAX_PAGES = 5_000
"""Up to this many pages, all pairs fit in memory, as three matrices of 0.2 GB."""
MAX_DECAY = 0.99
"""Maximum γ for estimates; walkers that stop less often take too long."""


@dataclass(frozen=True)
class SimRank(Method):
    """Pages that similar pages link to."""

    name = "simrank"
    scored = "the probability that two surfers who follow links backwards from both pages meet"
    compares = True

    decay: float = option(
        0.8, "weight of each further step", symbol="γ", low=0, high=1, open_low=True
    )
    error: float = option(
        USUAL_ERROR,
        "error of a score, relative to the best score; 0 for exact",
        low=0,
        high=1,
    )

    def find(self, question: Question) -> Candidates:
        store, page = question.store, question.page
        if not len(store.links_to(page)):
            return Candidates.nothing(f"no page links to {store.url(page)}")
        estimate = self._scores(question)
        kept = question.answerable(estimate.pages) & (estimate.scores > 0)
        pages, scores = estimate.pages[kept], estimate.scores[kept]
        if not len(pages):
            return Candidates.nothing(
                f"the pages that link to {store.url(page)} lead to no other page"
            )
        within = estimate.within / float(scores.max())
        notes = []
        if within > 0 and estimate.runs:
            notes.append(
                f"With a probability of {PROBABILITY:.0%}, each score is within {within:.2%} of "
                f"the best."
            )
        elif within > 0:
            notes.append(f"Scores may be too low by up to {within:.2%} of the best.")
        if estimate.late:
            notes.append("Time ran out before the error was small enough.")
        return Candidates(
            pages,
            scores,
            vicinity_pages=len(estimate.pages) + 1,
            vicinity_links=estimate.read,
            notes=tuple(notes),
            details={"within": estimate.within, "runs": estimate.runs},
            evidence=lambda other: Evidence(
                question, other, self.decay, self.exact(store)
            ).as_dict(),
        )

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """SimRank with each of the others; 1 with itself."""
        scores = super().compare(question, others)
        scores[np.array(others) == question.page] = 1.0
        return scores

    def exact(self, store: Store) -> bool:
        """Whether all pairs are computed, instead of estimates for one page."""
        if store.n_pages * store.n_links <= SMALL:
            return True
        if self.error > 0 and self.decay <= MAX_DECAY:
            return False
        if store.n_pages <= MAX_PAGES:
            return True
        what = "decay must be at most 0.99" if self.error > 0 else "error must be above 0"
        got = self.decay if self.error > 0 else self.error
        raise OptionError(
            f"simrank: {what} on a graph of more than {MAX_PAGES:,} pages, got {got:g}."
        )

    def _scores(self, question: Question) -> Estimate:
        store = question.store
        if not self.exact(store):
            return Estimator(question, self.decay, self.error).estimate()
        pairs = all_pairs(store, self.decay, deadline=question.deadline)
        row = pairs.scores[question.page]
        pages = np.flatnonzero(row).astype(np.uint32)
        return Estimate(pages, row[pages], pairs.lacking, 0, store.n_links, bool(pairs.lacking))
