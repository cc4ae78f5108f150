"""`/api/picture` and `/picture.svg`: the picture of an answer, or of the vicinity, to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whatsrelated.apps.serve.answers import CHOICE, URLS, answer_one
from whatsrelated.apps.serve.call import Call
from whatsrelated.apps.serve.parameters import Parameter, Parameters
from whatsrelated.apps.serve.picture import draw_hubs
from whatsrelated.apps.serve.responses import Response, json_response
from whatsrelated.apps.serve.scene import FRAMES, draw_answer
from whatsrelated.options import Option
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whatsrelated.apps.serve.replies import PictureReply
    from whatsrelated.query.answer import Answer

VIEWS = ("answer", "hubs")

PICTURE = Parameters(
    "picture",
    own={
        "url": URLS,
        "view": Parameter(
            Option("answer", "the answer, or the hubs and authorities around", choices=VIEWS)
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
    if view == "hubs":
        return [draw_hubs(graph, answer, FRAMES[frame]) for frame in frames]
    deadline = call.time_to_stop()
    return [draw_answer(graph, answer, FRAMES[frame], deadline) for frame in frames]


def picture(call: Call) -> Response:
    """The picture as data."""
    drawn, cacheable = _drawn(call)
    return json_response(drawn, cacheable=cacheable)


def svg(call: Call) -> Response:
    """The picture as a file of its own."""
    from whatsrelated.apps.serve.page import render

    drawn, cacheable = _drawn(call)
    body = render("picture.svg", picture=drawn).encode("utf-8", "replace")
    headers = {"content-disposition": 'attachment; filename="related.svg"'}
    return Response(body, media_type="image/svg+xml", cacheable=cacheable, headers=headers)


def _drawn(call: Call) -> tuple[Any, bool]:
    values = call.values()
    answer, cacheable = answer_one(call, values)
    return draw(call, answer, values.own["view"], [values.own["frame"]])[0], cacheable
