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
from whatsrelated.apps.serve.endpoint import Endpoint
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
        "The pages related to a page, or to all of several.",
        answers.RELATED,
        AnswerReply,
        post=answers.related_to_each,
        example="url={page}&limit=5&why=1",
    ),
    Endpoint(
        "/api/compare",
        answers.compare,
        "Where each method puts the pages, what they share, and how far they agree.",
        answers.COMPARE,
        ComparisonReply,
        example="url={page}&by=cocitation,companion",
    ),
    Endpoint(
        "/api/similarity",
        similarity.similarity,
        "How alike pages are: a row is what the whole list of one gives the others.",
        similarity.SIMILARITY,
        SimilarityReply,
        example="url={page}&url={other}",
    ),
    Endpoint(
        "/api/pages",
        lookups.pages,
        "Pages whose URL, title or name has this in it, the most linked first.",
        lookups.PAGES,
        PagesReply,
        writable=True,
        example="prefix=a",
    ),
    Endpoint(
        "/api/links",
        lookups.links,
        "The pages that link to a page, and those it links to in page order.",
        lookups.LINKS,
        LinksReply,
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
        "The picture of an answer: its pages, where they stand, and the lines between them.",
        picture.PICTURE,
        PictureReply,
        example="url={page}",
    ),
    Endpoint(
        "/api/common",
        neighbours.common,
        "The pages that link to most of several pages, or that most of these link to.",
        neighbours.COMMON,
        CommonReply,
        example="url={page}&url={other}",
    ),
    Endpoint(
        "/api/rank",
        ranking.rank,
        "The best pages of the whole graph, by a rank.",
        ranking.RANK,
        RankingReply,
        heavy=True,
        example="by=hits&top=5",
    ),
    Endpoint(
        "/api/gaps",
        gaps.gaps,
        "What the owner of the site should mend: links that are missing, broken, and so on.",
        gaps.GAPS,
        GapsReply,
        heavy=True,
        example="top=10",
    ),
    Endpoint(
        "/api/methods",
        lookups.methods,
        "Every method and every rank with its options, their defaults and bounds.",
        reply=MethodsReply,
        light=True,
    ),
    Endpoint(
        "/api/health",
        lookups.health,
        "Whether the server answers, and from which generation of the graph.",
        reply=HealthReply,
        light=True,
        cacheable=False,
        free=True,
    ),
    Endpoint(
        "/metrics",
        lookups.metrics,
        "Counts for Prometheus, of all workers together.",
        light=True,
        cacheable=False,
        media_type="text/plain",
    ),
    Endpoint("/openapi.json", page.openapi, "The OpenAPI document.", light=True),
)

PAGES = (
    Endpoint("/", page.page, "The page.", page=True),
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
        "What the owner of the site should mend.",
        gaps.GAPS,
        page=True,
        heavy=True,
    ),
    Endpoint("/graph", page.graph_page, "The facts of the graph.", page=True),
    Endpoint(
        "/picture.svg",
        picture.svg,
        "The picture of an answer, as a file.",
        picture.PICTURE,
        page=True,
    ),
    Endpoint("/api", page.api_page, "The API, as a page.", page=True),
)

TABLE: dict[str, Endpoint] = {each.path: each for each in (*API, *PAGES)}
