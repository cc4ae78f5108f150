"""The default similarity of two pages, independent of which other pages are related to them.

It uses the parts of `methods.blend` in both directions. Let w be the geometric mean of the
probabilities of the walks from each page to the other, with restart 0.5. Let c and k be the cosines
of their parents and of their children. Each neighbour has the weight ln(1 + pages / degree), where
the degree is its number of links in that direction. With

    x = (w + 0.002) * (1 + c) * (1 + k) - 0.002

the similarity is x / (x + 0.02). It is 1 for a page and itself, and 0 if no walk leads from one to
the other. Since links are followed in either direction, one walk gives both probabilities.

Cost: one walk plus the links of each page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph.store import Store

RESTART, ERROR = 0.5, 3e-6
"""The restart of the walk; it is high because distant pages say little about either page."""
UNWALKED = 0.002
"""Added to the walk, so shared links count even if the walk rarely arrives."""
HALF_SIMILAR = 0.02
"""The value of x at which the similarity is one half."""


def similarities(question: Question, others: Sequence[int]) -> NDArray[float64]:
    """The similarity of the query with each of the other pages."""
    store, page = question.store, question.page
    pages, probabilities, _, _ = kernels.walk.push(
        scratch_of(kernels.walk.Scratch),
        store.links,
        np.array([page], np.uint32),
        np.ones(1),
        RESTART,
        ERROR,
    )
    degrees = (store.in_degree(pages) + store.out_degree(pages)).astype(np.float64)
    own_degree = max(float(degrees[0]), 1.0)
    # The walk back has the probability p * own_degree / degree.
    both_ways = probabilities * np.sqrt(own_degree / np.maximum(degrees, 1))
    walked = dict(zip(pages.tolist(), both_ways.tolist(), strict=True))
    parents, children = weighted_links(store, page)
    similar = np.ones(len(others))
    for place, other in enumerate(others):
        kernels.limits.check()
        if other != page:
            their_parents, their_children = weighted_links(store, other)
            both = walked.get(other, 0.0) + UNWALKED
            both *= 1 + parents.cosine(their_parents)
            both *= 1 + children.cosine(their_children)
            similar[place] = (both - UNWALKED) / (both - UNWALKED + HALF_SIMILAR)
    return similar


@dataclass(frozen=True, slots=True)
class WeightedLinks:
    """The weighted parents or children of a page; rare ones count most."""

    pages: NDArray[uint32]
    weights: NDArray[float64]

    def cosine(self, other: WeightedLinks) -> float:
        """The cosine of two weighted lists."""
        _, positions, _ = np.intersect1d(
            self.pages, other.pages, assume_unique=True, return_indices=True
        )
        if not len(positions):
            return 0.0
        return float(
            self.weights[positions].sum() / np.sqrt(self.weights.sum() * other.weights.sum())
        )


def weighted_links(store: Store, page: int) -> tuple[WeightedLinks, WeightedLinks]:
    """The parents and the children of a page."""
    parents, children = store.links_to(page), store.links_from(page)
    degrees = store.out_degree(parents), store.in_degree(children)
    parents_weights, children_weights = (np.log1p(store.n_pages / of) ** 2 for of in degrees)
    return WeightedLinks(parents, parents_weights), WeightedLinks(children, children_weights)
