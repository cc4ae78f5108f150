"""Companion: the authorities of the graph around a page.

Cocitation looks only at parents.  The pages that a page links to, and the other pages that
link to those, also show what it is about.  For a page u:

1. gather u, up to B of its parents, the BF links around u on each of them, the first F
   children of u, and for each child the FB parents with the highest in-degree;
2. take every link between two of these pages on different sites;
3. merge near-duplicates, pages with more than 10 links of which 95% agree; the merged page has all
   their links, except those between them;
4. weight the links: a site has one vote for a page, however many of its pages link to it
   (1/k), and a page has one vote for a site (1/l; BH98);
5. iterate hubs and authorities until they converge; the answer is the best authorities.

Each query page has its own vicinity, and the lists are joined: pages in all of them come first
(`query.join`). In the union of the vicinities (`several="union"`), authority would gather around
the query page with the densest links, because components that share no hub compete for it.

Differences from DH99: children and co-parents are limited to F and FB, whose values the paper does
not give. Near-duplicates are merged transitively, in any order. A merged page keeps links to the
sites of its members; for the weights, it belongs to the site of the page that names it. The
iteration runs until it converges.

Cost: one read of the links of every gathered page, at most 1 + B(1 + BF) + F(1 + FB) pages, however
large the graph. DH99, sec. 2.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels, methods
from whatsrelated.contract.blocks import AnswerBlock
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods.authorities import (
    MIN_SHARE,
    Authorities,
    max_rounds_option,
    tolerance_option,
)
from whatsrelated.options import option
from whatsrelated.vicinity.duplicates import rule_of
from whatsrelated.vicinity.gathering import CHILD, COPARENT, PARENT, QUERY, SIBLING, VicinityGraph

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.contract.candidates import Candidates
    from whatsrelated.contract.question import Question, Questions

ROLES = bytes([QUERY, PARENT, SIBLING, CHILD, COPARENT])


@dataclass(frozen=True)
class Companion(methods.Method):
    """The authorities of the graph around a page."""

    name = "companion"
    scored = "the authority that nearby pages give this page; the squares of all scores sum to 1"
    reads_order = True
    adds = True

    parents: int = methods.parents_option(low=0)
    siblings: int | str = methods.siblings_option()
    children: int = methods.children_option()
    coparents: int = methods.coparents_option(8)
    merge: bool = option(True, "merge near-duplicates into one page")
    near_links: int = methods.near_links_option()
    near_share: float = methods.near_share_option()
    weights: bool = option(True, "let the links from one site share one vote")
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()
    several: str = option(
        "each",
        "for several pages: join the list of each, or use the union of their vicinities",
        choices=("each", "union"),
    )

    @property
    def asks_once(self) -> bool:
        return self.several == "union"

    def find(self, question: Question) -> Candidates:
        return self.authorities(question).candidates()

    def authorities(self, question: Question) -> Authorities:
        """The vicinity of the question, with hubs and authorities."""
        store, queries = question.store, question.pages
        parents = [question.parents(page, self.parents) for page in queries]
        around, authority, hub, best, merged, rounds, moved = kernels.companion.companion(
            scratch_of(kernels.vicinity.Vicinity),
            store.links,
            queries=np.array(queries, np.uint32),
            parents=parents[0] if len(parents) == 1 else np.concatenate(parents),
            parent_ends=np.array(list(accumulate(map(len, parents))), np.int64),
            sites=question.sites,
            stop=question.stop,
            **self._kernel_options(),
        )
        return Authorities(
            VicinityGraph(question, *around),
            dict(zip(queries, parents, strict=True)),
            authority,
            hub,
            best,
            rounds,
            moved,
            self.tolerance,
            self.weights,
            merged,
        )

    def find_best(self, questions: Questions, limit: int) -> tuple[AnswerBlock, NDArray[bool_]]:
        ends, pages, scores = kernels.companion.companion_each(
            scratch_of(kernels.vicinity.Vicinity),
            questions.store.links,
            pages=questions.pages,
            draws=questions.draws(self.parents),
            parents=self.parents,
            sites=questions.sites,
            limit=limit,
            **self._kernel_options(),
        )
        block = AnswerBlock(questions.pages, questions.pages, ends, pages, scores)
        return block, block.counts > 0

    def _kernel_options(self) -> dict[str, Any]:
        """The options in the kernel's form."""
        return {
            "roles": ROLES,
            "siblings": -1 if self.siblings == "all" else int(self.siblings),
            "children": self.children,
            "coparents": self.coparents,
            "near_duplicate": rule_of(self.near_links, self.near_share) if self.merge else None,
            "weighted": self.weights,
            "tolerance": self.tolerance,
            "max_rounds": self.max_rounds,
            "least": MIN_SHARE,
        }
