"""Co-citation proximity: links that stand close together belong together.

Cocitation asks whether a page links to both; two links in one sentence say more
than two at the ends of a long list.  For a page u:

1. sample up to B parents of u;
2. on each, give every other link 1 / distance ** alpha, the distance from the
   link to u counted in links;
3. the score of a page is the sum over the parents.

Where we differ from SG16: distance is counted in links, not in words, for the
graph keeps no words; a hub's parents are sampled.  Where the source had no
link order every distance is 1, and the score is the number of shared parents.

Cost: one read of each sampled parent's links, whatever the size of the graph.
SG16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option
from whatsrelated.options import option
from whatsrelated.query.answer import Found
from whatsrelated.vicinity.shared import distinct, shared_parents, sharing_sentence

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.query.question import Question

UNORDERED = "The source had no link order: all links of a page count the same."
MOST_LISTED = 10
"""How many shared parents the evidence lists; it counts them all."""


@dataclass(frozen=True)
class Cpa(Method):
    """Pages whose links stand near the links to the page."""

    name: ClassVar[str] = "cpa"

    parents: int = parents_option()
    alpha: float = option(
        0.85, "how much less a link counts the farther it stands away", symbol="α", low=0, high=10
    )

    def find(self, question: Question) -> Found:
        store, page = question.store, question.page
        parents = question.parents(page, self.parents)
        if not len(parents):
            return Found.nothing(f"no page links to {store.url(page)}")
        pages, sums, read = kernels.sums.proximity_sums(
            scratch_of(kernels.sums.Scratch),
            store.links,
            parents,
            page,
            self.alpha if store.ordered else 0.0,
        )
        allowed = question.answerable(pages)
        if not allowed.any():
            return Found.nothing(f"the pages that link to {store.url(page)} link to no other page")
        return Found(
            pages[allowed],
            sums[allowed],
            vicinity_pages=1 + distinct(pages, parents),
            vicinity_links=read,
            notes=() if store.ordered else (UNORDERED,),
            details={"parents": len(store.links_to(page)), "sampled": len(parents)},
            evidence=lambda other: cpa_evidence(question, parents, other),
        )


def cpa_evidence(question: Question, parents: NDArray[uint32], other: int) -> dict[str, Any]:
    """Which of the parents that were read link to both pages, and how near to each other."""
    store = question.store
    count, listed = shared_parents(store, parents, question.page, other, MOST_LISTED)
    nearest = min(listed, key=lambda parent: abs(parent["distance"]))
    sentence = sharing_sentence(count, len(parents))
    if store.ordered:
        apart = abs(nearest["distance"])
        links = "link" if apart == 1 else "links"
        sentence += f", {apart:,} {links} apart on {nearest['url']}"
    return {
        "sentence": f"{sentence[0].upper()}{sentence[1:]}.",
        "shared_parents": count,
        "sampled_parents": len(parents),
        "parents": listed,
    }
