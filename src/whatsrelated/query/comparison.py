"""Compare methods: where each ranks a page, which pages they share, and how well they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.contract.replies import ComparisonReply, PlacedPage
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS, Method
from whatsrelated.options import declared_options, divide, no_option
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from whatsrelated.query.answer import Answer


@dataclass(frozen=True, slots=True)
class Row:
    """A page and its position in each list; None if the list does not contain it."""

    url: str
    title: str | None
    places: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answers of several methods to one query."""

    methods: tuple[str, ...]
    answers: tuple[Answer, ...]

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Comparison:
        """These answers by the names of their methods, with options if a name is repeated."""
        names = [answer.by.name for answer in answers]
        if len(set(names)) < len(names):
            names = [repr(answer.by) for answer in answers]
        return cls(tuple(names), tuple(answers))

    def rows(self) -> list[Row]:
        """All pages of all lists: those in the most lists first, then by the sum of their
        positions.
        """
        lists = [self._urls(answer) for answer in self.answers]
        titles = {result.url: result.title for answer in self.answers for result in answer}
        rows = [
            Row(url, title, tuple(urls.index(url) + 1 if url in urls else None for urls in lists))
            for url, title in titles.items()
        ]

        def worth(row: Row) -> tuple[int, int]:
            places = [place for place in row.places if place is not None]
            return -len(places), sum(places)

        return sorted(rows, key=worth)

    def shared(self) -> list[list[int]]:
        """The number of pages that each pair of lists shares."""
        lists = [set(self._urls(answer)) for answer in self.answers]
        return [[len(one & two) for two in lists] for one in lists]

    def agreement(self) -> list[list[float | None]]:
        """The similarity of each pair of lists, from 0 to 1; the first positions count most."""
        lists = [self._urls(answer) for answer in self.answers]
        return [[average_overlap(one, two) for two in lists] for one in lists]

    def reply(self, why: bool = False) -> ComparisonReply:
        """The comparison as JSON, in the same form on the command line and over HTTP."""
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
        """The same JSON as plain Python values."""
        return self.reply().as_dict()

    @staticmethod
    def _urls(answer: Answer) -> list[str]:
        return [result.url for result in answer]


def options_for_each(
    by: Sequence[str | Method | type[Method]], options: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The options for each method in `by`: those of every request, and its own.

    An option that no method has raises an OptionError that lists the known ones.
    """
    if not isinstance(by, list | tuple):
        raise OptionError(f"compare: by must be a list of methods, got {by!r:.80}.")
    kinds = [_kind(one) for one in by]
    if not kinds:
        raise OptionError("compare: no methods given; name at least one in by.")
    common, rest = divide(options, Request)
    each = [divide(rest, kind) for kind in kinds]
    for name in rest:
        if all(name in others for _, others in each):
            known = {name for kind in kinds for name in declared_options(kind)}
            raise no_option("compare", name, sorted({*declared_options(Request), *known}))
    return [
        {**common, **method_options} if isinstance(one, str | type) else dict(common)
        for one, (method_options, _) in zip(by, each, strict=True)
    ]


def _kind(by: str | Method | type[Method]) -> type[Method]:
    if isinstance(by, str):
        return METHODS[by]
    return by if isinstance(by, type) else type(by)


def average_overlap(one: Sequence[str], two: Sequence[str]) -> float | None:
    """The mean, over all depths, of the share of pages that both lists have in common.

    It is 1 for equal lists, 0 for lists without a common page, and None for two empty lists.
    """
    depth = max(len(one), len(two))
    if not depth:
        return None
    shares = [len(set(one[:d]) & set(two[:d])) / d for d in range(1, depth + 1)]
    return sum(shares) / depth
