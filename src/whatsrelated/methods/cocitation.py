"""Cocitation: pages that the same parents link to.

Two links on one page suggest that their targets belong together; the more parents two
pages share, the more people made that suggestion.  For a page u:

1. sample up to B parents of u;
2. from each, take the BF links around its link to u: the siblings of u;
3. score a sibling by the number of these parents that link to it.

Differences from DH99: the "arbitrary" parents are a seeded sample, so the same question
always has the same answer; shared parents are counted in the sample.

Cost: one read of each sampled parent's links, whatever the size of the graph.
DH99, sec. 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.blocks import AnswerBlock
from whatsrelated.contract.found import Found
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option, siblings_option
from whatsrelated.options import option
from whatsrelated.vicinity.shared import shared_parents, sharing_sentence
from whatsrelated.vicinity.wording import named, quote_page, sentence

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question, Questions


@dataclass(frozen=True)
class Cocitation(Method):
    """Pages that the same parents link to."""

    name = "cocitation"
    scored = "how many of the sampled pages that link to it link here too"
    compares = True
    chops = True
    reads_order = True

    parents: int = parents_option()
    siblings: int | str = siblings_option()
    count: str = option(
        "page",
        "count parents that link to a sibling anywhere (page), or only near the page (window)",
        choices=("page", "window"),
    )
    enough: int = option(
        15, "minimum number of siblings; with fewer, the folder above is tried", low=0
    )
    shared: int = option(2, "number of parents a sibling must share to count towards that", low=1)

    def find(self, question: Question) -> Found:
        store, page = question.store, question.page
        parents = question.parents(page, self.parents)
        if not len(parents):
            return Found.nothing(f"no page links to {store.url(page)}")
        found, counts, among, read = kernels.windows.count_siblings(
            scratch_of(kernels.windows.Scratch),
            store.links,
            parents,
            page,
            self._width,
            self.count == "page",
        )
        n_pages = 1 + len(found) + len(parents) - among
        if len(question.stop):
            allowed = ~np.isin(found, question.stop)
            found, counts = found[allowed], counts[allowed]
        if not len(found):
            return Found.nothing(f"the pages that link to {store.url(page)} link to no other page")
        return Found(
            found,
            counts.astype(np.float64),
            vicinity_pages=n_pages,
            vicinity_links=read,
            details={
                "parents": len(store.links_to(page)),
                "sampled": len(parents),
                "siblings": len(found),
                "cocited": int(np.count_nonzero(counts >= 2)),
            },
            evidence=lambda other: self._evidence(question, parents, other),
        )

    def find_best(self, questions: Questions, limit: int) -> tuple[AnswerBlock, NDArray[bool_]]:
        ends, found, counts, cocited = kernels.windows.best_siblings(
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
        block = AnswerBlock(questions.pages, questions.pages, ends, found, counts)
        return block, cocited >= self.enough

    @property
    def _width(self) -> int:
        return -1 if self.siblings == "all" else int(self.siblings)

    def enough_found(self, found: Found) -> bool:
        return int(np.count_nonzero(found.scores >= self.shared)) >= self.enough

    def _evidence(self, question: Question, parents: NDArray[uint32], other: int) -> dict[str, Any]:
        store, page = question.store, question.page
        shared, listed = shared_parents(store, parents, page, other)
        text = sharing_sentence(shared, len(parents))
        examples = [store.page(parent["url"]) for parent in listed[:1]]
        for example in examples:
            text += f", e.g. {quote_page(store, example)}"
        return {
            "sentence": sentence(text),
            **named(store, *examples),
            "shared_parents": shared,
            "sampled_parents": len(parents),
            "parents": listed,
        }
