"""HITS around a page: its parents' surroundings, unweighted (Kle99, as in DH99, sec. 5)."""

from __future__ import annotations

from tests.reference.iteration import best, hubs_and_authorities
from tests.reference.plain_graph import PlainGraph, Scores, Setting


def hits(
    graph: PlainGraph,
    query: str,
    *,
    parents: int = 200,
    inlinks: int = 50,
    tolerance: float = 1e-9,
    max_rounds: int = 1000,
    **options: object,
) -> Scores:
    setting = Setting(graph, [query], **options)  # type: ignore[arg-type]
    stop, site_of = setting.stop, setting.site_of
    sample = setting.parents(query, parents)
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
    authorities, _ = hubs_and_authorities(nodes, edges, edges, tolerance, max_rounds, [query])
    return best(authorities, [query])
