"""What questions are answered with as JSON: one shape for the command line and for HTTP.

A shape is a Struct: `related … --json` prints it, the server sends it, and its
schema is the one in the OpenAPI document, so that they cannot differ.
A field that is UNSET is left out.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Count = Annotated[int, msgspec.Meta(ge=0)]


class ReplyPart(msgspec.Struct, forbid_unknown_fields=True):
    """Anything inside a reply."""

    def as_dict(self) -> dict[str, Any]:
        """The same as plain Python values; a function among the options as it prints."""
        plain: dict[str, Any] = msgspec.to_builtins(self, enc_hook=repr)
        return plain


class JSONReply(ReplyPart):
    """What every reply has: the version of its shape."""

    version: Literal[1] = 1


class PageName(ReplyPart):
    """A page by its URL and its title."""

    url: str
    title: str | None


class ScoredPage(PageName):
    """A page with its score, and why it has it where that was asked for."""

    score: float
    evidence: dict[str, Any] | UnsetType = UNSET


class VicinitySize(ReplyPart):
    """How much of the graph was read."""

    pages: Count
    links: Count


class ClusterReply(ReplyPart):
    """Results that belong together, by their places from 1, and how alike they are."""

    places: list[Count]
    similarity: float | None


class AnswerReply(JSONReply, kw_only=True):
    """The pages related to a page, or to all of several, best first."""

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


class PlacedPage(PageName):
    """A page, and its place in each list, null where it is not in it."""

    places: list[int | None]


class ComparisonReply(JSONReply, kw_only=True):
    """Where each method puts the pages, what the methods share, and how far they agree."""

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
    """Pages that match what was typed, the most linked first, and how many match in all."""

    pages: list[PageSummary]
    total: Count | UnsetType = UNSET


class CommonPage(PageName):
    """A page that several pages have in common as a neighbour, and with how many it is one."""

    shared: Count
    links_to_it: Count = msgspec.field(name="in")
    links_from_it: Count = msgspec.field(name="out")


class CommonReply(JSONReply, kw_only=True):
    """The pages that link to most of several pages, or that most of these link to."""

    asked: list[str]
    way: Literal["in", "out"]
    found: Count
    pages: list[CommonPage]
    notes: list[str]


class SimilarityReply(JSONReply, kw_only=True):
    """How alike pages are: a row of scores for each."""

    asked: list[str]
    by: str
    options: dict[str, Any]
    pages: list[PageName]
    scores: list[list[float | None]]
    took_ms: float
    notes: list[str]


class RankingReply(JSONReply, kw_only=True):
    """The best pages of the whole graph: by their scores, or by their scores as hubs."""

    by: str
    options: dict[str, Any]
    of: Literal["scores", "hubs"]
    results: list[ScoredPage]
    rounds: Count
    residual: float
    notes: list[str]
