"""Walk: the pages that a random surfer visits most when following links in either direction.

The surfer starts at u, follows links forwards or backwards, and occasionally returns to u.
Pages with many short paths to u are visited often.

1. At each step, return to u with probability `restart`; otherwise follow one of the page's links,
   in or out, with equal probability. A page linked in both directions counts twice.
2. The score of a page is the probability of being there, divided by its degree (in and out) **
   0.25. Without the divisor, pages that are visited often from everywhere would always be at the
   top.

The probabilities are pushed outwards from u (ACL06) instead of being simulated: pages whose share
is below `error` times their degree pass nothing on. Since links are followed in either direction,
the walk is symmetric, and no page is short by more than `error` times its degree. The evidence
shows by how much.

With several weighted query pages, the surfer returns to each in proportion to its weight; pages to
move away from have negative weights. Pages with a probability of 0 or less are left out.

Cost: at most 1 / (error * restart) links plus those of u, however large the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.vicinity.shared import JointEvidence
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

POPULAR = 0.25
"""A probability is divided by the degree to this power."""


@dataclass(frozen=True)
class Walk(Method):
    """Pages that a random walk with restart visits most often."""

    name = "walk"
    scored = "how often a random surfer from the query visits the result; popular pages count less"
    compares = True
    weighs = True

    restart: float = option(0.15, "probability of returning to the page", low=0.01, high=0.99)
    error: float = option(3e-5, "error of the probabilities, per link of a page", low=1e-9, high=1)

    def find(self, question: Question) -> Candidates:
        store = question.store
        shares = question.shares
        if question.away:
            away = question.opposite().shares * question.away_share
            shares = np.concatenate([shares, -away])
        pages, probabilities, read, residue = kernels.walk.push(
            scratch_of(kernels.walk.Scratch),
            store.links,
            np.array((*question.pages, *question.away), np.uint32),
            shares,
            self.restart,
            self.error,
        )
        reached = len(pages)
        allowed = question.answerable(pages)
        if question.away:
            allowed &= probabilities > 0
        pages, probabilities = pages[allowed], probabilities[allowed]
        if not len(pages):
            return Candidates.nothing(nothing_near(question))
        degrees = store.in_degree(pages) + store.out_degree(pages)
        explained: list[int] = []

        def probability_of(other: int, degree: int) -> float:
            return float(probabilities[np.flatnonzero(pages == other)[0]])

        return Candidates(
            pages,
            probabilities / degrees**POPULAR,
            vicinity_pages=reached,
            vicinity_links=read,
            details={"still_walking": residue},
            evidence=WalkEvidence(question, self.error, probability_of, explained),
            explained=explained,
        )


def nothing_near(question: Question) -> str:
    """Why no page was found near the query pages."""
    if question.is_weighted:
        return "no page is near the query pages"
    return f"{question.store.url(question.page)} has no links in either direction"


class Between(NamedTuple):
    """The links between the query page and a result, the number of links of the result in both
    directions, and the pages next to both, fewest links first.
    """

    forth: bool
    back: bool
    degree: int
    total: int
    pages: list[int]


class WalkEvidence(JointEvidence[Between]):
    """Why a walk reaches another page. `probability_of` the page depends on its degree."""

    def __init__(
        self,
        question: Question,
        error: float,
        probability_of: Callable[[int, int], float],
        explained: Sequence[int],
    ) -> None:
        super().__init__(question, explained)
        self._error, self._probability_of = error, probability_of

    def read(self, others: NDArray[uint32]) -> list[Between]:
        links = self.question.store.links
        totals, listed, ties = kernels.sharing.pages_between(
            scratch_of(kernels.sharing.Scratch), links, self.question.page, others, MAX_LISTED
        )
        degrees = links.degrees(others, True) + links.degrees(others, False)
        columns = (array.tolist() for array in (ties, degrees, totals, listed))
        return [
            Between(bool(tie & 1), bool(tie & 2), degree, total, pages[:total])
            for tie, degree, total, pages in zip(*columns, strict=True)
        ]

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        forth, back, degree, total, pages = self.fact(other)
        return {
            **say.evidence(say.paths(forth, back, total, pages[:2])),
            "probability": self._probability_of(other, degree),
            "lacks_at_most": self._error * degree,
            "degree": degree,
            "linked": forth or back,
            "between": [say.quotes.urls[page] for page in pages],
        }

    def sentence(self, say: Wording, other: int) -> str:
        """Which of the two pages links to the other, as a clause."""
        forth, back, *_ = self.fact(other)
        return say.link_between(forth, back)
