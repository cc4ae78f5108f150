"""What is sent back: a body with its headers, encoded once and sent as often as it is wanted.

Every error becomes one JSON shape here, and nowhere else:
`{"error": {"status": 404, "kind": "PageNotFound", "sentence": …, "nearest": …}}`.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import msgspec

from whatsrelated import errors
from whatsrelated.apps.serve.pool import Busy, Late
from whatsrelated.apps.serve.replies import ErrorReply, Problem
from whatsrelated.names.display import escape_json

JSON = "application/json"
HTML = "text/html; charset=utf-8"

ALWAYS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "vary": "accept-encoding",
}
LEAST_COMPRESSED = 1000
"""Bytes from which on a body is compressed."""

log = logging.getLogger("whatsrelated.apps.serve")


class HTTPError(errors.RelatedError):
    """A request that cannot be answered, and the HTTP status that says why."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass(eq=False, slots=True)
class Response:
    """A status, a body and its headers; `cacheable`: the same URL has the same response."""

    body: bytes
    media_type: str = JSON
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cacheable: bool = False
    _plain: dict[str, Any] | None = None
    _gzipped: dict[str, Any] | None = None
    _gzipped_body: bytes | None = None

    def start(self, gzipped: bool) -> tuple[dict[str, Any], bytes]:
        """The ASGI message that begins the response, and the bytes that follow."""
        if not gzipped or len(self.body) < LEAST_COMPRESSED:
            if self._plain is None:
                self._plain = self._message(self.body)
            return self._plain, self.body
        body = self.compress()
        if self._gzipped is None:
            self._gzipped = self._message(body, ("content-encoding", "gzip"))
        return self._gzipped, body

    def compress(self) -> bytes:
        """The body in gzip, compressed once."""
        if self._gzipped_body is None:
            self._gzipped_body = gzip.compress(self.body, 5, mtime=0)
        return self._gzipped_body

    def _message(self, body: bytes, *more: tuple[str, str]) -> dict[str, Any]:
        headers = [("content-type", self.media_type), *ALWAYS.items(), *self.headers.items(), *more]
        if self.status not in (204, 304):
            headers.append(("content-length", str(len(body))))
        return {
            "type": "http.response.start",
            "status": self.status,
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        }

    def __len__(self) -> int:
        """Bytes that it takes in the cache, compressed and not."""
        return 2 * len(self.body) + 2000


def json_response(value: Any, **more: Any) -> Response:
    body = msgspec.json.encode(value)
    if not body.isascii() or b"\x7f" in body:
        body = escape_json(body.decode()).encode()
    return Response(body, **more)


def problem(error: BaseException) -> Problem:
    """An error for the client: its status, its kind and a sentence."""
    if isinstance(error, HTTPError):
        kind = HTTPStatus(error.status).phrase.replace(" ", "")
        return Problem(error.status, kind, str(error))
    if isinstance(error, Busy):
        return Problem(503, "Busy", "The server is busy; try again in a moment.")
    if isinstance(error, Late):
        sentence = "The query took too long; ask for fewer results, or by another method."
        return Problem(504, "Late", sentence)
    if isinstance(error, errors.PageNotFound) and error.candidates:
        return Problem(404, "PageNotFound", str(error), error.nearest, error.candidates)
    if isinstance(error, errors.PageNotFound) and error.asked is not None:
        end = f"; the nearest is {error.nearest}" if error.nearest else ""
        sentence = f"No page {error.asked[:200]} in this graph{end}."
        return Problem(404, "PageNotFound", sentence, error.nearest)
    if isinstance(error, MemoryError) and not isinstance(error, errors.OutOfMemory):
        log.error("A request was refused for want of memory.")
        return Problem(503, "OutOfMemory", "The server has no memory left for this query.")
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
    """The headers that the response to an error has."""
    headers = {"cache-control": "no-store"}
    if isinstance(error, HTTPError):
        headers.update(error.headers)
    if isinstance(error, Busy | errors.GraphFormatError):
        headers["retry-after"] = "1"
    return headers


def error_response(error: BaseException) -> Response:
    """An error as JSON."""
    found = problem(error)
    return json_response(ErrorReply(found), status=found.status, headers=headers_of(error))
