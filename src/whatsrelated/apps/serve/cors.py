"""Which other sites' pages may ask from a browser (the Fetch standard's CORS protocol)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from whatsrelated.apps.serve.responses import HTTPError, Response, error_response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

EXPOSED = "etag, retry-after"
PREFLIGHT = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, if-none-match",
    "access-control-max-age": "3600",
}


class AllowOrigins:
    """An application that pages of some origins may ask; `*` is any."""

    def __init__(self, application: Application, origins: list[str]) -> None:
        self.application = application
        self.any = "*" in origins
        self.origins = frozenset(origin.lower().encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        headers = dict(scope["headers"])
        added = self._headers(headers.get(b"origin"))
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            start, body = self._preflight(added).start(gzipped=False)
            await send({**start, "headers": [*start["headers"], *added]})
            await send({"type": "http.response.body", "body": body})
            return

        async def send_with_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self.application(scope, receive, send_with_origin)

    def _headers(self, origin: bytes | None) -> list[tuple[bytes, bytes]]:
        """What tells a browser whether the page of this origin may read the response."""
        vary = [] if self.any else [(b"vary", b"origin")]
        if origin is None or not (self.any or origin.lower() in self.origins):
            return vary
        allowed = b"*" if self.any else origin
        return [
            *vary,
            (b"access-control-allow-origin", allowed),
            (b"access-control-expose-headers", EXPOSED.encode()),
        ]

    def _preflight(self, added: list[tuple[bytes, bytes]]) -> Response:
        """The answer to a browser that asks before it sends a request."""
        if not any(name == b"access-control-allow-origin" for name, _ in added):
            return error_response(HTTPError(400, "Unknown origin; allow it with --cors ORIGIN."))
        return Response(b"", headers=PREFLIGHT)
