"""`/api/picture` and `/picture.svg`: a picture of an answer, or of the hubs around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whatsrelated import Companion
from whatsrelated.api.asking import QUERY, Request
from whatsrelated.apps.serve.answers import CHOICE, URLS, answer_one
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.layout import lines_in
from whatsrelated.apps.serve.parameters import Parameter, Parameters
from whatsrelated.apps.serve.replies import NodeKind, PictureEdge, PictureNode, PictureReply
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.apps.serve.scene import FRAMES, Frame, bare, draw_answer, draw_page
from whatsrelated.apps.serve.vicinity import shown_places
from whatsrelated.options import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whatsrelated import Answer
    from whatsrelated.api import Graph

VIEWS = ("answer", "hubs")
QUERY_ROW = 56.0
"""Height of a query page with its name above the hubs and authorities."""

PICTURE = Parameters(
    "picture",
    path_parameters={
        "url": URLS,
        "view": Parameter(
            Option("answer", "the answer, or the hubs and authorities around it", choices=VIEWS)
        ),
        "frame": Parameter(
            Option("wide", "for a wide screen or a narrow one", choices=tuple(FRAMES))
        ),
    },
    choice=CHOICE,
    common=Request,
)


def draw(call: Call, answer: Answer, view: str, frames: Sequence[str]) -> list[PictureReply]:
    """The picture of an answer in each of the frames."""
    graph = call.served.graph
    shown = [FRAMES[frame] for frame in frames]
    if view == "hubs":
        return [draw_hubs(graph, answer, frame) for frame in shown]
    return draw_answer(graph, answer, shown, call.time_to_stop())


def draw_hubs(graph: Graph, answer: Answer, frame: Frame) -> PictureReply:
    """The hubs and authorities around the pages of an answer, in two columns."""
    store = graph.store
    pages = list(dict.fromkeys(store.page(url) for url in answer.answered_for))
    around = Companion().authorities(graph.question(pages))
    row = min(QUERY_ROW, frame.height / 2 / len(pages))
    column = int((frame.height - row * len(pages)) // (2.3 * frame.letters))
    places = shown_places(around, 2 * column + len(pages)).tolist()
    best = [max(float(scores.max()), 1e-9) for scores in (around.hub, around.authority)]
    sides: dict[NodeKind, list[tuple[float, PictureNode]]] = {
        "query": [],
        "hub": [],
        "authority": [],
    }
    kept = []
    for place in places:
        ways = [float(around.hub[place]) / best[0], float(around.authority[place]) / best[1]]
        kind: NodeKind = "hub" if ways[0] > ways[1] else "authority"
        if around.vicinity.roles[place] & QUERY:
            kind = "query"
        if kind == "query" or len(sides[kind]) < column:
            node = draw_page(store, int(around.vicinity.pages[place]), kind)
            node.strength, node.score = max(ways), max(ways)
            node.radius = 16.0 if kind == "query" else 5 + 7 * max(ways) ** 0.5
            sides[kind].append((max(ways), node))
            kept.append((place, node))
    for kind, listed in sides.items():
        best_first = [node for _, node in sorted(listed, key=lambda one: -one[0])]
        _stand_in_column(best_first, kind, row, row * len(pages), frame)
    numbers = {place: number for number, (place, _) in enumerate(kept)}
    starts, targets = around.vicinity.starts, around.vicinity.targets
    return PictureReply(
        asked=answer.asked,
        answered_for=answer.answered_for,
        by=Companion.name,
        view="hubs",
        width=frame.width,
        height=frame.height,
        groups=[],
        nodes=[node for _, node in kept],
        edges=[
            PictureEdge(number, numbers[target], "hub", 1)
            for place, number in numbers.items()
            for target in targets[starts[place] : starts[place + 1]].tolist()
            if target in numbers
        ],
        rings=[],
    )


def _stand_in_column(
    nodes: Sequence[PictureNode], kind: NodeKind, row: float, column_top: float, frame: Frame
) -> None:
    """Place the query pages at the top, and below them hubs on the left and authorities on the
    right, with the best in the middle of each column.
    """
    x = {"query": 0.5, "hub": 0.38, "authority": 0.62}[kind] * frame.width
    size, room = frame.letters, 0.38 * frame.width - 20
    if kind == "query":
        size, room = 1.13 * (frame.letters + 2), frame.width - 20
    lines = lines_in([node.title or bare(node.url) for node in nodes], room, size)
    step = min((frame.height - column_top) / max(len(nodes), 1), 60.0)
    middle = (frame.height + column_top - (step if len(nodes) % 2 == 0 else 0)) / 2
    for place, (node, label) in enumerate(zip(nodes, lines, strict=True)):
        turn = (place + 1) // 2 * (1 if place % 2 else -1)
        y = row * (place + 0.4) if kind == "query" else middle + turn * step
        node.x, node.y = x, round(y, 1)
        node.label = label if kind != "query" or row == QUERY_ROW else []
        node.side = {"hub": "left", "authority": "right"}.get(kind, "below")  # type: ignore[assignment]


def picture(call: Call) -> HTTPResponse:
    """The picture as JSON."""
    drawn, cacheable = _drawn(call)
    return json_response(drawn, cacheable=cacheable)


def svg(call: Call) -> HTTPResponse:
    """The picture as an SVG file."""
    from whatsrelated.apps.serve.page import render

    drawn, cacheable = _drawn(call)
    body = render("picture.svg", picture=drawn).encode("utf-8", "replace")
    headers = {"content-disposition": 'attachment; filename="related.svg"'}
    return HTTPResponse(body, media_type="image/svg+xml", cacheable=cacheable, headers=headers)


def _drawn(call: Call) -> tuple[Any, bool]:
    values = call.values()
    answer, cacheable = answer_one(call, values)
    return draw(call, answer, values.path_values["view"], [values.path_values["frame"]])[
        0
    ], cacheable
