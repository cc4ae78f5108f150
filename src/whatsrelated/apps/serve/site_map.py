"""`/map`: the map of the whole graph, with its clusters, as in the gaps report.

A script searches it: every page is a dot with a name. The list of clusters beside it works without
a script.
"""

from __future__ import annotations

from typing import Any

from whatsrelated.api import Graph
from whatsrelated.apps.gaps.picture import SiteMap, map_of
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.page import MAX_MAPPED, html, is_mapped
from whatsrelated.apps.serve.responses import HTTPResponse
from whatsrelated.apps.serve.state import PageState

MAX_NAMED = 5
"""Number of pages listed for each cluster."""


def map_page(call: Call) -> HTTPResponse:
    """The map of the whole graph."""
    graph, state = call.served.graph, call.where.state(PageState())
    drawn = call.served.derived("map", draw_map)
    if drawn is None:
        return html(
            call, "map.html", state=state, cacheable=True, picture=None, max_pages=MAX_MAPPED
        )
    clusters = [_cluster(graph, drawn, number) for number in range(len(drawn.members))]
    picture = drawn.svg(state.to)
    return html(call, "map.html", state=state, cacheable=True, picture=picture, clusters=clusters)


def _cluster(graph: Graph, drawn: SiteMap, number: int) -> dict[str, Any]:
    """A cluster's name, its size and its most linked pages."""
    best = drawn.most_linked(number)[:MAX_NAMED].tolist()
    pages = [graph.summary(page) for page in best]
    return {"name": drawn.names[number], "pages": len(drawn.members[number]), "best": pages}


def draw_map(graph: Graph) -> SiteMap | None:
    """The map of a graph; None if it has too many pages."""
    return map_of(SiteStructure(graph.store)) if is_mapped(graph) else None
