"""HITS around a page: its parents' surroundings, unweighted (Kle99, as told in DH99, sec. 5)."""

from __future__ import annotations

from tests.reference.iteration import best, hubs_and_authorities
from tests.reference.plain_graph import NONE, PlainGraph, Scores


def hits(
    graph: PlainGraph,
    query: str,
    *,
    parents: int = 200,
    inlinks: int = 50,
    tolerance: float = 1e-9,
    max_rounds: int = 1000,
    site: str = "auto",
    seed: int = 0,
    stop: frozenset[str] = NONE,
) -> Scores:
    stop = graph.stop_pages(stop, [query])
    site_of = graph.site_for([query], site)
    sample = graph.sampled_parents(query, parents, seed, stop)
    nodes = {query, *sample}
    for page in [query, *sample]:
        nodes.update(child for child in graph.links[page] if child not in stop)
    for parent in sample:
        nodes.update(graph.best_parents(parent, inlinks, stop=stop))
    edges = {
        (p, q): 1.0
        for p in sorted(nodes)
        for q in graph.links[p]
        if q in nodes and site_of(p) != site_of(q)
    }
    authorities, _ = hubs_and_authorities(nodes, edges, edges, tolerance, max_rounds)
    return best(authorities, [query])
