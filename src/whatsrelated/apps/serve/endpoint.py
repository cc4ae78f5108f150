"""A path of the server, with its parameters and the function that answers it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from whatsrelated.apps.serve.destinations import SERVER, Destinations
from whatsrelated.apps.serve.parameters import NONE, Parameters, Values
from whatsrelated.apps.serve.responses import HTTPResponse
from whatsrelated.contract.replies import JSONReply

if TYPE_CHECKING:
    from whatsrelated.api.limits import Limits
    from whatsrelated.apps.serve.app import Server
    from whatsrelated.apps.serve.live import ServedGraph

QUICK_METHODS = frozenset(["cocitation"])
"""Methods that answer within milliseconds."""


@dataclass(slots=True)
class Call:
    """One request to an endpoint, with the generation of the graph it uses and its deadline.

    `limits` apply while a thread of the pool answers. `anonymous` means that the client did not
    send a token although the server requires one. `overloaded` means that the server is busy and
    may sample fewer parents; `sampled_fewer` means that it did. `where` holds the link targets of a
    page.
    """

    server: Server
    served: ServedGraph
    endpoint: Endpoint
    query: bytes
    deadline: float
    root: str = ""
    anonymous: bool = False
    overloaded: bool = False
    body: bytes = b""
    sampled_fewer: bool = False
    limits: Limits | None = None
    where: Destinations = SERVER

    def values(self) -> Values:
        """The checked values of the endpoint's parameters."""
        parameters = self.endpoint.parameters
        return parameters.read(parameters.fields(self.query))

    def time_to_stop(self) -> float:
        """When a method should stop and return what it has, so the answer is sent before the
        deadline.

        Methods that cannot stop, and reasons for results, are cut off at the deadline itself.
        """
        return time.monotonic() + 0.8 * (self.deadline - time.monotonic())


@dataclass(frozen=True)
class Endpoint:
    """A path and the function that answers it, as an ASGI application inside a Server.

    `reply` is the type of its JSON. A `light` endpoint is answered at once, not by a thread of the
    pool; a `heavy` one by a separate thread, because it reads the whole graph. `quick` tests
    whether a query string takes little work, so it does not have to wait for others. `cacheable`
    means that the same URL has the same response until the graph changes. `free` means that no
    token is needed. `page` marks a page for people that is not in the API. `writable` means that it
    accepts changed pages if the server was started with --writable. `example` is an example query
    string, with {page} and {other} for two pages.
    """

    path: str
    answer: Callable[[Call], HTTPResponse]
    sentence: str
    parameters: Parameters = NONE
    reply: type[JSONReply] | None = None
    post: Callable[[Call], HTTPResponse] | None = None
    light: bool = False
    heavy: bool = False
    quick: Callable[[bytes], bool] | None = None
    cacheable: bool = True
    free: bool = False
    page: bool = False
    writable: bool = False
    media_type: str = "application/json"
    example: str = ""

    def methods(self, writable: bool) -> list[str]:
        """The HTTP methods it allows; GET includes HEAD."""
        if self.writable and writable:
            return ["GET", "POST", "DELETE"]
        return ["GET", "POST"] if self.post else ["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server: Server = scope["app"]
        response = await server.respond(self, Request(scope, receive))
        await response(scope, receive, send)


def always(query: bytes) -> bool:
    """An endpoint that is quick for every query string."""
    return True


def by_quick_method(query: bytes) -> bool:
    """Whether a query string names no page, or uses only quick methods."""
    fields = parse_qsl(query.decode("latin-1"))
    methods = {value for name, value in fields if name in ("by", "with")}
    has_page = any(name == "url" for name, _ in fields)
    return not has_page or (bool(methods) and methods <= QUICK_METHODS)
