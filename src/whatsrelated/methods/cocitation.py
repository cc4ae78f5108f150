"""Cocitation: pages that the same parents link to.

Two links on one page suggest that their targets belong together; the more parents two pages share,
the more people have made that suggestion. For a page u:

1. sample up to B parents of u;
2. from each, take the BF links around its link to u: the siblings of u;
3. score a sibling by the number of these parents that link to it.

XH14 (eq. 11) counts Q, the parents that two pages share, on whole pages. It weights page j for page
i by W = Q_ij / Σ_k Q_ik, where Q_ii is the in-degree. That is the share of the parents' links that
lead to j, and `count="share"` here.

Differences from DH99: the "arbitrary" parents are a seeded sample, so the same question
always has the same answer; shared parents are counted in the sample.

Cost: one read of each sampled parent's links, however large the graph. DH99, sec. 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.blocks import AnswerBlock
from whatsrelated.contract.candidates import Candidates
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option, siblings_option
from whatsrelated.options import option
from whatsrelated.vicinity.shared import SharingEvidence

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question, Questions


@dataclass(frozen=True)
class Cocitation(Method):
    """Pages that the same parents link to."""

    name = "cocitation"
    scored = "the number of sampled pages that link to both pages"
    compares = True
    chops = True
    reads_order = True

    parents: int = parents_option()
    siblings: int | str = siblings_option()
    count: str = option(
        "page",
        "count parents that link to a sibling anywhere (page), or only near the page (window); "
        "or give its share of all their links (share)",
        choices=("page", "window", "share"),
    )
    enough: int = option(
        15, "minimum number of siblings; with fewer, the folder above is tried", low=0
    )
    shared: int = option(2, "number of parents that such a sibling must share", low=1)

    def find(self, question: Question) -> Candidates:
        store, page = question.store, question.page
        parents = question.parents(page, self.parents)
        if not len(parents):
            return Candidates.nothing(f"no page links to {store.url(page)}")
        siblings, counts, among, read = kernels.windows.count_siblings(
            scratch_of(kernels.windows.Scratch),
            store.links,
            parents,
            page,
            self._width,
            self.count != "window",
        )
        n_pages = 1 + len(siblings) + len(parents) - among
        if len(question.stop):
            allowed = ~np.isin(siblings, question.stop)
            siblings, counts = siblings[allowed], counts[allowed]
        if not len(siblings):
            return Candidates.nothing(
                f"the pages that link to {store.url(page)} link to no other page"
            )
        total = int(counts.sum()) + len(parents) if self.count == "share" else 1
        explained: list[int] = []
        return Candidates(
            siblings,
            counts / total,
            vicinity_pages=n_pages,
            vicinity_links=read,
            details={
                "parents": len(store.links_to(page)),
                "sampled": len(parents),
                "siblings": len(siblings),
                "cocited": int(np.count_nonzero(counts >= 2)),
                **({"cocitations": total} if self.count == "share" else {}),
            },
            evidence=SharingEvidence(question, parents, explained),
            explained=explained,
        )

    def find_best(
        self, questions: Questions, limit: int
    ) -> tuple[AnswerBlock, NDArray[bool_]] | None:
        if self.count == "share":
            return None
        ends, siblings, counts, cocited = kernels.windows.best_siblings(
            scratch_of(kernels.windows.Scratch),
            questions.store.links,
            questions.pages,
            questions.draws(self.parents),
            self.parents,
            self._width,
            self.count == "page",
            self.shared,
            limit,
        )
        block = AnswerBlock(questions.pages, questions.pages, ends, siblings, counts)
        return block, cocited >= self.enough

    @property
    def _width(self) -> int:
        whole = self.siblings == "all" or self.count == "share"
        return -1 if whole else int(self.siblings)

    def self_score(self, question: Question, candidates: Candidates) -> float:
        """XH14's Q_ii, or W_ii: all of the parents link to the page itself."""
        parents = len(question.parents(question.page, self.parents))
        shares = self.count == "share" and parents
        return (
            parents / candidates.details.get("cocitations", parents) if shares else float(parents)
        )

    def has_enough(self, candidates: Candidates) -> bool:
        minimum = self.shared / candidates.details.get("cocitations", 1)
        return int(np.count_nonzero(candidates.scores >= minimum)) >= self.enough
