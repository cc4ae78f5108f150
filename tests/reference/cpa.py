"""Co-citation proximity: links close together on a page count more (SG16)."""

from __future__ import annotations

from tests.reference.plain_graph import PlainGraph, Scores, Setting


def cpa(
    graph: PlainGraph, query: str, *, parents: int = 2000, alpha: float = 0.85, **options: object
) -> Scores:
    setting = Setting(graph, [query], **options)  # type: ignore[arg-type]
    scores: Scores = {}
    for parent in setting.parents(query, parents):
        links = graph.links[parent]
        at = links.index(query)
        for place, sibling in enumerate(links):
            if sibling != query and sibling not in setting.stop:
                distance = abs(place - at) if graph.ordered else 1
                scores[sibling] = scores.get(sibling, 0.0) + 1 / distance**alpha
    return scores
