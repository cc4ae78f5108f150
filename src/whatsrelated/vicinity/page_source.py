"""HZ03's page source: candidates, and the neighbours of the query that they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.vicinity.duplicates import NEAR_DUPLICATE, Rule, near_duplicates
from whatsrelated.vicinity.gathering import CHILD, COPARENT, Gathering

if TYPE_CHECKING:
    from numpy import int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question


@dataclass(frozen=True, slots=True)
class HalfSource:
    """One half of a page source: candidates, and the query's neighbours that they share.

    Back: siblings of u, and the parents of u that link to them. Forward: other parents of u's
    children, and the children of u that they link to. Neighbours on one site and near-duplicates
    are merged; `members` holds each neighbour's number after merging. Candidate places[i] shares
    neighbour numbers[i]; pairs are distinct.
    """

    pages: NDArray[uint32]
    neighbours: NDArray[uint32]
    members: NDArray[uint32]
    places: NDArray[uint32]
    numbers: NDArray[uint32]

    @property
    def width(self) -> int:
        """The number of neighbours after merging."""
        return int(self.members.max()) + 1 if len(self.members) else 0

    def degrees(self) -> NDArray[int64]:
        """The number of neighbours that each candidate shares (HZ03's b and f)."""
        return np.bincount(self.places, minlength=len(self.pages))

    def shared(self, place: int) -> NDArray[uint32]:
        """The neighbours that one candidate shares, by number."""
        return np.asarray(self.numbers[self.places == place])


def back_half(
    question: Question, parents: int, siblings: int, rule: Rule = NEAR_DUPLICATE
) -> HalfSource:
    """The siblings of the query, and its merged parents (HZ03, sec. 2.2: BS and P_u)."""
    page = question.page
    sample = question.parents(page, parents)
    around = Gathering(question, len(sample) * min(siblings, 64))
    around.add_windows(page, sample, siblings)
    return _read_half(around, sample, rule, backward=False)


def forward_half(
    question: Question, children: int, coparents: int, rule: Rule = NEAR_DUPLICATE
) -> HalfSource:
    """Other parents of the query's children, and the merged children (HZ03, sec. 2.2: FS, C_u)."""
    store, page = question.store, question.page
    first = question.without_stop(store.links_from(page)[:children])
    around = Gathering(question, len(first) * coparents)
    for child in first.tolist():
        candidates = question.without_stop(store.links_to(child))
        around.add(
            kernels.duplicates.first_unlike(
                store.links, page, candidates, coparents, question.sites, rule
            ),
            COPARENT,
        )
    pages, _ = around.scratch.members()
    if store.in_degree(first).sum() <= store.out_degree(pages).sum():
        return _read_half(around, first, rule, backward=True)
    # If a child has very many parents, read the links of the few gathered pages instead.
    members = merge_by_site(question, first, rule)
    beside = Gathering(question, len(first))
    beside.add(first, CHILD)
    numbering = np.arange(len(pages), dtype=np.uint32)
    places, numbers = beside.scratch.crossings(
        store.links, pages, numbering, members, backward=False
    )
    return HalfSource(pages, first, members, places, numbers)


def _read_half(
    around: Gathering, neighbours: NDArray[uint32], rule: Rule, backward: bool
) -> HalfSource:
    """The gathered pages, and their positions in the neighbours' lists of links or parents."""
    pages, _ = around.scratch.members()
    members = merge_by_site(around.question, neighbours, rule)
    together = np.argsort(members, kind="stable")
    numbers, places = around.scratch.crossings(
        around.store.links, neighbours[together], members[together], None, backward
    )
    return HalfSource(pages, neighbours, members, places, numbers)


def merge_by_site(
    question: Question, pages: NDArray[uint32], rule: Rule = NEAR_DUPLICATE
) -> NDArray[uint32]:
    """Number the pages from 0, with one number for all pages of a site and for near-duplicates.

    Merging is transitive: if a page of one site has a near-duplicate on another, both sites merge.
    """
    groups = near_duplicates(question.store, pages, rule).astype(np.int64)
    if question.sites is not None:
        _, sites = np.unique(question.sites[pages], return_inverse=True)
        joined = np.arange(sites.max(initial=-1) + 1)
        for one, other in np.unique(np.stack([sites, sites[groups]]), axis=1).T.tolist():
            if joined[one] != joined[other]:
                joined[joined == joined[one]] = joined[other]
        groups = joined[sites]
    return np.unique(groups, return_inverse=True)[1].astype(np.uint32)
