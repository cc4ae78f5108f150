"""Methods side by side: where each puts a page, what they share, how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.query.replies import ComparisonReply, PlacedPage

if TYPE_CHECKING:
    from whatsrelated.query.answer import Answer


@dataclass(frozen=True, slots=True)
class Row:
    """A page, and its place in each list, None where it is in none of its first `limit`."""

    url: str
    title: str | None
    places: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answers of several methods to one question."""

    methods: tuple[str, ...]
    answers: tuple[Answer, ...]

    def rows(self) -> list[Row]:
        """Every page of any list: those in most lists first, then by the sum of their places."""
        lists = [self._urls(answer) for answer in self.answers]
        titles = {result.url: result.title for answer in self.answers for result in answer}
        rows = [
            Row(url, title, tuple(own.index(url) + 1 if url in own else None for own in lists))
            for url, title in titles.items()
        ]

        def worth(row: Row) -> tuple[int, int]:
            held = [place for place in row.places if place is not None]
            return -len(held), sum(held)

        return sorted(rows, key=worth)

    def shared(self) -> list[list[int]]:
        """How many pages each two lists have in common."""
        lists = [set(self._urls(answer)) for answer in self.answers]
        return [[len(one & two) for two in lists] for one in lists]

    def agreement(self) -> list[list[float | None]]:
        """How alike each two lists are, their heads counting most: from 0 to 1."""
        lists = [self._urls(answer) for answer in self.answers]
        return [[average_overlap(one, two) for two in lists] for one in lists]

    def reply(self, why: bool = False) -> ComparisonReply:
        """The comparison as JSON has it, the same from the command and over HTTP."""
        return ComparisonReply(
            asked=self.answers[0].asked,
            methods=list(self.methods),
            pages=[
                PlacedPage(url=row.url, title=row.title, places=list(row.places))
                for row in self.rows()
            ],
            shared=self.shared(),
            agreement=self.agreement(),
            answers=[answer.reply(why) for answer in self.answers],
        )

    def as_dict(self) -> dict[str, Any]:
        """The same as plain Python values."""
        return self.reply().as_dict()

    @staticmethod
    def _urls(answer: Answer) -> list[str]:
        return [result.url for result in answer]


def average_overlap(one: Sequence[str], two: Sequence[str]) -> float | None:
    """The mean, over every depth, of the share of pages that both lists have down to it.

    1 for equal lists, 0 for lists without a common page, None for two empty ones.
    """
    depth = max(len(one), len(two))
    if not depth:
        return None
    shares = [len(set(one[:d]) & set(two[:d])) / d for d in range(1, depth + 1)]
    return sum(shares) / depth
