"""Walk: the pages that a random surfer visits most when following links in either direction.

The surfer starts at u, follows links forwards or backwards, and occasionally returns to u.
Pages with many short paths to u are visited often.

1. At each step, return to u with probability `restart`; otherwise follow one of the page's links,
   in or out, with equal probability. A page linked in both directions counts twice.
2. The score of a page is the probability of being there, divided by its degree (in and out) **
   0.25, because a page that is visited often from everywhere is not special.

The probabilities are pushed outwards from u (ACL06) instead of being simulated: pages whose share
is below `error` times their degree pass nothing on. Since links are followed in either direction,
the walk is symmetric, and no page is short by more than `error` times its degree. The evidence
shows by how much.

With several weighted query pages, the surfer returns to each in proportion to its weight; pages to
move away from have negative weights. Pages with a probability of 0 or less are left out.

Cost: at most 1 / (error * restart) links plus those of u, however large the graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store

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
        return Candidates(
            pages,
            probabilities / degrees**POPULAR,
            vicinity_pages=reached,
            vicinity_links=read,
            details={"still_walking": residue},
            evidence=lambda other: walk_evidence(
                question, float(probabilities[np.flatnonzero(pages == other)[0]]), self.error, other
            ),
        )


def nothing_near(question: Question) -> str:
    """Why no page was found near the query pages."""
    if question.is_weighted:
        return "no page is near the query pages"
    return f"{question.store.url(question.page)} has no links in either direction"


def walk_evidence(
    question: Question, probability: float, error: float, other: int
) -> dict[str, Any]:
    """Why a walk reaches another page, given the probability of being there."""
    store, page = question.store, question.page
    around, beyond = (np.union1d(store.links_from(p), store.links_to(p)) for p in (page, other))
    degree = len(store.links_from(other)) + len(store.links_to(other))
    between = np.intersect1d(around, beyond)
    between = between[np.argsort(store.in_degree(between) + store.out_degree(between))]
    forth, back = links_between(store, page, other)
    say = Wording(store, question.pages, other)
    return {
        **say.evidence(say.paths(forth, back, len(between), between[:2].tolist())),
        "probability": probability,
        "lacks_at_most": error * degree,
        "degree": degree,
        "linked": forth or back,
        "between": [store.url(near) for near in between[:MAX_LISTED].tolist()],
    }


def links_between(store: Store, page: int, other: int) -> tuple[bool, bool]:
    """Whether a page links to another, and whether the other links to it."""
    return bool(other in store.links_from(page)), bool(page in store.links_from(other))
