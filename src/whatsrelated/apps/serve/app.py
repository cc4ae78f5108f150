"""The application: what happens to a request between the socket and the methods.

1. Who may ask: the name that the server is called by, the bearer token, how often.
2. The path: a dict of routes; what is in no table is no route.
3. The cache: a response sent before, or 304 where the client has it already
   and the graph is the same (ETag by the graph's fingerprint).
4. Otherwise a thread of the pool answers before the deadline, or the query is refused.
5. The response: compressed where the client accepts gzip, counted, sent, logged.

It is a plain ASGI application: on a cached response, a framework's layers
would cost more than all the rest.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from importlib import metadata
from typing import Any

from whatsrelated.apps.serve import admission, openapi, routes
from whatsrelated.apps.serve.access_log import AccessLog, RequestIds, Served, client, refusals
from whatsrelated.apps.serve.admission import Headers
from whatsrelated.apps.serve.call import Call
from whatsrelated.apps.serve.connection import LEAVING
from whatsrelated.apps.serve.cors import Receive, Scope, Send
from whatsrelated.apps.serve.live import Live, ServedGraph
from whatsrelated.apps.serve.metrics import Metrics
from whatsrelated.apps.serve.page import error_page
from whatsrelated.apps.serve.pool import Busy, Late, Pool
from whatsrelated.apps.serve.rates import Rates
from whatsrelated.apps.serve.responses import (
    JSON,
    LEAST_COMPRESSED,
    HTTPError,
    Response,
    error_response,
    json_response,
)
from whatsrelated.apps.serve.route import Route
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.stored import StoredAnswers
from whatsrelated.apps.serve.tokens import Token, Tokens, one_token, refuse_other_graph
from whatsrelated.apps.serve.writing import Writer, read_deletions, read_pages
from whatsrelated.errors import OptionError
from whatsrelated.kernels.scratch import keep_within, question_limits
from whatsrelated.query.stop_lists import state_of

MOST_QUERY = 60_000
WRITES = 4
"""Requests with changed pages that wait to be merged together."""
LONGEST_WRITE = 120.0
"""Seconds that a change may take to be merged."""
JSON_LINES = "application/x-ndjson"


class Server:
    """An ASGI application that answers for one graph."""

    def __init__(
        self,
        live: Live,
        settings: Settings | None = None,
        token: str | Tokens | None = None,
        metrics: Metrics | None = None,
        name: str = "",
    ) -> None:
        """`name` is what a token calls the graph, where a token is not for every graph."""
        self.live = live
        self.name = name
        self.settings = settings or Settings()
        self.metrics = metrics or Metrics(routes.TABLE, self.settings.workers)
        self.pool = Pool(self.settings.threads, self.settings.queue)
        self.heavy = Pool(1, 4)
        self.writes = Pool(WRITES, self.settings.queue)
        self.writer = Writer(live, live.path) if self.settings.writable and live.path else None
        self.stored_answers = (
            StoredAnswers(self.settings.answers) if self.settings.answers else None
        )
        self.connections: Callable[[], int] = lambda: 0
        version = f"{metadata.version('whatsrelated')} {self.settings.stop}"
        self._version = hashlib.blake2b(version.encode(), digest_size=4).hexdigest()
        self.tokens = token if isinstance(token, Tokens) else one_token(token)
        self._rates = (
            Rates(self.settings.rate / self.settings.workers) if self.settings.rate else None
        )
        self._log = AccessLog(self.settings.access_log, self.settings.log_queries)
        self._ids = RequestIds()
        self._hosts = admission.allowed_hosts(self.settings)
        self._root = root_path(self.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await run_lifespan(self.start, self.stop, receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    def lives(self) -> list[Live]:
        """The graphs that are served."""
        return [self.live]

    def open(self) -> None:
        """Open the graph, so that a wrong one is an error at once."""
        self.live.open()
        if self.stored_answers is not None:
            self.stored_answers.require_for(self.live.served.graph)

    def close(self) -> None:
        """Let the graph go: this process only watches the workers."""
        self.live.close()

    def start_worker(self, worker: int) -> None:
        """Turn this forked process into worker number `worker`."""
        self.metrics.row = worker
        self.live.look()

    def wake(self) -> None:
        """Look for a new generation at once."""
        self.live.wake()

    def start(self) -> None:
        """Begin to look for new generations."""
        self._watch = asyncio.ensure_future(self.live.watch(self.settings.watch, self.metrics))

    def stop(self) -> None:
        """End the threads, and look no more."""
        self._watch.cancel()
        for pool in (self.pool, self.heavy, self.writes):
            pool.stop()

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        path = self._path_of(scope)
        headers: Headers = dict(scope["headers"])
        route = routes.TABLE.get(path)
        request = self._ids.next(headers)
        asked_by: list[str] = []
        try:
            admission.refuse_two_hosts(scope)
            self._admit(route, scope, headers, asked_by)
            response = await self._response(route, scope, headers, receive)
        except Exception as error:
            response = self._error(route, error, request)
        start, body = response.start(_accepts_gzip(headers))
        named = [*start["headers"], (b"x-request-id", request.encode())]
        await send({**start, "headers": named})
        await send({"type": "http.response.body", "body": body})
        seconds = time.perf_counter() - begun
        self.metrics.count_request(route.path if route else "other", response.status, seconds)
        user = asked_by[0] if asked_by else None
        self._log.write(Served(request, scope, headers, response.status, len(body), seconds, user))

    def _path_of(self, scope: Scope) -> str:
        """The path without the one that a proxy shows the server under, if it is left on."""
        path: str = scope["path"]
        return path.removeprefix(self._root) if path.startswith(f"{self._root}/") else path

    async def _response(
        self, route: Route | None, scope: Scope, headers: Headers, receive: Receive
    ) -> Response:
        if route is None and scope["path"] == self._root:
            return Response(b"", status=308, headers={"location": f"{self._root}/"})
        if route is None:
            raise HTTPError(404, f"No path {scope['path'][:200]!r}; /openapi.json lists all paths.")
        method = scope["method"]
        if route.writable and self.writer and method in ("POST", "DELETE"):
            return await self._write(self.writer, method, scope, headers, receive)
        if method not in ("GET", "HEAD") and not (method == "POST" and route.post):
            allowed = "GET, HEAD, POST" if route.post else "GET, HEAD"
            raise HTTPError(405, f"{route.path} allows {allowed}, not {method:.20}.", allow=allowed)
        if len(scope["query_string"]) > MOST_QUERY:
            raise HTTPError(414, f"A query string may have {MOST_QUERY:,} bytes.")
        served = self.live.served
        if method == "POST":
            body = await admission.read_body(self.settings, scope, headers, receive, JSON)
            response = await self._compute(route, served, scope, headers, body)
            response.headers = {**response.headers, "cache-control": "no-store"}
            return response
        if not route.cacheable:
            return await self._compute(route, served, scope, headers)
        etag = self._etag(served)
        if etag.encode() in headers.get(b"if-none-match", b""):
            return Response(b"", status=304, headers=_cache_headers(etag))
        return await self._cached(route, served, scope, headers, etag)

    async def _cached(
        self, route: Route, served: ServedGraph, scope: Scope, headers: Headers, etag: str
    ) -> Response:
        """The response from the cache, else computed and put there."""
        key = (f"{route.path} {etag}", scope["query_string"])
        response = served.cache.get(key)
        if response is not None:
            self.metrics.add("cache_hits")
            return response
        response = await self._compute(route, served, scope, headers)
        if response.cacheable:
            response.headers = {**response.headers, **_cache_headers(etag)}
            served.cache.put(key, response)
        else:
            response.headers = {**response.headers, "cache-control": "no-store"}
        return response

    async def _write(
        self, writer: Writer, method: str, scope: Scope, headers: Headers, receive: Receive
    ) -> Response:
        """Take changed pages into the graph."""
        if method == "POST":
            body = await admission.read_body(self.settings, scope, headers, receive, JSON_LINES)
            write = read_pages(body)
        else:
            write = read_deletions(scope["query_string"])
        deadline = time.monotonic() + max(self.settings.deadline, LONGEST_WRITE)
        reply = await self.writes.run(lambda: writer.merge(write), deadline)
        return json_response(reply)

    def _etag(self, served: ServedGraph) -> str:
        """What an answer depends on besides its question: the graph, the program, the settings."""
        stop = "".join(f"-{number:x}" for number in state_of(self.settings.stop) or ())
        return f'"{served.graph.store.fingerprint}-{self._version}{stop}"'

    def _admit(
        self, route: Route | None, scope: Scope, headers: Headers, asked_by: list[str]
    ) -> None:
        """Refuse an unknown host (a page that rebinds its name), and a client that may not ask.

        Whose token it is goes to `asked_by`, for the log.
        """
        admission.refuse_unknown_host(headers, self._hosts)
        token: Token | None = None
        try:
            if not (route and route.free):
                token = self.tokens.admit(headers)
        finally:
            if self._rates is not None and not (route and route.free):
                self._rates.admit(client(scope) if token is None else f"token {token.name}")
        if token is not None:
            asked_by.append(token.name)
        refuse_other_graph(token, self.name)

    async def _compute(
        self,
        route: Route,
        served: ServedGraph,
        scope: Scope,
        headers: Headers,
        body: bytes | None = None,
    ) -> Response:
        """The response of the route's function, from a thread of the pool where it takes time."""
        answer = route.answer if body is None or route.post is None else route.post
        settings = self.settings
        call = Call(
            server=self,
            served=served,
            route=route,
            query=scope["query_string"],
            deadline=time.monotonic() + settings.deadline,
            overloaded=settings.busy_parents > 0
            and self.pool.waiting * 2 >= max(settings.queue, 1),
            body=body or b"",
        )
        if route.light:
            return answer(call)
        gzipped = _accepts_gzip(headers)

        limits = call.limits = question_limits(call.deadline, settings.memory << 20)

        def work() -> Response:
            with keep_within(limits):
                response = answer(call)
            if gzipped and len(response.body) >= LEAST_COMPRESSED:
                response.compress()
            return response

        response = await (self.heavy if route.heavy else self.pool).run(
            work, call.deadline, cancel=limits.cancel, leaving=scope.get(LEAVING)
        )
        if call.sampled_fewer:
            self.metrics.add("sampled_fewer")
        if served.graph.store.generation is not None:
            number = str(served.graph.store.generation)
            response.headers = {**response.headers, "graph-generation": number}
        return response

    def _error(self, route: Route | None, error: Exception, request: str) -> Response:
        if isinstance(error, Busy | Late):
            self.metrics.add("refused" if isinstance(error, Busy) else "late")
        response = error_page(error) if route and route.page else error_response(error)
        if response.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            refusals.error("That was request %s.", request)
        return response

    def document(self) -> dict[str, Any]:
        """The OpenAPI document of all routes."""
        return openapi.document(routes.TABLE.values(), self._root)

    def update_gauges(self) -> None:
        """Write down what this worker holds now."""
        self.metrics.put("running", self.pool.running)
        self.metrics.put("waiting", self.pool.waiting)
        self.metrics.put("cached_bytes", self.live.cached_bytes)
        self.metrics.put("connections", self.connections())


def _accepts_gzip(headers: Headers) -> bool:
    return b"gzip" in headers.get(b"accept-encoding", b"")


def _cache_headers(etag: str) -> dict[str, str]:
    return {"etag": f"W/{etag}", "cache-control": "no-cache"}


def root_path(settings: Settings) -> str:
    """The path that the server is shown under: nothing, or /a/path."""
    path = settings.root_path.strip("/")
    if not re.fullmatch(r"[\w.~/-]*", path, re.ASCII):
        raise OptionError(f"serve: root_path must be a path, got {settings.root_path!r:.80}.")
    return f"/{path}" if path else ""


async def run_lifespan(
    start: Callable[[], None], stop: Callable[[], None], receive: Receive, send: Send
) -> None:
    """The life of an application: what begins and what ends with it."""
    await receive()
    start()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    stop()
    await send({"type": "lifespan.shutdown.complete"})
