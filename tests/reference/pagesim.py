"""PageSim: PageRank propagated along simple paths, and compared (LLK06, sec. 3)."""

from __future__ import annotations

from tests.reference.plain_graph import PlainGraph, Scores
from tests.reference.ranks import pagerank


def propagated(graph: PlainGraph, radius: int | None, rank: Scores) -> dict[str, Scores]:
    """PG(s, v) for all s and v: what s sends v over every simple path, by s."""
    sent: dict[str, Scores] = {}

    def follow(path: list[str], share: float) -> None:
        page = path[-1]
        received[page] = received.get(page, 0.0) + share
        if radius is not None and len(path) > radius:
            return
        for target in graph.links[page]:
            if target not in path:
                follow([*path, target], share / graph.out_degree(page))

    for source in graph.pages:
        received: Scores = {}
        follow([source], rank[source])
        sent[source] = received
    return sent


def pagesim(
    graph: PlainGraph, query: str, *, radius: int | None = 3, damping: float = 0.85
) -> Scores:
    """The score of every page that shares a source with the query."""
    sent = propagated(graph, radius, pagerank(graph, damping))
    scores = {
        page: sum(min(sent[s].get(query, 0.0), sent[s].get(page, 0.0)) for s in graph.pages)
        for page in graph.pages
    }
    return {page: score for page, score in scores.items() if score > 0 and page != query}
