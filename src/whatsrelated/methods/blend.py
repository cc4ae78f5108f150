"""Blend: four methods, each where it is strong.

No method is best everywhere: what people list under "See also" is found by
proximity and walking, pages of one topic by what they link to, links at the
edge of a crawl by peers.  For a page u:

1. ask walk, cpa, coupling and peers, and scale each one's scores s:
   W = s / max,  C = t / (max + 1) with t = s / in-degree ** 0.4,
   K = s / (max + 0.3),  Q = s / max;
   what is added to the largest keeps one shared parent or child from counting
   as much as fifty;
2. let `whole` go from 0 to 1 as the share of u's children that have links of
   their own goes from 0.8 to 1.  Children without links were seen but never
   read: at the edge of a crawl pages that link alike are only other hubs, and
   it is what they link to that counts;
3. cpa counts for sqrt(parents of u / 8), at most 3, and coupling for children
   of u / 8, at most 4: the more of them, the better they know;
4. score = (1 + whole) / 2 * W + parents * C
         + whole * children * (K / 2 + 0.6 * sqrt(C * K)) + (2 - 1.65 * whole) * Q,
   a tenth less for a page that u links to already.

The numbers were settled on the graphs of docs/evaluation.md, all of them
together, and are not options.

Cost: that of its four parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.answer import Found
from whatsrelated.methods import Method
from whatsrelated.methods.coupling import Coupling
from whatsrelated.methods.cpa import Cpa
from whatsrelated.methods.peers import Peers
from whatsrelated.methods.walk import Walk
from whatsrelated.vicinity import scratch_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.vicinity import Question

PARTS: tuple[Method, ...] = (Walk(), Cpa(), Coupling(), Peers())
READ = 0.8
"""From this share of children with links of their own on, the graph begins to be whole."""
POPULAR = 0.4
"""The power of the in-degree that the score of cpa is divided by."""
DOUBTS = (0.0, 1.0, 0.3, 0.0)
"""What is added to the largest score of each part before it divides."""
LINKED = 0.9
"""What is left of the score of a page that the query links to already."""


@dataclass(frozen=True)
class Blend(Method):
    """Four methods, each where it is strong."""

    name: ClassVar[str] = "blend"

    def find(self, question: Question) -> Found:
        everything = replace(question, stop=question.stop[:0])
        founds = [part.find(everything) for part in PARTS]
        if not any(map(len, founds)):
            return Found.nothing(founds[0].reason)
        store, page = question.store, question.page
        pages, columns = side_by_side(founds)
        on_pages = columns[1] > 0
        columns[1, on_pages] /= store.in_degree(pages[on_pages]) ** POPULAR
        for column, doubt in zip(columns, DOUBTS, strict=True):
            column /= max(column.max() + doubt, 1e-300)
        shares = weights_of(question)[:, None] * with_agreement(columns)
        scores = shares.sum(axis=0)
        scores[np.isin(pages, store.links_from(page))] *= LINKED
        kept = question.answerable(pages) & (scores > 0)
        place_of = {number: place for place, number in enumerate(pages.tolist())}
        return Found(
            pages[kept],
            scores[kept],
            vicinity_pages=1 + len(pages),
            vicinity_links=sum(found.vicinity_links for found in founds),
            notes=tuple(note for found in founds for note in found.notes),
            details={part.name: len(found) for part, found in zip(PARTS, founds, strict=True)},
            evidence=lambda other: _evidence(founds, shares[:, place_of[other]], other),
        )


def side_by_side(founds: list[Found]) -> tuple[NDArray[uint32], NDArray[float64]]:
    """Every page that a part found, and a row of scores for each part, 0 where it has none."""
    pages, where = kernels.sums.places(
        scratch_of("sums"), np.concatenate([found.pages for found in founds])
    )
    columns = np.zeros((len(founds), len(pages)))
    begin = 0
    for column, found in zip(columns, founds, strict=True):
        column[where[begin : begin + len(found)]] = found.scores
        begin += len(found)
    return pages, columns


def with_agreement(columns: NDArray[float64]) -> NDArray[float64]:
    """The parts, and what cpa and coupling say together."""
    return np.vstack([columns, np.sqrt(columns[1] * columns[2])])


def weights_of(question: Question) -> NDArray[float64]:
    """How much the parts and the agreement count for this page."""
    store, page = question.store, question.page
    links = store.links_from(page)
    read = np.count_nonzero(store.out_degree(links)) / max(len(links), 1)
    whole = min(max((read - READ) / (1 - READ), 0.0), 1.0)
    parents = min((len(store.links_to(page)) / 8) ** 0.5, 3.0)
    children = min(len(links) / 8, 4.0) * whole
    return np.array(
        [(1 + whole) / 2, parents, children / 2, 2 - 1.65 * whole, 0.6 * children], np.float64
    )


def _evidence(founds: list[Found], shares: NDArray[float64], other: int) -> dict[str, Any]:
    """What each part gave, the one that gave most first; agreement goes half to each."""
    given = shares[:4].copy()
    given[1:3] += shares[4] / 2
    total = float(given.sum())
    parts = [
        {"by": PARTS[i].name, "share": float(given[i]) / total, **founds[i].evidence(other)}
        for i in np.argsort(-given, kind="stable").tolist()
        if given[i] > 0
    ]
    said = [part["sentence"] for part in parts if part["share"] >= parts[0]["share"] / 2]
    return {"sentence": " ".join(said), "parts": parts}
