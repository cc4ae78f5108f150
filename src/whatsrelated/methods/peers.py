"""Peers: the pages that pages with similar links also link to.

A page's peers are the pages that share its links.  If many of them link to another page, that
page probably belongs with it, even if it does not link there yet.  For a page u:

1. take the children of u as coupling does, and give every page that links to a child c a weight of
   1 / sqrt(in-degree of c), divided by the square root of its own out-degree;
2. the K pages with the largest weights are the peers;
3. the score of a page is the total weight of the peers that link to it, divided by its in-degree **
   0.25.

It reaches pages three links away that share neither parents nor children with u. At the edge of a
crawl, where most pages have a single known link, it finds more than any other method we tried.

Cost: twice that of coupling, plus the links of K pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.methods.coupling import coupled, rare_children_option, rarest, reads_option
from whatsrelated.options import option
from whatsrelated.vicinity.shared import distinct
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

POPULAR = 0.25
"""A score is divided by the in-degree to this power."""


@dataclass(frozen=True, slots=True)
class PeerGroup:
    """All pages that share links with a page, and the peers among them, best first."""

    children: NDArray[uint32]
    """The page's children that were read."""
    similar: NDArray[uint32]
    """All pages that link to one of these."""
    similar_weights: NDArray[float64]
    peers: NDArray[uint32]
    weights: NDArray[float64]
    """The weights of the peers."""
    read: int
    """The number of links that were read."""

    def linked(self, links: kernels.links.Links) -> tuple[NDArray[uint32], NDArray[float64], int]:
        """The pages that peers link to, the total weight of these peers, and the number of links
        read.
        """
        return kernels.row_sums.weighted_sums(
            scratch_of(kernels.row_sums.Scratch), links, self.peers, self.weights, backward=False
        )


@dataclass(frozen=True)
class Peers(Method):
    """Pages that are linked from pages with similar links."""

    name = "peers"
    scored = (
        "the similarity to the query of the pages that link to the result; popular ones count less"
    )

    peers: int = option(100, "number of peers (pages that share its links)", symbol="K", low=1)
    children: int = rare_children_option()
    reads: int = reads_option()

    def find(self, question: Question) -> Candidates:
        store, page = question.store, question.page
        group = self.group(store.links, page, question.stop)
        if not len(group.peers):
            return Candidates.nothing(f"no other page links to what {store.url(page)} links to")
        pages, sums, read = group.linked(store.links)
        allowed = question.answerable(pages)
        if not allowed.any():
            return Candidates.nothing(
                f"pages that share links with {store.url(page)} link to nothing else"
            )
        pages = pages[allowed]
        return Candidates(
            pages,
            sums[allowed] / store.in_degree(pages) ** POPULAR,
            vicinity_pages=1 + distinct(pages, group.peers, group.children),
            vicinity_links=group.read + read,
            details={"children": len(group.children), "peers": len(group.peers)},
            evidence=lambda other: self._evidence(question, group.peers, group.weights, other),
        )

    def group(
        self, links: kernels.links.Links, page: int, stop: NDArray[uint32] | None = None
    ) -> PeerGroup:
        """The peers of a page, by these links; pages in `stop` are never children or peers."""
        children = links.row(page, False)
        if stop is not None and len(stop):
            children = children[~np.isin(children, stop)]
        children = rarest(links, children, self.children, self.reads)
        rarity = 1 / np.sqrt(links.degrees(children, True))
        similar, weights, read = coupled(links, children, rarity)
        others = similar != page
        if stop is not None and len(stop):
            others &= ~np.isin(similar, stop)
        similar, weights = similar[others], weights[others]
        return PeerGroup(children, similar, weights, *self._strongest(similar, weights), read)

    def _strongest(
        self, pages: NDArray[uint32], weights: NDArray[float64]
    ) -> tuple[NDArray[uint32], NDArray[float64]]:
        """The pages with the largest weights, best first; ties go to the lower page number."""
        if len(pages) > self.peers:
            smallest = np.partition(weights, len(pages) - self.peers)[len(pages) - self.peers]
            near = weights >= smallest * (1 - 1e-9)
            pages, weights = pages[near], weights[near]
        largest = weights.max(initial=0)
        rounded = np.round(weights / largest, 9) if largest > 0 else weights
        best = np.lexsort((pages, -rounded))[: self.peers]
        return pages[best], weights[best]

    def _evidence(
        self, question: Question, peers: NDArray[uint32], weights: NDArray[float64], other: int
    ) -> dict[str, Any]:
        store = question.store
        link = np.isin(peers, store.links_to(other))
        linking = peers[link]
        say = Wording(store, question.pages, other)
        text = say.similar_pages(
            len(linking), len(peers), linking[:2].tolist(), all_read=len(peers) < self.peers
        )
        return {
            **say.evidence(text),
            "peers_linking": len(linking),
            "peers": len(peers),
            "share": float(weights[link].sum() / weights.sum()),
            "nearest": [store.url(peer) for peer in linking[:MAX_LISTED].tolist()],
        }
