"""A path, its parameters, and the function that answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whatsrelated.apps.serve.call import Call
from whatsrelated.apps.serve.parameters import NONE, Parameters
from whatsrelated.apps.serve.responses import Response
from whatsrelated.contract.replies import JSONReply


@dataclass(frozen=True)
class Route:
    """A path and what answers it.

    `reply` is the shape of its JSON.  `light`: answered at once, not by a thread
    of the pool; `heavy`: by a thread apart, because it reads the whole graph.
    `cacheable`: the same URL has the same response while the graph is the same.
    `free`: answered without the token.  `page`: for people, not in the API.
    `writable`: takes changed pages, where the server was started so.
    """

    path: str
    answer: Callable[[Call], Response]
    sentence: str
    parameters: Parameters = NONE
    reply: type[JSONReply] | None = None
    post: Callable[[Call], Response] | None = None
    light: bool = False
    heavy: bool = False
    cacheable: bool = True
    free: bool = False
    page: bool = False
    writable: bool = False
    media_type: str = "application/json"
