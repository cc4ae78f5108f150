"""Responses: a body with its headers, compressed once and sent as often as needed.

Only this module turns errors into JSON, always in one shape: `{"error": {"status": 404, "kind":
"PageNotFound", "sentence": …, "nearest": …}}`.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from whatsrelated import errors
from whatsrelated.apps.serve.pool import Busy, Late
from whatsrelated.apps.serve.replies import ErrorReply, Problem
from whatsrelated.names.display import escape_json

JSON = "application/json"
HTML = "text/html; charset=utf-8"

SECURITY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
"""Headers of every response that restrict what a browser does with it."""
RAW_SECURITY = [(name.encode(), value.encode()) for name, value in SECURITY.items()]
MIN_COMPRESSED = 1000
"""Minimum size of a body to be compressed, in bytes."""
NOT_CACHED = {"cache-control": "no-store"}

log = logging.getLogger("whatsrelated.apps.serve")


class HTTPResponse(Response):
    """A response that may be sent many times; `cacheable` means that the same URL has the same
    response.
    """

    body: bytes

    def __init__(
        self,
        body: bytes,
        media_type: str = JSON,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        cacheable: bool = False,
    ) -> None:
        super().__init__(body, status, {"vary": "accept-encoding", **(headers or {})}, media_type)
        self.cacheable = cacheable
        self._gzipped: bytes | None = None
        self._gzipped_headers: list[tuple[bytes, bytes]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, body = self.raw_headers, self.body
        if len(body) >= MIN_COMPRESSED and accepts_gzip(scope):
            body = self.compress()
            if not self._gzipped_headers:
                length = str(len(body))
                more = {**self.headers, "content-length": length, "content-encoding": "gzip"}
                self._gzipped_headers = Headers(more).raw
            headers = self._gzipped_headers
        status = self.status_code
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def compress(self) -> bytes:
        """The body in gzip, compressed once."""
        if self._gzipped is None:
            self._gzipped = gzip.compress(self.body, 5, mtime=0)
        return self._gzipped

    def __len__(self) -> int:
        """Its size in the cache, including the compressed form."""
        return 2 * len(self.body) + 2000


def accepts_gzip(scope: Scope) -> bool:
    """Whether a client accepts a compressed body."""
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


def accepts_html(scope: Scope) -> bool:
    """Whether the client asks for HTML by name, as browsers do."""
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def json_response(value: Any, **more: Any) -> HTTPResponse:
    body = msgspec.json.encode(value)
    if not body.isascii() or b"\x7f" in body:
        body = escape_json(body.decode()).encode()
    return HTTPResponse(body, **more)


def problem(error: BaseException) -> Problem:
    """An error for the client: its status, its kind and a sentence."""
    if isinstance(error, HTTPException):
        kind = HTTPStatus(error.status_code).phrase.replace(" ", "")
        return Problem(error.status_code, kind, error.detail)
    if isinstance(error, Busy):
        return Problem(503, "Busy", "The server is busy; try again in a moment.")
    if isinstance(error, Late):
        sentence = "The query took too long; ask for fewer results, or use another method."
        return Problem(504, "Late", sentence)
    if isinstance(error, errors.PageNotFound) and error.candidates:
        return Problem(404, "PageNotFound", str(error), error.nearest, error.candidates)
    if isinstance(error, errors.PageNotFound) and error.asked is not None:
        end = f"; the nearest is {error.nearest}" if error.nearest else ""
        sentence = f"No page {error.asked[:200]} in this graph{end}."
        return Problem(404, "PageNotFound", sentence, error.nearest)
    if isinstance(error, MemoryError) and not isinstance(error, errors.OutOfMemory):
        log.error("Request rejected: out of memory.")
        return Problem(503, "OutOfMemory", "The server has too little memory for this query.")
    for refined, status in STATUS_OF.items():
        if isinstance(error, refined):
            return Problem(status, type(error).__name__, str(error))
    log.error("A request failed.", exc_info=error)
    return Problem(500, "Failure", "The server failed; its log has the details.")


STATUS_OF: dict[type[BaseException], int] = {
    errors.PageNotFound: 404,
    errors.OutOfTime: 504,
    errors.OutOfMemory: 503,
    errors.OptionError: 400,
    errors.GraphFormatError: 503,
    errors.MissingExtra: 501,
    errors.RelatedError: 400,
}


def headers_of(error: BaseException) -> dict[str, str]:
    """The headers of an error response."""
    headers = dict(NOT_CACHED)
    if isinstance(error, HTTPException):
        headers.update(error.headers or {})
    if isinstance(error, Busy | errors.GraphFormatError):
        headers["retry-after"] = "1"
    return headers


def error_response(error: BaseException) -> HTTPResponse:
    """An error as JSON."""
    detail = problem(error)
    return json_response(ErrorReply(detail), status=detail.status, headers=headers_of(error))
