"""Shared by both methods of HZ03: the options of their page source, and its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import methods
from whatsrelated.vicinity.duplicates import rule_of
from whatsrelated.vicinity.page_source import back_half, forward_half
from whatsrelated.vicinity.quoting import Quotes
from whatsrelated.vicinity.shared import shared_parents
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from whatsrelated.contract.question import Question
    from whatsrelated.vicinity.page_source import HalfSource


@dataclass(frozen=True)
class PageSourceMethod(methods.Method):
    """A method that uses HZ03's page source: its two halves, and their options."""

    parents: int = methods.parents_option(200, low=0)
    siblings: int = methods.siblings_option(40, words=())
    children: int = methods.children_option()
    coparents: int = methods.coparents_option(200)
    near_links: int = methods.near_links_option()
    near_share: float = methods.near_share_option()

    def halves(self, question: Question) -> tuple[HalfSource, HalfSource]:
        """The back half of siblings, and the forward half of co-parents."""
        rule = rule_of(self.near_links, self.near_share)
        return (
            back_half(question, self.parents, self.siblings, rule),
            forward_half(question, self.children, self.coparents, rule),
        )


def counts(question: Question, back: HalfSource, forward: HalfSource) -> dict[str, Any]:
    """The amounts read for the two halves, as fields of `Candidates`."""
    return {
        "vicinity_pages": 1
        + len(np.union1d(back.pages, forward.pages))
        + len(back.neighbours)
        + len(forward.neighbours),
        "vicinity_links": len(back.places) + len(forward.places),
        "details": {
            "parents": len(question.store.links_to(question.page)),
            "sampled": len(back.neighbours),
            "merged_parents": back.width,
            "children": len(forward.neighbours),
            "merged_children": forward.width,
            "back": len(back.pages),
            "forward": len(forward.pages),
        },
    }


def reason_for_nothing(
    question: Question, back: HalfSource, forward: HalfSource, below: str
) -> str:
    """Why nothing was found: both halves are empty, or all pages are `below` the threshold."""
    if len(back.pages) or len(forward.pages):
        return f"{below} (threshold)"
    url = question.store.url(question.page)
    if len(back.neighbours):
        parents = f"the pages that link to {url} link to no other page"
    else:
        parents = f"no page links to {url}"
    if len(forward.neighbours):
        return f"{parents}, and no other site links to the pages it links to"
    return f"{parents}, and it has no links"


def evidence_of(
    question: Question, back: HalfSource, forward: HalfSource, page: int
) -> dict[str, Any]:
    """The parents and children that a page shares with the query, and HZ03's numbers."""
    store = question.store
    b, f = _half_evidence(back, page), _half_evidence(forward, page)
    evidence: dict[str, Any] = {"back": b, "forward": f}
    quotes, examples = Quotes(store), []
    if b:
        (shared,) = shared_parents(
            store, back.neighbours, question.page, np.array([page], np.uint32)
        )
        evidence |= {"shared_parents": shared.total, "parents": shared.evidence(quotes)}
        examples = [parent for parent, _, _ in shared.listed[:2]]
    if f:
        children = forward.neighbours[np.isin(forward.neighbours, store.links_from(page))]
        evidence["children"] = [store.url(child) for child in children[:MAX_LISTED].tolist()]
    say = Wording(store, question.pages, page, quotes)
    text = say.shared_neighbours(
        (b["degree"], b["of"]) if b else None,
        (f["degree"], f["of"]) if f else None,
        "page" if question.sites is None else "site",
        examples=examples,
        sampled=question.is_sample(len(back.neighbours)),
        all_children=len(forward.neighbours)
        == len(question.without_stop(store.links_from(question.page))),
    )
    return {**say.evidence(text), **evidence}


def _half_evidence(half: HalfSource, page: int) -> dict[str, Any] | None:
    """A page's numbers in one half: its degree, and HZ03's bcp, bd and dd (sec. 4)."""
    places = np.flatnonzero(half.pages == page)
    if not len(places):
        return None
    shared = half.shared(int(places[0]))
    densities = np.bincount(half.numbers, minlength=half.width) / len(half.pages)
    return {
        "degree": len(shared),
        "of": half.width,
        "bcp": len(shared) / half.width,
        "bd": [float(density) for density in densities[np.sort(shared)]],
        "dd": float(1 - densities[shared].sum() / densities.sum()),
    }
