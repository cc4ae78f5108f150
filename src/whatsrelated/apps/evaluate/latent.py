"""Show how lli computes its similarities for chosen queries: HZ03's Table 8 and Fig. 4.

For each page, by parents and by children, it shows bcp, dd and the similarity. The first, bcp, is
the fraction of the query's parents (or children) that the page has too. The second, dd, falls with
the number of shared parents and with their number of links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated import Lli
from whatsrelated.apps.evaluate.contenders import Contender
from whatsrelated.apps.evaluate.tables import ResultTable
from whatsrelated.errors import RelatedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.outcome import Outcome


@dataclass(frozen=True, slots=True)
class LatentSimilarities:
    """Pages by parents or children, most similar first, using k of r singular values.

    `method` is lli with its options.
    """

    query: str
    method: str
    by: str
    k: int
    r: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """HZ03's three numbers for a page."""

    url: str
    related: bool
    bcp: float
    dd: float
    similarity: float


LLI = Contender("lli", Lli())
MAX_POINTS = 30
"""Maximum number of pages listed by parents, and by children."""
MAX_RESULTS = 200
"""Number of lli results that these pages are taken from."""


def similarities(
    graph: Graph, outcome: Outcome, query: str, contender: Contender = LLI
) -> list[LatentSimilarities]:
    """The similarities by parents and by children; a kind without results is left out."""
    similarities_by_kind = []
    request = {**dict(contender.request), "limit": MAX_RESULTS, "chop": False}
    answer = graph.related(query, by=contender.method, **request)
    (query_page,) = answer.answered_for
    gold = outcome.golds.get(query_page, {})
    for name, by in (("back", "parents"), ("forward", "children")):
        known = [(result.url, result.evidence.get(name)) for result in answer]
        pages = [(url, numbers) for url, numbers in known if numbers]
        pages.sort(key=lambda pair: -pair[1]["similarity"])
        if pages:
            points = tuple(
                Point(url, gold.get(url, 0) > 0, values["bcp"], values["dd"], values["similarity"])
                for url, values in pages[:MAX_POINTS]
            )
            first = pages[0][1]
            kept = (first["k"], first["r"])
            similarities_by_kind.append(
                LatentSimilarities(query_page, contender.label, by, *kept, points)
            )
    return similarities_by_kind


def of_queries(
    graph: Graph, outcome: Outcome, queries: Sequence[str], contender: Contender = LLI
) -> list[LatentSimilarities]:
    """The similarities for these queries; by default, for the query with the most gold found."""
    if queries:
        return [each for q in queries for each in similarities(graph, outcome, q, contender)]
    hits = {
        query: sum(outcome.scores[label][query].precision for label in outcome.labels)
        for query in outcome.golds
    }
    for query in sorted(hits, key=lambda query: -hits[query])[:5]:
        try:
            shown = similarities(graph, outcome, query, contender)
        except RelatedError:
            continue
        if shown:
            return shown
    return []


def table(shown: LatentSimilarities) -> ResultTable:
    """HZ03's Table 8, by parents or by children."""
    return ResultTable(
        f"HZ03, Table 8. {shown.query}, {shown.method} by {shown.by}",
        f"How lli computes its similarities: bcp is the fraction of the query's {shown.by} that a "
        f"page has too; dd falls with the number of shared {shown.by} and with their number of "
        f"links; {shown.k} of {shown.r} singular values are used.",
        ("page", "related", "bcp", "dd", "similarity"),
        tuple((p.url, "yes" if p.related else "", p.bcp, p.dd, p.similarity) for p in shown.points),
    )
