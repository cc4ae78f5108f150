"""Co-citation proximity: links that are close together belong together.

Cocitation only asks whether a page links to both. But two links in one sentence say more than two
at opposite ends of a long list. For a page u:

1. sample up to B parents of u;
2. on each, give every other link 1 / distance ** alpha, where the distance from the link to
   u is counted in links;
3. the score of a page is the sum over the parents.

Differences from SG16: distance is counted in links, not words, because the graph stores no
words; the parents of a hub are sampled.  If the source has no link order, every distance is
1, and the score is the number of shared parents.

Cost: one read of each sampled parent's links, however large the graph. SG16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option
from whatsrelated.options import option
from whatsrelated.vicinity.shared import SharingEvidence, distinct

if TYPE_CHECKING:
    from whatsrelated.contract.question import Question

UNORDERED = "The source has no link order, so all links of a page count the same."


@dataclass(frozen=True)
class Cpa(Method):
    """Pages whose links are close to the links to the page."""

    name = "cpa"
    scored = "1 / distance ** alpha, in links, summed over the pages that link to both"

    parents: int = parents_option()
    alpha: float = option(
        0.85, "how fast the weight of a link falls with distance", symbol="α", low=0, high=10
    )

    def find(self, question: Question) -> Candidates:
        store, page = question.store, question.page
        parents = question.parents(page, self.parents)
        if not len(parents):
            return Candidates.nothing(f"no page links to {store.url(page)}")
        pages, sums, read = kernels.row_sums.proximity_sums(
            scratch_of(kernels.row_sums.Scratch),
            store.links,
            parents,
            page,
            self.alpha if store.ordered else 0.0,
        )
        allowed = question.answerable(pages)
        if not allowed.any():
            return Candidates.nothing(
                f"the pages that link to {store.url(page)} link to no other page"
            )
        explained: list[int] = []
        return Candidates(
            pages[allowed],
            sums[allowed],
            vicinity_pages=1 + distinct(pages, parents),
            vicinity_links=read,
            notes=() if store.ordered else (UNORDERED,),
            details={"parents": len(store.links_to(page)), "sampled": len(parents)},
            evidence=SharingEvidence(question, parents, explained, near=True),
            explained=explained,
        )
