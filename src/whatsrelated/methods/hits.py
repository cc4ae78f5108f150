"""HITS around a page: the authorities of its parents' surroundings.

Kleinberg's algorithm with the parents of the page in the place of a search
engine's results: what companion goes beyond.  For a page u:

1. start from u and up to 200 of its parents;
2. add every page that one of these links to, and of each parent at most d of
   the pages that link to it, those with the highest in-degree;
3. take every link between two of these that are on different sites;
4. iterate hubs and authorities, every link with the same weight, until they
   converge: the best authorities are the answer.

`vector` asks for another eigenvector than the first (`methods.eigenvectors`).

There is no link order in it, no merging and no weight: a site with many pages
or a page with many mirrors can draw the answer to itself.

Cost: one read of the links of every page gathered; the parents' pages come in
whole, so it gathers more than companion from a tenth of the parents.
Kle99, as told in DH99, sec. 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.methods import Method, parents_option
from whatsrelated.methods.authorities import Authorities, max_rounds_option, tolerance_option
from whatsrelated.methods.eigenvectors import find_end
from whatsrelated.options import option
from whatsrelated.vicinity.gathering import CHILD, PARENT, QUERY, Gathering

if TYPE_CHECKING:
    from whatsrelated.contract.found import Found
    from whatsrelated.contract.question import Question


@dataclass(frozen=True)
class Hits(Method):
    """The authorities of the surroundings of a page's parents."""

    name = "hits"
    scored = "the authority that the pages around it give this page; the squares of all sum to 1"

    parents: int = parents_option(200, symbol="", low=0)
    inlinks: int = option(50, "how many pages that link to each parent to take", symbol="d", low=0)
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()
    vector: int = option(
        1, "which eigenvector, for pages with several meanings (Kle99, sec. 5)", low=1, high=20
    )
    other_end: bool = option(False, "whether to take the other end of a vector from the second on")

    def find(self, question: Question) -> Found:
        page = question.page
        parents = question.parents(page, self.parents)
        around = Gathering(question, 1000 + len(parents) * (50 + self.inlinks))
        around.add(np.array([page], np.uint32), QUERY)
        around.add(parents, PARENT)
        around.add(question.store.links_from(page), CHILD)
        around.add_windows(page, parents, "all")
        around.add_best_parents(parents, self.inlinks)
        vicinity = around.vicinity()
        if self.vector > 1:
            return find_end(vicinity, {page: parents}, self.vector, self.other_end)
        return Authorities.unweighted(
            vicinity, {page: parents}, self.tolerance, self.max_rounds
        ).found()
