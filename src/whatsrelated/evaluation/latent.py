"""How lli comes to its similarities, for chosen queries: HZ03's Table 8 and Fig. 4.

For each page of the two halves: bcp, the share of the query's parents (children)
that it has in common with it; dd, which falls the more of them it shares and the
busier these are; and the similarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.errors import RelatedError
from whatsrelated.evaluation.tables import Table
from whatsrelated.methods.lli import Lli

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whatsrelated.api import Graph
    from whatsrelated.evaluation.outcome import Outcome

SHOWN = 30
"""How many pages of a half are shown."""
FOUND = 200
"""How many pages of the answer the two halves are taken from."""


@dataclass(frozen=True, slots=True)
class Point:
    """HZ03's three numbers of a page."""

    url: str
    related: bool
    bcp: float
    dd: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Half:
    """The pages of one half, the most similar first; k of r singular values were kept."""

    query: str
    by: str
    k: int
    r: int
    points: tuple[Point, ...]


def halves(graph: Graph, outcome: Outcome, query: str, method: Lli | None = None) -> list[Half]:
    """The two halves of a query; none where it has no parents or no children in common."""
    found = []
    answer = graph.related(query, by=method or Lli(), limit=FOUND, chop=False)
    gold = outcome.golds.get(answer.answered_for[0], {})
    for name, by in (("back", "parents"), ("forward", "children")):
        told = [(result.url, result.evidence.get(name)) for result in answer]
        held = [(url, numbers) for url, numbers in told if numbers]
        held.sort(key=lambda pair: -pair[1]["similarity"])
        if held:
            points = tuple(
                Point(url, gold.get(url, 0) > 0, own["bcp"], own["dd"], own["similarity"])
                for url, own in held[:SHOWN]
            )
            found.append(Half(answer.answered_for[0], by, held[0][1]["k"], held[0][1]["r"], points))
    return found


def chosen(graph: Graph, outcome: Outcome, queries: Sequence[str]) -> list[Half]:
    """The halves of chosen queries; where none is chosen, of the one with the most gold found."""
    if queries:
        return [half for query in queries for half in halves(graph, outcome, query)]
    hits = {
        query: sum(outcome.scores[label][query].precision for label in outcome.labels)
        for query in outcome.golds
    }
    for query in sorted(hits, key=lambda query: -hits[query])[:5]:
        try:
            found = halves(graph, outcome, query)
        except RelatedError:
            continue
        if found:
            return found
    return []


def table(half: Half) -> Table:
    """HZ03's Table 8 for one half."""
    return Table(
        f"HZ03, Table 8. {half.query}, by {half.by}",
        f"How lli comes to its similarities: bcp is the share of the query's {half.by} that a page "
        f"has in common with it, dd falls with their number and the busier they are; {half.k} of "
        f"{half.r} singular values kept.",
        ("page", "related", "bcp", "dd", "similarity"),
        tuple((p.url, "yes" if p.related else "", p.bcp, p.dd, p.similarity) for p in half.points),
    )
