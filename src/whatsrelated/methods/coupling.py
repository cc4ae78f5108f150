"""Coupling: pages that link to the same pages.

What a page links to says what it is about, and it says so at once, before
anybody links to the page.  For a page u:

1. take the children of u, those with the fewest parents first, as long as no
   more than `reads` in-links are to be read;
2. give every page that links to a child c  1 / ln(2 + in-degree of c): to share
   a rare child says more;
3. divide the sum of a page by the square root of its out-degree: a page that
   links to everything shares a child with everyone.

Where we differ: bibliographic coupling (Kes63) counts common references.

Cost: one read of the in-links of the children.  Children that a great part of
the graph links to say nothing and cost the most, so they go first when there
is too much to read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.found import Found
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.vicinity.shared import distinct
from whatsrelated.vicinity.wording import MOST_LISTED, named, quote_page

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question


def rare_children_option() -> Any:
    """How many children are read, the same for coupling and peers."""
    sentence = "how many children (pages that it links to) to read, the least linked first"
    return option(1000, sentence, symbol="F", low=1)


def reads_option() -> Any:
    """How much is read for them, the same for coupling and peers."""
    return option(200_000, "how many links to these children to read at most", low=1)


@dataclass(frozen=True)
class Coupling(Method):
    """Pages that link to the same pages."""

    name = "coupling"
    scored = "the links they share, rare ones counting more, over the root of its number of links"
    compares = True

    children: int = rare_children_option()
    reads: int = reads_option()

    def find(self, question: Question) -> Found:
        store, page = question.store, question.page
        children = rarest_children(question, self.children, self.reads)
        if not len(children):
            return Found.nothing(_reason_for_nothing(question))
        weights = 1 / np.log(2 + store.in_degree(children))
        pages, scores, read = coupled(store.links, children, weights)
        allowed = question.answerable(pages)
        pages = pages[allowed]
        if not len(pages):
            return Found.nothing(f"no other page links to what {store.url(page)} links to")
        return Found(
            pages,
            scores[allowed],
            vicinity_pages=1 + distinct(pages, children),
            vicinity_links=read,
            details={"children": len(store.links_from(page)), "read": len(children)},
            evidence=lambda other: coupling_evidence(question, children, other),
        )


def coupling_evidence(question: Question, children: NDArray[uint32], other: int) -> dict[str, Any]:
    """Which of the children that were read both pages link to."""
    store = question.store
    shared = children[np.isin(children, store.links_from(other))]
    rarest = int(shared[0])
    same = "" if len(shared) == 1 else f"the same {len(shared):,} pages, e.g. "
    return {
        "sentence": f"Both link to {same}{quote_page(store, rarest)}.",
        **named(store, rarest),
        "shared_children": len(shared),
        "children": [
            {"url": store.url(child), "parents": len(store.links_to(child))}
            for child in shared[:MOST_LISTED].tolist()
        ],
    }


def rarest_children(question: Question, most: int, reads: int) -> NDArray[uint32]:
    """The children of the page with the fewest parents, as many of them as may be read."""
    children = question.without_stop(question.store.links_from(question.page))
    return rarest(question.store.links, children, most, reads)


def rarest(
    links: kernels.links.Links, pages: NDArray[uint32], most: int, reads: int
) -> NDArray[uint32]:
    """`most` pages with the fewest parents, as many of them as may be read."""
    parents = links.degrees(pages, True)
    order = np.lexsort((pages, parents))[:most]
    order = order[parents[order].cumsum() <= reads]
    return pages[order]


def coupled(
    links: kernels.links.Links, children: NDArray[uint32], weights: NDArray[float64]
) -> tuple[NDArray[uint32], NDArray[float64], int]:
    """The pages that link to the children, their weights over the root of the out-degree; reads."""
    pages, sums, read = kernels.row_sums.weighted_sums(
        scratch_of(kernels.row_sums.Scratch), links, children, weights, backward=True
    )
    return pages, sums / np.sqrt(links.degrees(pages, False)), read


def _reason_for_nothing(question: Question) -> str:
    url = question.store.url(question.page)
    if not len(question.store.links_from(question.page)):
        return f"{url} links to no page"
    return f"too many pages link to each page that {url} links to; raise reads"
