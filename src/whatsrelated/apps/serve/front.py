"""Middleware in front of an application: access control, the cache and common headers.

It sees a request before Starlette routes it:

1. It rejects an unknown host, a client without a token, and a client that sends too many requests.
2. It answers from the cache if possible. A cached response never reaches Starlette, whose routing
   takes as long as everything else together.
3. Otherwise the application answers; an exception becomes an error in one place.
4. It adds the common headers and writes the access log.

Starlette's TrustedHostMiddleware cannot do the first step: it redirects some requests, answers 400
instead of 421, and does not tell the user how to allow the host.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whatsrelated.apps.serve.access_log import AccessLog, Exchange, RequestIds, refusals
from whatsrelated.apps.serve.rates import Rates, client_of
from whatsrelated.apps.serve.responses import RAW_SECURITY, HTTPResponse, error_response
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.tokens import Headers, Tokens, refuse_other_graph


class Front:
    """An ASGI middleware in front of an application."""

    free: frozenset[str] = frozenset()
    """Paths that do not need a token; a wrong token is still rejected and counted."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        tokens: Tokens | None = None,
        name: str | None = None,
    ) -> None:
        """`name` is the graph that a token must allow, if any."""
        self.app = app
        self.settings = settings
        self.tokens = tokens or Tokens()
        self.name = name
        self._hosts = settings.allowed_hosts()
        self._rates = Rates(settings.rate / settings.workers) if settings.rate else None
        self._log = AccessLog(settings.access_log, settings.log_queries)
        self._ids = RequestIds()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        headers: Headers = dict(scope["headers"])
        request = self._ids.next(headers)
        added = [*RAW_SECURITY, (b"x-request-id", request.encode())]
        if self.settings.cors is None:
            added.append((b"cross-origin-resource-policy", b"same-origin"))
        status = size = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *added]}
            else:
                size += len(message["body"])
            await send(message)

        scope["app"] = self
        path = path_of(scope)
        try:
            self.admit(path, scope, headers)
            response = self.cached(path, scope, headers) or self.app
            await response(scope, receive, send_with_headers)
        except Exception as error:
            if status:
                raise
            await self.error(path, scope, error)(scope, receive, send_with_headers)
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            refusals.error("That was request %s.", request)
        seconds = time.perf_counter() - begun
        self.record(Exchange(path, scope, headers, request, status, size, seconds))

    def admit(self, path: str, scope: Scope, headers: Headers) -> None:
        """Raise HTTPException if the client is not allowed; otherwise add its token to the
        scope."""
        if sum(name == b"host" for name, _ in scope["headers"]) > 1:
            raise HTTPException(
                400, "A request must have exactly one Host header; this one has several."
            )
        if self._hosts is not None:
            refuse_unknown_host(headers, self._hosts)
        if self.settings.cors is None:
            refuse_other_site(headers)
        scope["token"] = None
        if path in self.free and b"authorization" not in headers:
            return
        try:
            scope["token"] = self.tokens.admit(headers)
        finally:
            if self._rates is not None:
                self._rates.admit(client_of(scope))
        if self.name is not None:
            refuse_other_graph(scope["token"], self.name)

    def cached(self, path: str, scope: Scope, headers: Headers) -> ASGIApp | None:
        """A response that does not have to be computed."""
        return None

    def error(self, path: str, scope: Scope, error: Exception) -> HTTPResponse:
        """The response to a request that failed."""
        return error_response(self.explained(path, scope, error))

    def explained(self, path: str, scope: Scope, error: Exception) -> Exception:
        """The same error, with a sentence instead of Starlette's phrase."""
        if not isinstance(error, HTTPException) or error.status_code != 405:
            return error
        allowed = ", ".join(sorted((error.headers or {})["Allow"].split(", ")))
        sentence = f"{path:.200} allows {allowed}, not {scope['method']:.20}."
        return HTTPException(405, sentence, {"allow": allowed})

    def record(self, exchange: Exchange) -> None:
        """Log a request that was answered."""
        self._log.write(exchange)


class UnderPath:
    """An application that a proxy exposes under a path, whether or not the proxy removes that
    path."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app, self.root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path: str = scope["path"]
            if path != self.root and not path.startswith(f"{self.root}/"):
                path = self.root + path
            scope = {**scope, "path": path, "root_path": self.root}
        await self.app(scope, receive, send)


def path_of(scope: Scope) -> str:
    """The path below the one that an application is mounted at."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def refuse_unknown_host(headers: Headers, hosts: frozenset[str]) -> None:
    """Reject a host name that is not one of the server's names.

    Another site could point its own name at this machine and send requests from a browser that
    trusts it.
    """
    host = headers.get(b"host", b"").decode("latin-1").lower()
    name = host.rpartition(":")[0]
    if name not in hosts and host not in hosts:
        unknown = name or host
        sentence = f"Unknown host {unknown!r:.80}; allow it with --hosts {unknown:.80}."
        raise HTTPException(421, sentence)


def refuse_other_site(headers: Headers) -> None:
    """Reject requests that a page of another site makes the browser send; following a link is
    allowed.

    A page on another port of this machine counts as the same site.
    """
    followed = (b"navigate", b"document")
    how = headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")
    if headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site") and how != followed:
        sentence = "Other sites may not query this server; allow one with --cors and its address."
        raise HTTPException(403, sentence)


async def read_body(settings: Settings, request: Request, media_type: str) -> bytes:
    """The body of a POST; it must have this media type and arrive in time."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != media_type:
        raise HTTPException(415, f"{path_of(request.scope):.200} takes {media_type}.")
    room = settings.body * 1024
    close = {"connection": "close"}
    too_large = HTTPException(413, f"The body exceeds the limit of {settings.body:,} kB.", close)
    if int(request.headers.get("content-length", "0")) > room:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(settings.patience), aclosing(request.stream()) as stream:
            async for piece in stream:
                body += piece
                if len(body) > room:
                    raise too_large
    except TimeoutError:
        sentence = "The body of the request did not arrive in time."
        raise HTTPException(408, sentence, close) from None
    except ClientDisconnect:
        raise HTTPException(400, "The body of the request ended early.") from None
    return bytes(body)
