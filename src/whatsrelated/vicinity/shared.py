"""What two pages share, for the reasons of an answer, and pages that occur in several lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.vicinity.quoting import Quotes
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store

MAX_TOGETHER = 64
"""Maximum number of pages whose reasons are read together."""

Fact = TypeVar("Fact")


class JointEvidence(Generic[Fact]):
    """Why pages are results of a question, in a sentence and in numbers.

    The data for all pages in `explained` is read from the graph together, when the first of them is
    explained.
    """

    def __init__(self, question: Question, explained: Sequence[int]) -> None:
        self.question, self.explained = question, explained
        self.quotes = Quotes(question.store)
        self._known: dict[int, Fact] = {}

    def __call__(self, other: int) -> dict[str, Any]:
        say = Wording(self.question.store, self.question.pages, other, self.quotes)
        return self.evidence(say, other)

    def fact(self, page: int) -> Fact:
        """What was read about a result."""
        if page not in self._known:
            pages = dict.fromkeys([page, *self.explained])
            unknown = [other for other in pages if other not in self._known][:MAX_TOGETHER]
            facts = self.read(np.array(unknown, np.uint32))
            self._known.update(zip(unknown, facts, strict=True))
        return self._known[page]

    def read(self, others: NDArray[uint32]) -> Iterable[Fact]:
        """Read what is needed to explain these pages."""
        raise NotImplementedError

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        """The sentence and the numbers for a result."""
        raise NotImplementedError

    def sentence(self, say: Wording, other: int) -> str:
        """The sentence alone."""
        raise NotImplementedError


class SharedParents(NamedTuple):
    """The parents that also link to a result: how many, and the first of them, with their number of
    links and the distance between the two links on them.
    """

    total: int
    listed: list[tuple[int, int, int]]

    def nearest(self) -> list[tuple[int, int, int]]:
        """The listed parents, closest links first."""
        return sorted(self.listed, key=lambda parent: abs(parent[2]))

    def evidence(self, quotes: Quotes) -> list[dict[str, Any]]:
        """The listed parents as evidence."""
        return [
            {"url": quotes.urls[parent], "links": links, "distance": distance}
            for parent, links, distance in self.listed
        ]


def distinct(*lists: NDArray[uint32]) -> int:
    """The number of different pages in the lists."""
    return len(
        kernels.row_sums.places(scratch_of(kernels.row_sums.Scratch), np.concatenate(lists))[0]
    )


def shared_parents(
    store: Store,
    parents: NDArray[uint32],
    page: int,
    others: NDArray[uint32],
    limit: int = MAX_LISTED,
) -> list[SharedParents]:
    """The parents of a page that also link to each of the other pages.

    Up to `limit` are listed, sorted by number of links, fewest first, then by page number.
    """
    scratch = scratch_of(kernels.sharing.Scratch)
    arrays = kernels.sharing.shared_parents(scratch, store.links, parents, page, others, limit)
    columns = zip(*(array.tolist() for array in arrays), strict=True)
    return [
        SharedParents(count, list(zip(*listed, strict=True))[:count]) for count, *listed in columns
    ]


class SharingEvidence(JointEvidence[SharedParents]):
    """The parents, among those read, that link to both pages; with `near`, also how close the
    links are.
    """

    def __init__(
        self,
        question: Question,
        parents: NDArray[uint32],
        explained: Sequence[int],
        *,
        near: bool = False,
    ) -> None:
        super().__init__(question, explained)
        self._parents, self._near = parents, near and question.store.ordered

    @cached_property
    def _sampled(self) -> bool:
        return self.question.is_sample(len(self._parents))

    def read(self, others: NDArray[uint32]) -> list[SharedParents]:
        return shared_parents(self.question.store, self._parents, self.question.page, others)

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        shared = self.fact(other)
        return {
            **say.evidence(self.sentence(say, other)),
            "shared_parents": shared.total,
            "sampled_parents": len(self._parents),
            "parents": shared.evidence(say.quotes),
        }

    def sentence(self, say: Wording, other: int) -> str:
        """The sentence alone; with `near`, its example has the closest links."""
        shared = self.fact(other)
        listed = shared.nearest() if self._near else shared.listed
        return say.shared_parents(
            shared.total,
            len(self._parents),
            [parent for parent, _, _ in listed[:2]],
            sampled=self._sampled,
            distances=[abs(distance) for _, _, distance in listed] if self._near else (),
        )
