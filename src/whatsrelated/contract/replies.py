"""Replies as JSON, in one shape for the command line and HTTP.

Each shape is a Struct. `related … --json` prints it, the server sends it, and the OpenAPI document
contains its schema, so the three cannot diverge. UNSET fields are left out.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Count = Annotated[int, msgspec.Meta(ge=0)]


class ReplyPart(msgspec.Struct, forbid_unknown_fields=True):
    """Any part of a reply."""

    def as_dict(self) -> dict[str, Any]:
        """The same JSON as plain Python values; functions among the options become their repr."""
        plain: dict[str, Any] = msgspec.to_builtins(self, enc_hook=repr)
        return plain


class JSONReply(ReplyPart):
    """The base of every reply, with the version of its shape. Subclasses are `kw_only=True`."""

    version: Literal[1] = 1


class PageName(ReplyPart):
    """A page's URL and title."""

    url: str
    title: str | None


class ScoredPage(PageName):
    """A page with its score, what a strength means in words, and the evidence if requested."""

    score: float
    grade: str | UnsetType = UNSET
    evidence: dict[str, Any] | UnsetType = UNSET


class VicinitySize(ReplyPart):
    """How much of the graph was read."""

    pages: Count
    links: Count


class ClusterReply(ReplyPart):
    """Results that belong together, by position from 1, and how similar they are."""

    places: list[Count] = msgspec.field(name="positions")
    similarity: float | None


class AnswerReply(JSONReply, kw_only=True):
    """The pages related to one page, or to several together, best first."""

    asked: list[str]
    answered_for: list[str]
    by: str
    options: dict[str, Any]
    results: list[ScoredPage]
    vicinity: VicinitySize
    took_ms: float
    notes: list[str]
    clusters: list[ClusterReply] | UnsetType = UNSET
    details: dict[str, Any] | UnsetType = UNSET
    weights: dict[str, float] | UnsetType = UNSET
    unlike: dict[str, float] | UnsetType = UNSET


class PlacedPage(PageName):
    """A page and its position in each list; null if the list does not contain it."""

    places: list[int | None] = msgspec.field(name="positions")


class ComparisonReply(JSONReply, kw_only=True):
    """Where each method ranks the pages, which pages the methods share, and how well they agree."""

    asked: list[str]
    methods: list[str]
    pages: list[PlacedPage]
    shared: list[list[Count]]
    agreement: list[list[float | None]]
    answers: list[AnswerReply]


class PageSummary(PageName):
    """A page with its degrees."""

    links_to_it: Count = msgspec.field(name="in")
    links_from_it: Count = msgspec.field(name="out")


class PagesReply(JSONReply, kw_only=True):
    """Pages that match a search, most linked first, and the number of matches."""

    pages: list[PageSummary]
    total: Count | UnsetType = UNSET


class CommonPage(PageName):
    """A neighbour that several pages share, and the number of these pages."""

    shared: Count
    links_to_it: Count = msgspec.field(name="in")
    links_from_it: Count = msgspec.field(name="out")


class CommonReply(JSONReply, kw_only=True):
    """The neighbours that several pages share."""

    asked: list[str]
    way: Literal["in", "out"]
    found: Count
    pages: list[CommonPage]
    notes: list[str]


class ChainReply(ReplyPart):
    """A chain of links. Each step follows a link forwards (out) or backwards (in), or the pages
    link to each other (both).
    """

    pages: list[PageName]
    steps: list[Literal["out", "in", "both"]]
    sentences: list[str]


class PathReply(ReplyPart):
    """The shortest chains between two pages; if there are none, how far the search went."""

    start: PageName
    end: PageName
    length: Count | None
    found: Count
    chains: list[ChainReply]
    ruled_out: Count
    complete: bool
    sentence: str


class PathsReply(JSONReply, kw_only=True):
    """The shortest chains of links from each page to the next."""

    asked: list[str]
    way: Literal["either", "out", "in"]
    paths: list[PathReply]
    notes: list[str]


class SimilarityReply(JSONReply, kw_only=True):
    """The similarity of pages, with a row of scores for each page."""

    asked: list[str]
    by: str
    options: dict[str, Any]
    pages: list[PageName]
    scores: list[list[float | None]]
    took_ms: float
    notes: list[str]


class RankingReply(JSONReply, kw_only=True):
    """The best pages of the graph, by score or by hub score."""

    by: str
    options: dict[str, Any]
    of: Literal["scores", "hubs"]
    results: list[ScoredPage]
    rounds: Count
    residual: float
    notes: list[str]
