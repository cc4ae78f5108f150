"""The table of all paths."""

from __future__ import annotations

from whatsrelated.apps.serve import (
    answers,
    gaps,
    lookups,
    neighbours,
    page,
    picture,
    ranking,
    similarity,
    vicinity,
)
from whatsrelated.apps.serve.endpoint import Endpoint, always, by_quick_method
from whatsrelated.apps.serve.replies import (
    GapsReply,
    HealthReply,
    LinksReply,
    MethodsReply,
    PictureReply,
    VicinityReply,
)
from whatsrelated.contract.replies import (
    AnswerReply,
    CommonReply,
    ComparisonReply,
    PagesReply,
    RankingReply,
    SimilarityReply,
)

API = (
    Endpoint(
        "/api/related",
        answers.related,
        "Pages related to one page, or to several together.",
        answers.RELATED,
        AnswerReply,
        post=answers.related_to_each,
        quick=by_quick_method,
        example="url={page}&limit=5&why=1",
    ),
    Endpoint(
        "/api/compare",
        answers.compare,
        "Where each method ranks the pages, what they share, and how well they agree.",
        answers.COMPARE,
        ComparisonReply,
        example="url={page}&by=cocitation,companion",
    ),
    Endpoint(
        "/api/similarity",
        similarity.similarity,
        "How similar pages are; a row holds the scores for one page.",
        similarity.SIMILARITY,
        SimilarityReply,
        example="url={page}&url={other}",
    ),
    Endpoint(
        "/api/pages",
        lookups.pages,
        "Pages whose URL, title or name contains a text, the most linked first.",
        lookups.PAGES,
        PagesReply,
        quick=always,
        writable=True,
        example="prefix=a",
    ),
    Endpoint(
        "/api/links",
        lookups.links,
        "The pages that link to a page, and those it links to in page order.",
        lookups.LINKS,
        LinksReply,
        quick=always,
        example="url={page}&limit=10",
    ),
    Endpoint(
        "/api/vicinity",
        vicinity.vicinity,
        "The pages around a page with their roles, and the links between them.",
        vicinity.VICINITY,
        VicinityReply,
        example="url={page}&nodes=20",
    ),
    Endpoint(
        "/api/picture",
        picture.picture,
        "The picture of an answer: its pages, their positions, and the lines between them.",
        picture.PICTURE,
        PictureReply,
        example="url={page}",
    ),
    Endpoint(
        "/api/common",
        neighbours.common,
        "The neighbours that several pages share.",
        neighbours.COMMON,
        CommonReply,
        example="url={page}&url={other}",
    ),
    Endpoint(
        "/api/rank",
        ranking.rank,
        "The best pages of the graph, by a rank.",
        ranking.RANK,
        RankingReply,
        heavy=True,
        example="by=hits&top=5",
    ),
    Endpoint(
        "/api/gaps",
        gaps.gaps,
        "What the site's owner should fix: missing links, broken links, and so on.",
        gaps.GAPS,
        GapsReply,
        heavy=True,
        example="top=10",
    ),
    Endpoint(
        "/api/methods",
        lookups.methods,
        "Every method and rank with its options, defaults and bounds.",
        reply=MethodsReply,
        light=True,
    ),
    Endpoint(
        "/api/health",
        lookups.health,
        "Whether the server is healthy, and which generation of the graph it serves.",
        reply=HealthReply,
        light=True,
        cacheable=False,
        free=True,
    ),
    Endpoint(
        "/metrics",
        lookups.metrics,
        "Counters for Prometheus, summed over all workers.",
        light=True,
        cacheable=False,
        media_type="text/plain",
    ),
    Endpoint("/openapi.json", page.openapi, "The OpenAPI document.", light=True),
)

PAGES = (
    Endpoint("/", page.page, "The page.", page=True, quick=by_quick_method),
    Endpoint(
        "/ranks",
        page.ranks_page,
        "The best pages of the graph.",
        ranking.RANK,
        page=True,
        heavy=True,
    ),
    Endpoint(
        "/gaps",
        gaps.gaps_page,
        "What the site's owner should fix.",
        gaps.GAPS,
        page=True,
        heavy=True,
    ),
    Endpoint("/graph", page.graph_page, "Facts about the graph.", page=True),
    Endpoint(
        "/picture.svg",
        picture.svg,
        "The picture of an answer, as a file.",
        picture.PICTURE,
        page=True,
    ),
    Endpoint("/api", page.api_page, "The API, as a page.", page=True, quick=always),
)

TABLE: dict[str, Endpoint] = {each.path: each for each in (*API, *PAGES)}
