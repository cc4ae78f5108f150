"""What is sent back: a body with its headers, made once and sent as often as it is asked for.

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
from whatsrelated.server.pool import Busy, Late

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

ALWAYS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "vary": "accept-encoding",
}
WORTH_PACKING = 1000
"""Bytes under which a body is sent as it is."""

log = logging.getLogger("whatsrelated.server")


class Wrong(errors.RelatedError):
    """A request that cannot be answered, and the HTTP status that says why."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass(eq=False, slots=True)
class Reply:
    """A status, a body and its headers; `keep` says that the same URL has the same reply."""

    body: bytes
    kind: str = JSON
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    keep: bool = False
    _plain: dict[str, Any] | None = None
    _packed: dict[str, Any] | None = None
    _packed_body: bytes | None = None

    def start(self, packed: bool) -> tuple[dict[str, Any], bytes]:
        """The ASGI message that begins the response, and the bytes that follow."""
        if not packed or len(self.body) < WORTH_PACKING:
            if self._plain is None:
                self._plain = self._message(self.body)
            return self._plain, self.body
        body = self.pack()
        if self._packed is None:
            self._packed = self._message(body, ("content-encoding", "gzip"))
        return self._packed, body

    def pack(self) -> bytes:
        """The body in gzip, packed once."""
        if self._packed_body is None:
            self._packed_body = gzip.compress(self.body, 5, mtime=0)
        return self._packed_body

    def _message(self, body: bytes, *more: tuple[str, str]) -> dict[str, Any]:
        headers = [("content-type", self.kind), *ALWAYS.items(), *self.headers.items(), *more]
        if self.status not in (204, 304):
            headers.append(("content-length", str(len(body))))
        return {
            "type": "http.response.start",
            "status": self.status,
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        }

    def __len__(self) -> int:
        """Bytes that keeping it takes, packed and not."""
        return 2 * len(self.body) + 2000


def json_reply(value: Any, **more: Any) -> Reply:
    return Reply(msgspec.json.encode(value), **more)


def problem(error: BaseException) -> dict[str, Any]:
    """What is told of an error: the status, its kind, a sentence."""
    if isinstance(error, Wrong):
        return _told(error.status, HTTPStatus(error.status).phrase.replace(" ", ""), str(error))
    if isinstance(error, Busy):
        return _told(503, "Busy", "The server is busy; ask again in a moment.")
    if isinstance(error, Late):
        return _told(504, "Late", "The query took too long; ask for less, or by another method.")
    if isinstance(error, errors.PageNotFound) and error.asked is not None:
        end = f"; the nearest is {error.nearest}" if error.nearest else ""
        sentence = f"No page {error.asked[:200]} in this graph{end}."
        return {**_told(404, "PageNotFound", sentence), "nearest": error.nearest}
    for kind, status in STATUS_OF.items():
        if isinstance(error, kind):
            return _told(status, type(error).__name__, str(error))
    log.error("A request failed.", exc_info=error)
    return _told(500, "Failure", "The server made a mistake; its log has the details.")


STATUS_OF: dict[type[BaseException], int] = {
    errors.PageNotFound: 404,
    errors.OptionError: 400,
    errors.GraphFormatError: 503,
    errors.MissingExtra: 501,
    errors.RelatedError: 400,
}


def _told(status: int, kind: str, sentence: str) -> dict[str, Any]:
    return {"status": status, "kind": kind, "sentence": sentence}


def headers_of(error: BaseException) -> dict[str, str]:
    """The headers that an error's reply has."""
    headers = {"cache-control": "no-store"}
    if isinstance(error, Wrong):
        headers.update(error.headers)
    if isinstance(error, Busy | errors.GraphFormatError):
        headers["retry-after"] = "1"
    return headers


def error_reply(error: BaseException) -> Reply:
    told = problem(error)
    return json_reply({"error": told}, status=told["status"], headers=headers_of(error))
