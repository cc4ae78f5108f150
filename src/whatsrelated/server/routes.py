"""The table of all paths."""

from __future__ import annotations

from whatsrelated.server import (
    answers,
    lookups,
    page,
    picture,
    questions,
    ranking,
    similarity,
    static,
)
from whatsrelated.server.questions import BY, URL, WHY
from whatsrelated.server.route import Route

ONE = frozenset(["url"])

TABLE: dict[str, Route] = {
    route.path: route
    for route in (
        Route(
            "/api/related",
            answers.related,
            "The pages related to a page, or to all of several.",
            options={"url": URL, "by": BY, "why": WHY},
            repeated=ONE,
            required=ONE,
            whole=True,
            post=answers.related_to_each,
            schema="Answer",
        ),
        Route(
            "/api/compare",
            answers.compare,
            "Where each method puts the pages, what they share, and how far they agree.",
            options=answers.COMPARED,
            repeated=frozenset(["url", "by"]),
            required=frozenset(["url", "by"]),
            whole=True,
            schema="Comparison",
        ),
        Route(
            "/api/similarity",
            similarity.similarity,
            "How alike pages are: a row is what the whole list of one gives the others.",
            options={**similarity.COMPARED, **similarity.all_options()},
            repeated=ONE,
            required=ONE,
            schema="Similarity",
        ),
        Route(
            "/api/pages",
            lookups.pages,
            "Pages whose URL, title or name has this in it, the most linked first.",
            options=lookups.PREFIX,
            schema="Pages",
        ),
        Route(
            "/api/links",
            lookups.links,
            "The pages that link to a page, and those it links to in page order.",
            options=lookups.LINKS,
            required=ONE,
            schema="Links",
        ),
        Route(
            "/api/vicinity",
            picture.vicinity,
            "The pages around a page with their roles, and the links between them.",
            options=picture.NODES,
            repeated=ONE,
            required=ONE,
            schema="Vicinity",
        ),
        Route(
            "/api/rank",
            ranking.rank,
            "The best pages of the whole graph, by a rank.",
            options={**ranking.TOP, **ranking.all_options()},
            repeated=questions.LISTS,
            heavy=True,
            schema="Ranked",
        ),
        Route(
            "/api/methods",
            lookups.methods,
            "Every method with its options, their defaults and bounds.",
            light=True,
            schema="Methods",
        ),
        Route(
            "/api/health",
            lookups.health,
            "Whether the server answers, and from which generation of the graph.",
            light=True,
            keep=False,
            free=True,
            schema="Health",
        ),
        Route(
            "/metrics",
            lookups.metrics,
            "Counts for Prometheus, of all workers together.",
            light=True,
            keep=False,
            kind="text/plain",
        ),
        Route(
            "/openapi.json",
            page.openapi,
            "This document.",
            light=True,
            schema="Document",
        ),
        Route("/", page.page, "The page.", page=True),
        Route("/ranks", page.ranks_page, "The best pages of the graph.", page=True, heavy=True),
        Route("/api", page.api_page, "The API, as a page.", page=True),
        *(
            Route(
                path,
                static.file,
                "A file of the page.",
                light=True,
                keep=False,
                page=True,
                free=True,
            )
            for path in static.paths()
        ),
    )
}
