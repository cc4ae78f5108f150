"""Coupling: pages that link to the same pages.

A page's links show what it is about, even before anyone links to it.  For a page u:

1. take the children of u, those with the fewest parents first, until `reads` in-links would be
   exceeded;
2. give every page that links to a child c a weight of 1 / ln(2 + in-degree of c), since
   sharing a rare child says more;
3. divide the sum for a page by the square root of its out-degree, since a page that links to
   everything shares children with every page.

Difference from bibliographic coupling (Kes63): Kes63 counts common references without weights.

Cost: one read of the in-links of the children. Children with very many parents say little and cost
most, so they are dropped first if there is too much to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.vicinity.shared import JointEvidence, distinct
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question


def rare_children_option() -> Any:
    """The number of children to read, for coupling and peers."""
    sentence = "number of children (pages it links to) to read, least linked first"
    return option(1000, sentence, symbol="F", low=1)


def reads_option() -> Any:
    """The maximum number of links to read, for coupling and peers."""
    return option(200_000, "maximum number of in-links of these children to read", low=1)


@dataclass(frozen=True)
class Coupling(Method):
    """Pages that link to the same pages."""

    name = "coupling"
    scored = (
        "the shared links, weighted by rarity, divided by the square root of the result's number "
        "of links"
    )
    compares = True

    children: int = rare_children_option()
    reads: int = reads_option()

    def find(self, question: Question) -> Candidates:
        store, page = question.store, question.page
        children = rarest_children(question, self.children, self.reads)
        if not len(children):
            return Candidates.nothing(_reason_for_nothing(question))
        weights = 1 / np.log(2 + store.in_degree(children))
        pages, scores, read = coupled(store.links, children, weights)
        allowed = question.answerable(pages)
        pages = pages[allowed]
        if not len(pages):
            return Candidates.nothing(f"no other page links to what {store.url(page)} links to")
        explained: list[int] = []
        return Candidates(
            pages,
            scores[allowed],
            vicinity_pages=1 + distinct(pages, children),
            vicinity_links=read,
            details={"children": len(store.links_from(page)), "read": len(children)},
            evidence=CouplingEvidence(question, children, explained),
            explained=explained,
        )


class SharedChildren(NamedTuple):
    """The children that a result shares: how many, and the rarest, with their in-degrees."""

    total: int
    rarest: list[int]
    in_degrees: list[int]


class CouplingEvidence(JointEvidence[SharedChildren]):
    """The children that both pages link to, among those that were read."""

    def __init__(
        self, question: Question, children: NDArray[uint32], explained: Sequence[int]
    ) -> None:
        super().__init__(question, explained)
        self._children = children

    def read(self, others: NDArray[uint32]) -> list[SharedChildren]:
        links = self.question.store.links
        totals, listed = kernels.sharing.shared_children(
            scratch_of(kernels.sharing.Scratch), links, self._children, others, MAX_LISTED
        )
        parents = links.degrees(listed.ravel(), True).reshape(-1, MAX_LISTED)
        columns = zip(totals.tolist(), listed.tolist(), parents.tolist(), strict=True)
        return [SharedChildren(n, children[:n], sizes[:n]) for n, children, sizes in columns]

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        total, rarest, in_degrees = self.fact(other)
        return {
            **say.evidence(self.sentence(say, other)),
            "shared_children": total,
            "children": [
                {"url": say.quotes.urls[child], "parents": parents}
                for child, parents in zip(rarest, in_degrees, strict=True)
            ],
        }

    def sentence(self, say: Wording, other: int) -> str:
        """The sentence alone; its examples are the rarest children."""
        total, rarest, _ = self.fact(other)
        return say.shared_children(total, rarest[:2])


def rarest_children(question: Question, limit: int, reads: int) -> NDArray[uint32]:
    """The children of the page with the fewest parents, as many as the limits allow."""
    children = question.without_stop(question.store.links_from(question.page))
    return rarest(question.store.links, children, limit, reads)


def rarest(
    links: kernels.links.Links, pages: NDArray[uint32], limit: int, reads: int
) -> NDArray[uint32]:
    """Up to `limit` pages with the fewest parents, as many as `reads` allows."""
    parents = links.degrees(pages, True)
    order = np.lexsort((pages, parents))[:limit]
    order = order[parents[order].cumsum() <= reads]
    return pages[order]


def coupled(
    links: kernels.links.Links, children: NDArray[uint32], weights: NDArray[float64]
) -> tuple[NDArray[uint32], NDArray[float64], int]:
    """Pages that link to the children, their weights divided by the root of the out-degree, and the
    number of links read.
    """
    pages, sums, read = kernels.row_sums.weighted_sums(
        scratch_of(kernels.row_sums.Scratch), links, children, weights, backward=True
    )
    return pages, sums / np.sqrt(links.degrees(pages, False)), read


def _reason_for_nothing(question: Question) -> str:
    url = question.store.url(question.page)
    if not len(question.store.links_from(question.page)):
        return f"{url} links to no page"
    return f"too many pages link to each page that {url} links to; raise reads"
