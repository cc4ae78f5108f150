"""Parents that two pages share, and pages that occur in several lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.vicinity.gathering import SIBLING
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store


def distinct(*lists: NDArray[uint32]) -> int:
    """The number of different pages in the lists."""
    return len(
        kernels.row_sums.places(scratch_of(kernels.row_sums.Scratch), np.concatenate(lists))[0]
    )


def linking_pages(store: Store, pages: NDArray[uint32], target: int) -> NDArray[uint32]:
    """The pages that link to a target, found by reading their links."""
    scratch = scratch_of(kernels.vicinity.Vicinity)
    scratch.clear(1)
    scratch.add(np.array([target], np.uint32), SIBLING, np.empty(0, np.uint32))
    numbers = np.arange(len(pages), dtype=np.uint32)
    positions, _ = scratch.crossings(store.links, pages, numbers, None, backward=False)
    return pages[positions]


def shared_parents(
    store: Store, parents: NDArray[uint32], page: int, other: int, limit: int = MAX_LISTED
) -> tuple[int, list[dict[str, Any]]]:
    """How many parents of one page also link to another page, and up to `limit` of these parents.

    They are sorted by number of links, fewest first, then by page number. Each has its number of
    links, and the distance between the two links.
    """
    sharing = linking_pages(store, parents, other)
    first = np.lexsort((sharing, store.out_degree(sharing)))[:limit]
    listed = []
    for parent in sharing[first].tolist():
        links = store.links_from(parent)
        distance = int(np.argmax(links == other)) - int(np.argmax(links == page))
        listed.append({"url": store.url(parent), "links": len(links), "distance": distance})
    return len(sharing), listed


def sharing_evidence(
    question: Question, parents: NDArray[uint32], other: int, *, near: bool = False
) -> dict[str, Any]:
    """The parents, among those read, that link to both pages; with `near`, also how close the
    links are.
    """
    count, listed = shared_parents(question.store, parents, question.page, other)
    numbers = {"shared_parents": count, "sampled_parents": len(parents), "parents": listed}
    say = Wording(question.store, question.pages, other)
    return {**say.evidence(sharing_sentence(say, question, numbers, near=near)), **numbers}


def sharing_sentence(
    say: Wording, question: Question, numbers: dict[str, Any], *, near: bool = False
) -> str:
    """The sentence for this evidence; with `near`, its example has the closest links."""
    store, listed = question.store, numbers["parents"]
    near = near and store.ordered
    if near:
        listed = sorted(listed, key=lambda parent: abs(parent["distance"]))
    return say.shared_parents(
        numbers["shared_parents"],
        numbers["sampled_parents"],
        [store.page(parent["url"]) for parent in listed[:2]],
        sampled=question.is_sample(numbers["sampled_parents"]),
        distances=[abs(parent["distance"]) for parent in listed] if near else (),
    )
