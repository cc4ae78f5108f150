"""The application: what happens to a request between the socket and the methods.

1. Who may ask: the name that the server is called by, and the bearer token.
2. The path: a dict of routes; what is in no table is no route.
3. What is known already: a kept reply, or 304 where the asker holds the reply
   and the graph is the same (ETag by the graph's fingerprint).
4. Otherwise a thread of the pool answers, before the deadline, or is refused.
5. The reply: packed where the asker takes gzip, counted, sent.

It is a plain ASGI application: on a reply that is kept, a framework's layers
would cost more than all the rest.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Awaitable, Callable, MutableMapping
from importlib import metadata
from typing import Any

from whatsrelated.server import openapi, routes
from whatsrelated.server.live import Live, Serving
from whatsrelated.server.metrics import Board
from whatsrelated.server.page import wrong_page
from whatsrelated.server.pool import Busy, Late, Pool
from whatsrelated.server.replies import WORTH_PACKING, Reply, Wrong, error_reply
from whatsrelated.server.route import Ask, Route
from whatsrelated.server.settings import Settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = dict[bytes, bytes]

MOST_QUERY = 60_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


class Server:
    """An ASGI application that answers for one graph."""

    def __init__(
        self,
        live: Live,
        settings: Settings | None = None,
        token: str | None = None,
        board: Board | None = None,
    ) -> None:
        self.live = live
        self.settings = settings or Settings()
        self.board = board or Board(routes.TABLE, self.settings.workers)
        self.pool = Pool(self.settings.threads, self.settings.queue)
        self.heavy = Pool(1, 4)
        self.connections: Callable[[], int] = lambda: 0
        told = f"{metadata.version('whatsrelated')} {self.settings.stop}"
        self._mark = hashlib.blake2b(told.encode(), digest_size=4).hexdigest()
        self._token = token.encode() if token else None
        self._names = _names(self.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        watch = None
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                watch = asyncio.ensure_future(self.live.watch(self.settings.watch, self.board))
                await send({"type": "lifespan.startup.complete"})
            else:
                if watch:
                    watch.cancel()
                self.pool.stop()
                self.heavy.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        path: str = scope["path"]
        headers: Headers = dict(scope["headers"])
        route = routes.TABLE.get(path)
        try:
            reply = await self._reply(route, scope, headers, receive)
        except Exception as error:
            reply = self._refusal(route, error)
        start, body = reply.start(_takes_gzip(headers))
        await send({**start})
        await send({"type": "http.response.body", "body": body})
        seconds = time.perf_counter() - begun
        self.board.request(route.path if route else "other", reply.status, seconds)

    async def _reply(
        self, route: Route | None, scope: Scope, headers: Headers, receive: Receive
    ) -> Reply:
        self._admit(route, headers)
        if route is None:
            raise Wrong(404, f"There is no {scope['path'][:200]!r} here; /openapi.json lists all.")
        method = scope["method"]
        if method not in ("GET", "HEAD") and not (method == "POST" and route.post):
            allowed = "GET, HEAD, POST" if route.post else "GET, HEAD"
            raise Wrong(
                405, f"{route.path} is asked by {allowed}, not {method:.20}.", allow=allowed
            )
        if len(scope["query_string"]) > MOST_QUERY:
            raise Wrong(414, f"A query string may have {MOST_QUERY:,} bytes.")
        serving = self.live.serving
        if method == "POST":
            return await self._posted(route, serving, scope, headers, receive)
        if not route.keep:
            return await self._made(route, serving, scope, headers)
        etag = self._etag(serving)
        if etag.encode() in headers.get(b"if-none-match", b""):
            return Reply(b"", status=304, headers=_kept_headers(etag))
        key = (route.path, scope["query_string"])
        reply = serving.answers.get(key)
        if reply is not None:
            self.board.add("cache_hits")
            return reply
        reply = await self._made(route, serving, scope, headers)
        if reply.keep:
            reply.headers = {**reply.headers, **_kept_headers(etag)}
            serving.answers.put(key, reply)
        else:
            reply.headers = {**reply.headers, "cache-control": "no-store"}
        return reply

    def _etag(self, serving: Serving) -> str:
        """What an answer depends on besides its question: the graph, the program, the settings."""
        return f'"{serving.graph.store.fingerprint}-{self._mark}"'

    def _admit(self, route: Route | None, headers: Headers) -> None:
        """Refuse who calls by another name (a page that rebinds its name), or has no token."""
        if self._names is not None:
            name = headers.get(b"host", b"").decode("latin-1").lower()
            if name.rpartition(":")[0] not in self._names and name not in self._names:
                raise Wrong(
                    421, f"This server is not called {name!r:.80}; --hosts tells it that it is."
                )
        if self._token is None or (route and route.free):
            return
        if not hmac.compare_digest(_token_in(headers), self._token):
            challenge = 'Bearer, Basic realm="whatsrelated", charset="UTF-8"'
            raise Wrong(
                401, "A token is needed: Authorization: Bearer …", www_authenticate=challenge
            )

    async def _made(
        self,
        route: Route,
        serving: Serving,
        scope: Scope,
        headers: Headers,
        body: bytes | None = None,
    ) -> Reply:
        answer = route.answer if body is None or route.post is None else route.post
        settings = self.settings
        ask = Ask(
            server=self,
            serving=serving,
            route=route,
            query=scope["query_string"],
            deadline=time.monotonic() + settings.deadline,
            thin=settings.busy_parents > 0 and self.pool.waiting * 2 >= max(settings.queue, 1),
            body=body or b"",
        )
        if route.light:
            return answer(ask)
        packed = _takes_gzip(headers)

        def work() -> Reply:
            reply = answer(ask)
            if packed and len(reply.body) >= WORTH_PACKING:
                reply.pack()
            return reply

        reply = await (self.heavy if route.heavy else self.pool).run(work, ask.deadline)
        if ask.thinned:
            self.board.add("thinned")
        return reply

    async def _posted(
        self, route: Route, serving: Serving, scope: Scope, headers: Headers, receive: Receive
    ) -> Reply:
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if kind != b"application/json":
            raise Wrong(415, f"{route.path} takes application/json.")
        try:
            async with asyncio.timeout(self.settings.patience):
                body = await self._body(headers, receive)
        except TimeoutError:
            raise Wrong(408, "The body of the request did not come.", connection="close") from None
        reply = await self._made(route, serving, scope, headers, body)
        reply.headers = {**reply.headers, "cache-control": "no-store"}
        return reply

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        room = self.settings.body * 1024
        told = headers.get(b"content-length", b"0")
        body = bytearray()
        more = not told.isdigit() or int(told) <= room
        if not more:
            body.extend(bytes(room + 1))
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Wrong(400, "The body of the request ended early.")
            body.extend(message.get("body", b""))
            more = message.get("more_body", False) and len(body) <= room
        if len(body) > room:
            raise Wrong(
                413, f"A body may have {self.settings.body:,} kB at most.", connection="close"
            )
        return bytes(body)

    def _refusal(self, route: Route | None, error: Exception) -> Reply:
        if isinstance(error, Busy | Late):
            self.board.add("refused" if isinstance(error, Busy) else "late")
        return wrong_page(error) if route and route.page else error_reply(error)

    def document(self) -> dict[str, Any]:
        """The OpenAPI document of all routes."""
        return openapi.document(routes.TABLE.values())

    def gauge(self) -> None:
        """Put down what this worker holds now."""
        self.board.put("running", self.pool.running)
        self.board.put("waiting", self.pool.waiting)
        self.board.put("cached_bytes", self.live.cached_bytes)
        self.board.put("connections", self.connections())


def _takes_gzip(headers: Headers) -> bool:
    return b"gzip" in headers.get(b"accept-encoding", b"")


def _kept_headers(etag: str) -> dict[str, str]:
    return {"etag": f"W/{etag}", "cache-control": "no-cache"}


def _names(settings: Settings) -> frozenset[str] | None:
    """The names that the server may be called by; None for any."""
    own = [name.strip().lower() for name in (settings.hosts or "").split(",") if name.strip()]
    if "*" in own or (settings.host not in LOOPBACK and not own):
        return None
    return frozenset([*LOOPBACK, settings.host, *own])


def _token_in(headers: Headers) -> bytes:
    """The bearer token, or the password that a browser asked for."""
    scheme, _, value = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() == b"bearer":
        return value.strip()
    if scheme.lower() == b"basic":
        try:
            return base64.b64decode(value, validate=True).partition(b":")[2]
        except binascii.Error:
            return b""
    return b""
