"""Serve several graphs, each under its own path.

`/docs/api/related` queries the graph docs.  `/` lists the graphs that a client may query, for
people, and `/api/graphs` for programs.  Each graph has its own cache, threads, metrics and limits.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from whatsrelated.apps.serve import static
from whatsrelated.apps.serve.app import Server, not_found
from whatsrelated.apps.serve.front import Front
from whatsrelated.apps.serve.live import Live
from whatsrelated.apps.serve.page import render
from whatsrelated.apps.serve.replies import GraphsReply, GraphSummary
from whatsrelated.apps.serve.responses import HTML, NOT_CACHED, HTTPResponse, json_response
from whatsrelated.apps.serve.routes import TABLE
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.state import PageState
from whatsrelated.apps.serve.tokens import Token, Tokens
from whatsrelated.errors import OptionError

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
RESERVED = ("api", "static")
"""Paths of the server itself."""


class MultiGraphServer:
    """An ASGI application that answers for several graphs."""

    def __init__(self, graphs: dict[str, Live], settings: Settings, tokens: Tokens) -> None:
        self.settings = settings
        self.servers: dict[str, Server] = {}
        for name, live in graphs.items():
            if not NAME.fullmatch(name) or name in RESERVED:
                raise OptionError(
                    f"serve: a graph's name may contain letters, digits, - and _, and must not be "
                    f"{', '.join(RESERVED)}; got {name!r:.80}."
                )
            self.servers[name] = Server(live, settings, tokens, name=name)
        other_paths = GraphList(self.servers, settings, tokens)
        self._router = Router(default=other_paths, lifespan=self._lifespan)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to its graph as Mount would, without the cost of routing."""
        if scope["type"] == "http":
            root = scope.get("root_path", "")
            name, slash, _ = scope["path"].removeprefix(root)[1:].partition("/")
            if slash and (server := self.servers.get(name)) is not None:
                await server({**scope, "root_path": f"{root}/{name}"}, receive, send)
                return
        await self._router(scope, receive, send)

    @asynccontextmanager
    async def _lifespan(self, app: object) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for server in self.servers.values():
                await stack.enter_async_context(server.lifespan(app))
            yield


class GraphList(Front):
    """Everything outside the graphs: the list of graphs, and the server's health."""

    free = frozenset(["/api/health", *static.paths()])

    def __init__(self, servers: dict[str, Server], settings: Settings, tokens: Tokens) -> None:
        self.servers = servers
        paths = [
            Route("/", self._page),
            Route("/api/graphs", self._graphs),
            Route("/api/health", self._health),
            *(Route(f"/{name}", self._first_page) for name in servers),
            static.mount(),
        ]
        super().__init__(Router(paths, redirect_slashes=False, default=not_found), settings, tokens)

    async def _page(self, request: Request) -> HTTPResponse:
        graphs = self._summaries(request)
        text = render("graphs.html", graph=None, graphs=graphs, state=PageState())
        return HTTPResponse(text.encode("utf-8", "replace"), HTML, headers=NOT_CACHED)

    async def _graphs(self, request: Request) -> HTTPResponse:
        return json_response(GraphsReply(graphs=self._summaries(request)), headers=NOT_CACHED)

    async def _health(self, request: Request) -> HTTPResponse:
        whole = all(server.live.trouble is None for server in self.servers.values())
        return json_response({"status": "ok" if whole else "old graph"})

    async def _first_page(self, request: Request) -> RedirectResponse:
        return RedirectResponse(f"{request.scope['path']}/", 308)

    def explained(self, path: str, scope: Scope, error: Exception) -> Exception:
        if isinstance(error, HTTPException) and error.status_code == 404:
            root, names = scope.get("root_path", ""), self._names(scope["token"])
            listed, known = ", ".join(names), path if path in TABLE else "/"
            first = f"; a path begins with the name of a graph ({listed:.500}), such as "
            way = f"{first}{root}/{names[0]}{known}." if names else "."
            return HTTPException(404, f"No path {root + path[:200]!r}{way}")
        return super().explained(path, scope, error)

    def _names(self, token: Token | None) -> list[str]:
        """The graphs that a token may query."""
        chosen = None if token is None else token.graphs
        return [name for name in self.servers if chosen is None or name in chosen]

    def _summaries(self, request: Request) -> list[GraphSummary]:
        root = request.scope.get("root_path", "")
        listed = []
        for name in self._names(request.scope["token"]):
            graph = self.servers[name].live.served.graph
            listed.append(GraphSummary(name, f"{root}/{name}/", len(graph), graph.n_links))
        return listed
