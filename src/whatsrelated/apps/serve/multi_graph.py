"""Several graphs in one server, each under a path of its own.

`/docs/api/related` asks the graph docs; `/` lists the graphs that one may ask, for
people, and `/api/graphs` for programs.  A graph has a server of its own: its cache,
its threads, its metrics; the limits hold for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from whatsrelated.apps.serve import admission
from whatsrelated.apps.serve.access_log import AccessLog, RequestIds, Served
from whatsrelated.apps.serve.admission import Headers
from whatsrelated.apps.serve.app import Server, root_path, run_lifespan
from whatsrelated.apps.serve.cors import Receive, Scope, Send
from whatsrelated.apps.serve.live import Live
from whatsrelated.apps.serve.page import render
from whatsrelated.apps.serve.replies import GraphsReply, GraphSummary
from whatsrelated.apps.serve.responses import (
    HTML,
    HTTPError,
    Response,
    error_response,
    json_response,
)
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.state import PageState
from whatsrelated.apps.serve.tokens import Token, Tokens
from whatsrelated.errors import OptionError

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
TAKEN = ("api", "static")
"""Paths of the server itself."""


class MultiGraphServer:
    """An ASGI application that answers for several graphs."""

    def __init__(self, graphs: dict[str, Live], settings: Settings, tokens: Tokens) -> None:
        self.settings = settings
        self.tokens = tokens
        self._root = root_path(settings)
        self._hosts = admission.allowed_hosts(settings)
        self._log = AccessLog(settings.access_log, settings.log_queries)
        self._ids = RequestIds()
        self.servers: dict[str, Server] = {}
        for name, live in graphs.items():
            if not NAME.fullmatch(name) or name in TAKEN:
                raise OptionError(
                    f"serve: a graph's name has letters, digits, - and _, and is none of "
                    f"{', '.join(TAKEN)}; got {name!r:.80}."
                )
            own = replace(settings, root_path=f"{self._root}/{name}")
            self.servers[name] = Server(live, own, tokens, name=name)

    @property
    def connections(self) -> Callable[[], int]:
        """How many connections the worker holds."""
        return next(iter(self.servers.values())).connections

    @connections.setter
    def connections(self, count: Callable[[], int]) -> None:
        for server in self.servers.values():
            server.connections = count

    def lives(self) -> list[Live]:
        """The graphs that are served."""
        return [server.live for server in self.servers.values()]

    def open(self) -> None:
        """Open every graph."""
        for server in self.servers.values():
            server.open()

    def close(self) -> None:
        """Let the graphs go."""
        for server in self.servers.values():
            server.close()

    def start_worker(self, worker: int) -> None:
        """Turn this forked process into worker number `worker`."""
        for server in self.servers.values():
            server.start_worker(worker)

    def wake(self) -> None:
        """Look for new generations at once."""
        for server in self.servers.values():
            server.wake()

    def start(self) -> None:
        """Begin to look for new generations."""
        for server in self.servers.values():
            server.start()

    def stop(self) -> None:
        """End the threads, and look no more."""
        for server in self.servers.values():
            server.stop()

    def update_gauges(self) -> None:
        """Write down what this worker holds now."""
        for server in self.servers.values():
            server.update_gauges()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await run_lifespan(self.start, self.stop, receive, send)
        elif scope["type"] == "http":
            path = scope["path"].removeprefix(self._root)
            first = path.split("/")[1] if "/" in path else ""
            if first in self.servers:
                await self.servers[first]({**scope, "path": self._root + path}, receive, send)
            elif first == "static":
                await next(iter(self.servers.values()))({**scope, "path": path}, receive, send)
            else:
                await self._respond(path, scope, send)

    async def _respond(self, path: str, scope: Scope, send: Send) -> None:
        """Answer for the server itself."""
        headers: Headers = dict(scope["headers"])
        token: Token | None = None
        try:
            admission.refuse_two_hosts(scope)
            admission.refuse_unknown_host(headers, self._hosts)
            if path != "/api/health":
                token = self.tokens.admit(headers)
            response = self._response(path, scope, token)
        except Exception as error:
            response = error_response(error)
        request = self._ids.next(headers)
        start, body = response.start(False)
        named = [*start["headers"], (b"x-request-id", request.encode())]
        await send({**start, "headers": named})
        await send({"type": "http.response.body", "body": body})
        user = token.name if token else None
        self._log.write(Served(request, scope, headers, response.status, len(body), 0.0, user))

    def _response(self, path: str, scope: Scope, token: Token | None) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPError(405, f"{path:.200} allows GET, HEAD.", allow="GET, HEAD")
        if path == "":
            return Response(b"", status=308, headers={"location": f"{self._root}/"})
        graphs = [self._summary(name) for name in self._asked_by(token)]
        if path == "/":
            text = render("graphs.html", graph=None, graphs=graphs, state=PageState())
            headers = {"cache-control": "no-store"}
            return Response(text.encode("utf-8", "replace"), HTML, headers=headers)
        if path == "/api/graphs":
            return json_response(GraphsReply(graphs=graphs), headers={"cache-control": "no-store"})
        if path == "/api/health":
            whole = all(server.live.trouble is None for server in self.servers.values())
            return json_response({"status": "ok" if whole else "old graph"})
        names = ", ".join(self._asked_by(token))
        raise HTTPError(404, f"No path {path[:200]!r}; there are the graphs {names:.500}.")

    def _asked_by(self, token: Token | None) -> list[str]:
        """The graphs that a token may ask."""
        chosen = None if token is None else token.graphs
        return [name for name in self.servers if chosen is None or name in chosen]

    def _summary(self, name: str) -> GraphSummary:
        graph = self.servers[name].live.served.graph
        return GraphSummary(name, f"{self._root}/{name}/", len(graph), graph.n_links)
