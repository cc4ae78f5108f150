"""The application that serves one graph: it turns a request into a response.

`Front` has already admitted the request and checked the cache. Then:

1. Starlette finds the endpoint for the path (`routes`);
2. a thread of the pool answers before the deadline, or the query is rejected;
3. a response that is the same for every client is cached, under an ETag derived from the graph's
   fingerprint.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from whatsrelated import __version__
from whatsrelated.api.asking import state_of
from whatsrelated.api.limits import keep_within, question_limits
from whatsrelated.apps.serve import files, openapi, routes, static
from whatsrelated.apps.serve.access_log import Exchange
from whatsrelated.apps.serve.connection import LEAVING
from whatsrelated.apps.serve.endpoint import Call, Endpoint
from whatsrelated.apps.serve.front import Front, path_of, read_body
from whatsrelated.apps.serve.live import Live, ServedGraph
from whatsrelated.apps.serve.metrics import Metrics
from whatsrelated.apps.serve.page import error_page
from whatsrelated.apps.serve.pool import Busy, Late, Pool
from whatsrelated.apps.serve.rates import client_of
from whatsrelated.apps.serve.responses import (
    JSON,
    MIN_COMPRESSED,
    NOT_CACHED,
    HTTPResponse,
    accepts_gzip,
    accepts_html,
    json_response,
)
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.stored import StoredAnswers
from whatsrelated.apps.serve.tokens import Headers, Tokens, one_token, refuse_read_only
from whatsrelated.apps.serve.writing import GraphWriter, read_deletions, read_pages

MAX_QUERY = 60_000
WRITES = 4
"""Maximum number of writes waiting to be merged together."""
LONGEST_WRITE = 120.0
"""Time limit for merging a change, in seconds."""
JSON_LINES = "application/x-ndjson"


class Server(Front):
    """An ASGI application that answers for one graph."""

    endpoints = routes.TABLE
    free = frozenset([*(each.path for each in routes.TABLE.values() if each.free), *static.paths()])

    def __init__(
        self,
        live: Live,
        settings: Settings | None = None,
        token: str | Tokens | None = None,
        metrics: Metrics | None = None,
        name: str = "",
    ) -> None:
        settings = settings or Settings()
        self.live = live
        self.metrics = metrics or Metrics([*routes.TABLE, *static.paths()], settings.workers)
        self.pool = Pool(settings.threads, settings.queue)
        self.quick = Pool(1, settings.queue)
        self.heavy = Pool(1, 4)
        self.writes = Pool(WRITES, settings.queue)
        self.writer = GraphWriter(live, live.path) if settings.writable and live.path else None
        self.stored_answers = StoredAnswers(settings.answers) if settings.answers else None
        self.connections: Callable[[], int] = lambda: 0
        version = f"{__version__} {settings.of_queries()}"
        self._version = hashlib.blake2b(version.encode(), digest_size=4).hexdigest()
        writable = self.writer is not None
        router = Router(
            [
                *(
                    Route(path, each, methods=each.methods(writable))
                    for path, each in routes.TABLE.items()
                ),
                static.mount(),
                Route("/files/{path:path}", files.file),
            ],
            redirect_slashes=False,
            default=not_found,
            lifespan=self.lifespan,
        )
        tokens = token if isinstance(token, Tokens) else one_token(token)
        super().__init__(router, settings, tokens, name)

    @property
    def servers(self) -> dict[str, Server]:
        """The server of each graph, by name, as in a MultiGraphServer."""
        return {self.name or "": self}

    def open(self) -> None:
        """Open the graph, so that a damaged one is an error at once."""
        self.live.open()
        if self.stored_answers is not None:
            self.stored_answers.require_for(self.live.served.graph)

    def close(self) -> None:
        """Release the graph, since this process only watches the workers."""
        self.live.close()

    def start_worker(self, worker: int) -> None:
        """Turn this forked process into worker number `worker`."""
        self.metrics.row = worker
        self.live.look()

    def wake(self) -> None:
        """Check for a new generation immediately."""
        self.live.wake()

    @asynccontextmanager
    async def lifespan(self, app: object) -> AsyncIterator[None]:
        """Check for new generations while the server runs, then stop the threads."""
        self.live.served.prepare()
        watching = asyncio.ensure_future(self.live.watch(self.settings.watch, self.metrics))
        yield
        watching.cancel()
        for pool in (self.pool, self.quick, self.heavy, self.writes):
            pool.stop()

    def cached(self, path: str, scope: Scope, headers: Headers) -> ASGIApp | None:
        """The cached response, or 304 if the client has it."""
        endpoint = routes.TABLE.get(path)
        if endpoint is None or not endpoint.cacheable or scope["method"] not in ("GET", "HEAD"):
            return None
        served = self.live.served
        etag = self._etag(served)
        if etag.encode() in headers.get(b"if-none-match", b""):
            return HTTPResponse(b"", status=304, headers=_cache_headers(etag))
        response = served.cache.get((f"{path} {etag}", scope["query_string"]))
        if response is not None:
            self.metrics.add("cache_hits")
        return response

    async def respond(self, endpoint: Endpoint, request: Request) -> HTTPResponse:
        """Answer a request that is not in the cache."""
        if self.writer and endpoint.writable and request.method in ("POST", "DELETE"):
            return await self._write(self.writer, request)
        query = request.scope["query_string"]
        if len(query) > MAX_QUERY:
            raise HTTPException(414, f"A query string may have at most {MAX_QUERY:,} bytes.")
        served = self.live.served
        if request.method == "POST":
            refuse_read_only(request.scope["token"] if endpoint.page else None)
            body = await read_body(self.settings, request, JSON)
            response = await self._compute(endpoint, served, request.scope, body)
            response.headers.update(NOT_CACHED)
            return response
        response = await self._compute(endpoint, served, request.scope)
        if response.cacheable and endpoint.cacheable:
            etag = self._etag(served)
            response.headers.update(_cache_headers(etag))
            served.cache.put((f"{endpoint.path} {etag}", query), response)
        elif endpoint.cacheable:
            response.headers.update(NOT_CACHED)
        return response

    async def _write(self, writer: GraphWriter, request: Request) -> HTTPResponse:
        """Merge changed pages into the graph."""
        refuse_read_only(request.scope["token"])
        if request.method == "POST":
            write = read_pages(await read_body(self.settings, request, JSON_LINES))
        else:
            write = read_deletions(request.scope["query_string"])
        deadline = time.monotonic() + max(self.settings.deadline, LONGEST_WRITE)
        return json_response(await self.writes.run(lambda: writer.merge(write), deadline))

    def _etag(self, served: ServedGraph) -> str:
        """Everything an answer depends on besides the query: the graph, the version and the
        settings.
        """
        files = map(state_of, self.settings.of_queries().values())
        state = "".join(f"-{number:x}" for numbers in files for number in numbers or ())
        return f'"{served.graph.store.fingerprint}-{self._version}{state}"'

    async def _compute(
        self, endpoint: Endpoint, served: ServedGraph, scope: Scope, body: bytes | None = None
    ) -> HTTPResponse:
        """The endpoint's response, computed in a thread of the pool if it takes time."""
        answer = endpoint.answer if body is None or endpoint.post is None else endpoint.post
        settings = self.settings
        half_full = self.pool.waiting * 2 >= max(settings.queue, 1)
        call = Call(
            server=self,
            served=served,
            endpoint=endpoint,
            query=scope["query_string"],
            deadline=time.monotonic() + settings.deadline,
            root=scope.get("root_path", ""),
            anonymous=bool(self.tokens) and scope["token"] is None,
            overloaded=settings.busy_parents > 0 and half_full,
            body=body or b"",
        )
        if endpoint.light:
            return answer(call)
        gzipped = accepts_gzip(scope)
        limits = call.limits = question_limits(call.deadline, settings.memory << 20)

        def work() -> HTTPResponse:
            with keep_within(limits):
                response = answer(call)
            if gzipped and len(response.body) >= MIN_COMPRESSED:
                response.compress()
            return response

        response = await self._pool_for(endpoint, scope, body).run(
            work,
            call.deadline,
            cancel=limits.cancel,
            leaving=scope.get(LEAVING),
            client=client_of(scope),
        )
        if call.sampled_fewer:
            self.metrics.add("sampled_fewer")
        if served.graph.store.generation is not None:
            response.headers["graph-generation"] = str(served.graph.store.generation)
        return response

    def _pool_for(self, endpoint: Endpoint, scope: Scope, body: bytes | None) -> Pool:
        """The threads for a request; a quick request does not wait for slow ones."""
        if endpoint.heavy:
            return self.heavy
        if self.pool.size < self.pool.threads or body is not None or endpoint.quick is None:
            return self.pool
        return self.quick if endpoint.quick(scope["query_string"]) else self.pool

    def error(self, path: str, scope: Scope, error: Exception) -> HTTPResponse:
        """The response to a failed request, as HTML if a page was requested."""
        if isinstance(error, Busy | Late):
            self.metrics.add("refused" if isinstance(error, Busy) else "late")
        if isinstance(error, HTTPException) and error.status_code == 404:
            root = scope.get("root_path", "")
            sentence = f"No path {root + path[:200]!r}; {root}/openapi.json lists all paths."
            error = HTTPException(404, sentence)
        endpoint = routes.TABLE.get(path)
        # Relative links on the page assume a path with a single segment.
        mistyped = endpoint is None and path.count("/") == 1 and accepts_html(scope)
        if mistyped or (endpoint is not None and endpoint.page):
            return error_page(self.explained(path, scope, error))
        return super().error(path, scope, error)

    def record(self, exchange: Exchange) -> None:
        self.metrics.count_request(exchange.path, exchange.status, exchange.seconds)
        super().record(exchange)

    def document(self, root: str) -> dict[str, Any]:
        """The OpenAPI document of all endpoints, for a server at the path `root`."""
        return openapi.document(routes.TABLE.values(), root)

    def update_gauges(self) -> None:
        """Record the worker's current gauges."""
        self.metrics.put("running", self.pool.running)
        self.metrics.put("waiting", self.pool.waiting)
        self.metrics.put("cached_bytes", self.live.cached_bytes)
        self.metrics.put("connections", self.connections())


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """Redirect from the application's path to its start page; any other path is unknown."""
    if path_of(scope):
        raise HTTPException(404)
    await RedirectResponse(f"{scope['path']}/", 308)(scope, receive, send)


def _cache_headers(etag: str) -> dict[str, str]:
    return {"etag": f"W/{etag}", "cache-control": "no-cache"}
