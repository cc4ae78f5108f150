"""Extended cocitation: pages that share parents or children with a page, counting each site once.

Cocitation counts only parents, but a page's own links also describe it. If all pages of a site
link to the same two targets, that should count only once. For a page u:

1. sample up to B parents of u, and take the BF links around u on each: BS;
2. take the first F children of u, and for each the FB parents with the highest in-degree,
   except u and pages like it: FS;
3. merge parents that are on one site (intrinsic) or are near-duplicates, and children in the same
   way;
4. b(s) is the number of merged parents that link to s, f(s) the number of merged children
   that s links to; sort by max(b, f), then by b + f.

Differences from HZ03: the B parents are a seeded sample, and the F children are the first links.
Merging is transitive. The paper does not say how to sort a page that is in both halves; here, the
larger degree counts, then the sum.

Cost: one read of the links of B parents and of the in-links of F children, however large the graph.
HZ03, sec. 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.contract.candidates import Candidates
from whatsrelated.methods.page_source import (
    PageSourceMethod,
    counts,
    evidence_of,
    reason_for_nothing,
)
from whatsrelated.options import option

if TYPE_CHECKING:
    from numpy import int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.vicinity.page_source import HalfSource


@dataclass(frozen=True)
class ExtendedCocitation(PageSourceMethod):
    """Pages that share parents or children with a page, counting each site once."""

    name = "extended-cocitation"
    scored = "the larger number of shared parents or children, counting each site once"
    reads_order = True

    threshold: int = option(
        1, "number of parents or children a result must share with the page", symbol="δ", low=1
    )

    def find(self, question: Question) -> Candidates:
        back, forward = self.halves(question)
        pages, b, f = shared_neighbours(back, forward)
        degrees = np.maximum(b, f)
        enough = degrees >= self.threshold
        candidates = Candidates(
            pages[enough],
            degrees[enough].astype(np.float64),
            ties=((b + f)[enough].astype(np.float64),),
            evidence=lambda page: evidence_of(question, back, forward, page),
            **counts(question, back, forward),
        )
        if not len(candidates):
            url = question.store.url(question.page)
            below = f"no page shares {self.threshold:,} parents or children with {url}"
            candidates.reason = reason_for_nothing(question, back, forward, below)
        return candidates


def shared_neighbours(
    back: HalfSource, forward: HalfSource
) -> tuple[NDArray[uint32], NDArray[int64], NDArray[int64]]:
    """The pages of both halves, with their values of b and f."""
    pages = np.union1d(back.pages, forward.pages)
    b = np.zeros(len(pages), np.int64)
    f = np.zeros(len(pages), np.int64)
    b[np.searchsorted(pages, back.pages)] = back.degrees()
    f[np.searchsorted(pages, forward.pages)] = forward.degrees()
    return pages, b, f
