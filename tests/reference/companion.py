"""Companion: authorities of the query's vicinity (DH99, sec. 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference.iteration import Edge, best, hubs_and_authorities
from tests.reference.plain_graph import PlainGraph, Scores, Setting


@dataclass
class Companions:
    """The answer, and the vicinity it was read from."""

    scores: Scores
    authorities: dict[str, float]
    hubs: dict[str, float]
    nodes: set[str]
    merged: dict[str, str]
    edges: set[Edge]


def companion(
    graph: PlainGraph,
    queries: str | Sequence[str],
    *,
    parents: int = 2000,
    siblings: int | str = 8,
    children: int = 40,
    coparents: int = 8,
    merge: bool = True,
    near_links: int = 10,
    near_share: float = 0.95,
    weights: bool = True,
    tolerance: float = 1e-9,
    max_rounds: int = 1000,
    **options: object,
) -> Companions:
    queries = [queries] if isinstance(queries, str) else list(queries)
    setting = Setting(graph, queries, **options)  # type: ignore[arg-type]
    stop, site_of = setting.stop, setting.site_of

    nodes = set(queries)
    for query in queries:
        for parent in setting.parents(query, parents):
            nodes.add(parent)
            size = len(graph.links[parent]) if siblings == "all" else int(siblings)
            nodes.update(setting.window(parent, query, size))
        for child in graph.first_children(query, children, stop):
            nodes.add(child)
            nodes.update(graph.best_parents(child, coparents, queries, stop))

    edges = {
        (p, q) for p in nodes for q in graph.links[p] if q in nodes and site_of(p) != site_of(q)
    }

    name_of = {node: node for node in nodes}
    if merge:

        def alike(a: str, b: str) -> bool:
            return graph.near_duplicates(a, b, near_links, near_share)

        for group in graph.merged(sorted(nodes), alike):
            asked = [query for query in queries if query in group]
            named = min(asked or group, key=lambda p: (-graph.in_degree(p), graph.number[p]))
            name_of.update(dict.fromkeys(group, named))
        edges = {(name_of[p], name_of[q]) for p, q in edges}
        edges = {(p, q) for p, q in edges if p != q}

    into = Counter((site_of(p), q) for p, q in edges)
    out_of = Counter((p, site_of(q)) for p, q in edges)
    ordered = sorted(edges)
    authorities, hubs = hubs_and_authorities(
        set(name_of.values()),
        {(p, q): 1 / into[site_of(p), q] if weights else 1 for p, q in ordered},
        {(p, q): 1 / out_of[p, site_of(q)] if weights else 1 for p, q in ordered},
        tolerance,
        max_rounds,
        queries,
    )
    return Companions(best(authorities, queries), authorities, hubs, nodes, name_of, edges)
