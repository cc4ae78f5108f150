"""The answer to a request: the best results in order, and how they were found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from whatsrelated.contract.candidates import Result
from whatsrelated.contract.markup import SHARED, render
from whatsrelated.contract.replies import AnswerReply, ClusterReply, VicinitySize
from whatsrelated.contract.strength import PINNED, grade_of
from whatsrelated.machine.packages import load

if TYPE_CHECKING:
    from whatsrelated.options import Configured


@dataclass(frozen=True, slots=True)
class Cluster:
    """Some results of an answer, by position from 1, and how similar they are."""

    places: tuple[int, ...]
    similarity: float | None
    """The mean similarity of its pairs; None for a single page."""


@dataclass(slots=True, repr=False)
class Answer:
    """The related pages, best first, and how they were found."""

    asked: list[str]
    answered_for: list[str]
    by: Configured
    options: dict[str, Any]
    results: list[Result]
    vicinity: dict[str, int]
    took_ms: float
    notes: list[str]
    details: dict[str, Any] = field(default_factory=dict)
    clusters: list[Cluster] | None = None
    """Results that belong together, if requested."""
    weights: dict[str, float] | None = None
    """The weights of the pages in `asked`, if there are any."""
    unlike: dict[str, float] | None = None
    """The pages to move away from, with their weights."""
    hints: int = 0
    """The number of known pages that were used as hints."""

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, place: int) -> Result:
        return self.results[place]

    def __repr__(self) -> str:
        return f"<Answer of {self._caption()}>"

    def _caption(self) -> str:
        pages = f"{len(self):,} page{'' if len(self) == 1 else 's'}"
        return f"{pages} related to {', '.join(self.answered_for):.200} by {self.by.name}"

    def _repr_html_(self) -> str:
        """The answer in a notebook: a table of pages with a reason for each."""
        caption = self._caption()
        values = {"answer": self, "caption": caption[:1].upper() + caption[1:]}
        return str(render(SHARED, "notebook_answer.html", **values))

    def to_pandas(self, why: bool = False) -> Any:
        """A pandas.DataFrame with one row per result; `why` adds the reasons."""
        return load("pandas", "to_pandas").DataFrame(self._columns(why))

    def to_polars(self, why: bool = False) -> Any:
        """A polars.DataFrame with one row per result; `why` adds the reasons."""
        return load("polars", "to_polars").DataFrame(self._columns(why))

    def _columns(self, why: bool) -> dict[str, list[Any]]:
        """The results as columns."""
        columns: dict[str, list[Any]] = {
            "position": list(range(1, len(self) + 1)),
            "score": [one.score for one in self],
            "url": [one.url for one in self],
            "title": [one.title for one in self],
        }
        if self.clusters is not None:
            columns["cluster"] = self.cluster_numbers()
        if why:
            columns["why"] = [one.evidence.get("sentence", "") for one in self]
        return columns

    @property
    def are_strengths(self) -> bool:
        """Whether the scores are strengths, shown as percentages; only true for a single page."""
        return getattr(self.by, "percent", False) and self._for_one_page

    @property
    def _for_one_page(self) -> bool:
        return len(self.answered_for) == 1 and not self.unlike and not self.hints

    def grade(self, result: Result) -> str | None:
        """A word for the strength of a result: strong, likely, possible or weak; `pinned` for
        pinned pages.
        """
        if result.pinned:
            return PINNED
        return grade_of(result.score) if self.are_strengths else None

    @property
    def scored(self) -> str:
        """The meaning of the score in words, if the method defines it."""
        return getattr(self.by, "scored", "") if self._for_one_page else ""

    def cluster_numbers(self) -> list[int | None]:
        """The cluster number of each result from 1; None for a result in no cluster."""
        numbers = {
            place: number
            for number, cluster in enumerate(self.clusters or (), 1)
            for place in cluster.places
        }
        return [numbers.get(place) for place in range(1, len(self) + 1)]

    def reply(self, why: bool = False) -> AnswerReply:
        """The answer as JSON, in the same form on the command line and over HTTP."""
        return AnswerReply(
            asked=self.asked,
            answered_for=self.answered_for,
            by=self.by.name,
            options=self.options,
            results=[result.reply(why, self.grade(result)) for result in self.results],
            vicinity=VicinitySize(**self.vicinity),
            took_ms=self.took_ms,
            notes=self.notes,
            clusters=UNSET
            if self.clusters is None
            else [ClusterReply(list(one.places), one.similarity) for one in self.clusters],
            details=self.details if why else UNSET,
            weights=self.weights or UNSET,
            unlike=self.unlike or UNSET,
        )

    def as_dict(self, why: bool = False) -> dict[str, Any]:
        """The same JSON as plain Python values."""
        return self.reply(why).as_dict()
