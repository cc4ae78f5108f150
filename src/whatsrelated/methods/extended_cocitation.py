"""Extended cocitation: pages that share parents or children with a page, each site once.

Cocitation counts parents; a page can also be known by what it links to.  And a
site whose pages all link to the same two targets has said so once.  For a page u:

1. sample up to B parents of u, and take the BF links around u on each: BS;
2. take the first F children of u, and of each the FB parents with the highest
   in-degree, u and pages like it apart: FS;
3. merge the parents that are on one site (intrinsic) or near-duplicates, and the
   children likewise;
4. b(s) is how many merged parents link to s, f(s) to how many merged children s
   links; pages by max(b, f), then by b + f.

Where we differ from HZ03: the bounds B and F are met by a seeded sample and by
the first links; pages are merged transitively; a page that is in both halves is
compared by the larger degree, then by the sum, which the paper leaves open.

Cost: one read of the links of B parents and of the in-links of F children,
whatever the size of the graph.
HZ03, sec. 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.query.answer import Found
from whatsrelated.vicinity.page_source import back_half, forward_half
from whatsrelated.vicinity.shared import shared_parents

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.query.question import Question
    from whatsrelated.vicinity.page_source import Half

SHOWN = 10
"""How many shared neighbours the evidence lists; it counts them all."""


@dataclass(frozen=True)
class ExtendedCocitation(Method):
    """Pages that share parents or children with a page, each site once."""

    name: ClassVar[str] = "extended-cocitation"
    reads_order: ClassVar[bool] = True

    parents: int = option(200, "how many parents of the page to sample", symbol="B", low=0)
    siblings: int = option(
        40, "how many links around the link to the page to take", symbol="BF", low=0
    )
    children: int = option(40, "how many of the page's first links to take", symbol="F", low=0)
    coparents: int = option(200, "how many parents of each child to take", symbol="FB", low=0)
    threshold: int = option(1, "the least degree of a result", symbol="δ", low=1)

    def find(self, question: Question) -> Found:
        back = back_half(question, self.parents, self.siblings)
        forward = forward_half(question, self.children, self.coparents)
        pages, b, f = degrees_of(back, forward)
        most = np.maximum(b, f)
        kept = most >= self.threshold
        found = Found(
            pages[kept],
            most[kept].astype(np.float64),
            ties=((b + f)[kept].astype(np.float64),),
            evidence=lambda page: evidence_of(question, back, forward, page),
            **told_of(question, back, forward),
        )
        if not len(found):
            found.reason = reason_of(question, back, forward)
            if len(pages):
                found.reason = (
                    f"no page shares {self.threshold:,} parents or children "
                    f"with {question.store.url(question.page)} (threshold)"
                )
        return found


def degrees_of(
    back: Half, forward: Half
) -> tuple[NDArray[uint32], NDArray[np.int64], NDArray[np.int64]]:
    """The pages of both halves, with b and f."""
    pages = np.union1d(back.pages, forward.pages)
    b = np.zeros(len(pages), np.int64)
    f = np.zeros(len(pages), np.int64)
    b[np.searchsorted(pages, back.pages)] = back.degrees()
    f[np.searchsorted(pages, forward.pages)] = forward.degrees()
    return pages, b, f


def told_of(question: Question, back: Half, forward: Half) -> dict[str, Any]:
    """What an answer says of the two halves."""
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


def reason_of(question: Question, back: Half, forward: Half) -> str:
    """Why both halves are empty."""
    url = question.store.url(question.page)
    if len(back.neighbours):
        parents = f"the pages that link to {url} link to no other"
    else:
        parents = f"no page links to {url}"
    if len(forward.neighbours):
        return f"{parents}, and no other site links to its children"
    return f"{parents}, and it links to none"


def evidence_of(question: Question, back: Half, forward: Half, page: int) -> dict[str, Any]:
    """The parents and children that a page shares with the query, and HZ03's numbers."""
    store = question.store
    told: dict[str, Any] = {"back": _shared(back, page), "forward": _shared(forward, page)}
    b, f = told["back"], told["forward"]
    if b:
        shared = shared_parents(store, back.neighbours, question.page, page, SHOWN)
        told["shared_parents"], told["parents"] = shared
    if f:
        own = forward.neighbours[np.isin(forward.neighbours, store.links_from(page))]
        told["children"] = [store.url(child) for child in own[:SHOWN].tolist()]
    parts = []
    if b:
        parts.append(f"linked from {b['degree']:,} of {b['of']:,} parents")
    if f:
        parts.append(f"links to {f['degree']:,} of {f['of']:,} children")
    sentence = " and ".join(parts) + " of the page, each site counted once."
    return {"sentence": sentence[0].upper() + sentence[1:], **told}


def _shared(half: Half, page: int) -> dict[str, Any] | None:
    """What one half says of a page: degree, and HZ03's bcp, bd and dd (sec. 4)."""
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
