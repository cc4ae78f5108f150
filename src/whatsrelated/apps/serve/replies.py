"""Replies that only the server sends; those that the command also prints are in `contract`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from whatsrelated.apps.gaps.findings import (
    BrokenLink,
    MissingLink,
    PageGroup,
    RedirectingLink,
    SitePage,
)
from whatsrelated.contract.replies import Count, JSONReply, PageName, ReplyPart

Role = Literal["query", "parent", "sibling", "child", "co-parent"]
NodeKind = Literal["query", "result", "hub", "authority", "child"]
EdgeKind = Literal["link", "beside", "same links", "path", "hub", "alike"]


class Problem(ReplyPart):
    """An error: what went wrong, and how to fix it."""

    status: int
    kind: str
    sentence: str
    nearest: str | UnsetType | None = UNSET
    candidates: list[str] | UnsetType = UNSET


class ErrorReply(ReplyPart):
    """The shape of every error."""

    error: Problem


class AnswersReply(JSONReply, kw_only=True):
    """An answer or an error for each query in a list."""

    answers: Annotated[
        list[Any],
        msgspec.Meta(
            extra_json_schema={
                "items": {
                    "anyOf": [
                        {"$ref": "#/components/schemas/AnswerReply"},
                        {"$ref": "#/components/schemas/ErrorReply"},
                    ]
                }
            }
        ),
    ]


class LinkedPage(PageName):
    """The page at the other end of a link, with the anchor text if the graph has it."""

    text: str | UnsetType | None = UNSET


class LinksReply(JSONReply, kw_only=True):
    """A page, the pages that link to it, and the pages it links to, in page order."""

    url: str
    title: str | None
    links_to_it: Count = msgspec.field(name="in")
    links_from_it: Count = msgspec.field(name="out")
    links_in: list[LinkedPage] | UnsetType = UNSET
    links_out: list[LinkedPage] | UnsetType = UNSET


class VicinityNode(PageName):
    """A page of a vicinity, with its roles and scores."""

    roles: list[Role]
    hub: float
    authority: float
    links_to_it: Count = msgspec.field(name="in")
    links_from_it: Count = msgspec.field(name="out")


class VicinityReply(JSONReply, kw_only=True):
    """The pages around a page, and the links between those shown."""

    asked: list[str]
    answered_for: list[str]
    pages: Count
    links: Count
    roles: dict[str, Count]
    nodes: list[VicinityNode]
    edges: list[tuple[Count, Count]]
    notes: list[str]


class PictureNode(PageName, kw_only=True):
    """A page in a picture: its role, strength, group and position."""

    kind: NodeKind
    place: Count = 0
    score: float = 0.0
    strength: float = 0.0
    links_to_it: Count = msgspec.field(name="in")
    group: Count = 0
    x: float = 0.0
    y: float = 0.0
    radius: float
    label: list[str] = msgspec.field(default_factory=list)
    side: Literal["below", "right", "left", "above"] = "below"


class PictureEdge(ReplyPart):
    """A line between two pages of a picture, and the reason for it."""

    source: Count
    target: Count
    kind: EdgeKind
    weight: float


class PictureRing(ReplyPart, kw_only=True):
    """A ring around the centre: `inside` is the grade of the results just within it, written at
    (x, y) if there is room.
    """

    radius: float
    inside: str
    x: float | None = None
    y: float | None = None


class PictureReply(JSONReply, kw_only=True):
    """A picture: pages and the lines between them, within a frame."""

    asked: list[str]
    answered_for: list[str]
    by: str
    view: Literal["answer", "hubs"]
    width: float
    height: float
    groups: list[str]
    nodes: list[PictureNode]
    edges: list[PictureEdge]
    rings: list[PictureRing]


class GapsReply(JSONReply, kw_only=True):
    """Suggested fixes for the site's owner; the counts cover the complete lists."""

    counts: dict[str, Count | None]
    pages: Count
    links: Count
    missing: list[MissingLink]
    orphans: list[SitePage]
    only_navigation: list[SitePage]
    dead_ends: list[SitePage]
    under_linked: list[SitePage]
    broken: list[BrokenLink]
    redirects: list[RedirectingLink]
    hubs: list[SitePage]
    duplicates: list[PageGroup]
    islands: list[PageGroup]
    unchecked_pages: Count
    unchecked_links: Count
    suggested: Count
    dismissed: Count
    notes: list[str]


class MentionReply(ReplyPart):
    """Words on a page that could be a link, with their place: a file of the folder, and the line
    and column counted from 1.
    """

    source: str
    target: str
    target_title: str | None
    score: float
    file: str
    line: Count
    column: Count
    anchor: str
    before: str
    after: str


class MentionsReply(JSONReply, kw_only=True):
    """Where a page is mentioned without a link, and what it mentions itself."""

    page: str
    incoming: list[MentionReply]
    outgoing: list[MentionReply]
    notes: list[str]


class OptionReply(ReplyPart):
    """An option: its default, bounds, description and the paper's symbol."""

    name: str
    kind: str
    default: Any
    sentence: str
    symbol: str
    low: float | None
    open_low: bool
    high: float | None
    choices: list[str]
    words: list[str]


class OwnerReply(ReplyPart):
    """A method or a rank with its options."""

    name: str
    sentence: str
    options: list[OptionReply]


class MethodsReply(JSONReply, kw_only=True):
    """Every method and rank with its options, and the options that all methods share."""

    default: str
    methods: list[OwnerReply]
    common: list[OptionReply]
    ranks: list[OwnerReply]


class HealthReply(JSONReply, kw_only=True):
    """Whether the server is healthy, and which graph it serves."""

    status: Literal["ok", "old graph"]
    trouble: str | None
    program: str
    kernels: str
    pages: Count
    links: Count
    fingerprint: str
    switches: Count
    running: Count
    waiting: Count


class GraphSummary(ReplyPart):
    """One graph of a server that has several."""

    name: str
    path: str
    pages: Count
    links: Count


class GraphsReply(JSONReply, kw_only=True):
    """The graphs that the client may query."""

    graphs: list[GraphSummary]
