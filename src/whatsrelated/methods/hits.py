"""HITS around a page: the authorities in the neighbourhood of its parents.

Kleinberg's algorithm, with the parents of the page instead of a search engine's results;
companion improves on it.  For a page u:

1. start from u and up to 200 of its parents;
2. add every page that one of these links to, and for each parent the d pages with the highest
   in-degree that link to it;
3. take every link between two of these pages on different sites;
4. iterate hubs and authorities, with equal weights for all links, until they converge; the answer
   is the best authorities.

`vector` selects an eigenvector other than the first (`methods.eigenvectors`).

HITS ignores link order, and it neither merges pages nor weights links. A site with many pages, or
a page with many mirrors, can therefore dominate the answer.

Cost: one read of the links of every gathered page. Since the parents are read in full, HITS gathers
more pages than companion from a tenth of the parents. Kle99, as described in DH99, sec. 5.
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
    from whatsrelated.contract.candidates import Candidates
    from whatsrelated.contract.question import Question


@dataclass(frozen=True)
class Hits(Method):
    """The authorities in the neighbourhood of a page's parents."""

    name = "hits"
    scored = "the authority that nearby pages give this page; the squares of all scores sum to 1"

    parents: int = parents_option(200, symbol="", low=0)
    inlinks: int = option(50, "number of in-links to add for each parent", symbol="d", low=0)
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()
    vector: int = option(
        1, "which eigenvector, for pages with several meanings (Kle99, sec. 5)", low=1, high=20
    )
    other_end: bool = option(False, "use the other end of the eigenvector, if vector is 2 or more")

    def find(self, question: Question) -> Candidates:
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
        ).candidates()
