"""The access log: one line per request and per rejection, for people (combined) or programs (JSON).

Queries are private, so they are logged only on request (`log_queries`).
"""

from __future__ import annotations

import itertools
import json
import logging
import re
import secrets
import time
from typing import NamedTuple

from starlette.types import Scope

from whatsrelated.apps.serve.tokens import Headers

log = logging.getLogger("whatsrelated.access")
refusals = logging.getLogger("whatsrelated.apps.serve")

OWN_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
REFUSED = (401, 403, 421, 429)


class Exchange(NamedTuple):
    """A request and the response to it."""

    path: str
    scope: Scope
    headers: Headers
    request: str
    status: int
    size: int
    seconds: float

    @property
    def user(self) -> str | None:
        """The name of the client's token."""
        token = self.scope.get("token")
        return token.name if token else None


class RequestIds:
    """An id for each request; the client's own id is used if it is plain."""

    def __init__(self) -> None:
        self._start = secrets.token_hex(4)
        self._count = itertools.count(1)

    def next(self, headers: Headers) -> str:
        own_id = headers.get(b"x-request-id")
        if own_id is not None and OWN_ID.fullmatch(own_id):
            return own_id.decode()
        return f"{self._start}-{next(self._count):x}"


class AccessLog:
    """Writes the log; `form` is off, combined or json."""

    def __init__(self, form: str, queries: bool) -> None:
        self.form = form
        self.queries = queries

    def write(self, done: Exchange) -> None:
        """Log a request, and a rejection if it is one."""
        if done.status in REFUSED:
            refusals.warning(
                "Rejected with %d: %s %s from %s, token %s, request %s",
                done.status,
                done.scope["method"],
                _path(done.scope, queries=False),
                client(done.scope),
                done.user or "-",
                done.request,
            )
        if self.form == "combined":
            log.info(self._combined(done))
        elif self.form == "json":
            log.info(self._json(done))

    def _combined(self, done: Exchange) -> str:
        scope = done.scope
        return (
            f"{client(scope)} - {done.user or '-'} [{time.strftime('%d/%b/%Y:%H:%M:%S %z')}] "
            f'"{scope["method"]} {_path(scope, self.queries)} HTTP/{scope["http_version"]}" '
            f"{done.status} {done.size} "
            f'"{_header(done.headers, b"referer")}" "{_header(done.headers, b"user-agent")}" '
            f"{done.request} {done.seconds * 1000:.1f}ms"
        )

    def _json(self, done: Exchange) -> str:
        return json.dumps(
            {
                "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
                "request": done.request,
                "client": client(done.scope),
                "user": done.user,
                "method": done.scope["method"],
                "path": _path(done.scope, self.queries),
                "status": done.status,
                "bytes": done.size,
                "ms": round(done.seconds * 1000, 3),
            }
        )


def client(scope: Scope) -> str:
    """The client's address."""
    return str(scope["client"][0]) if scope.get("client") else "-"


def _path(scope: Scope, queries: bool) -> str:
    """The path as the client sent it, with unprintable bytes replaced, cut to a maximum length."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    if queries and scope["query_string"]:
        raw += b"?" + scope["query_string"]
    return _plain(raw)


def _header(headers: Headers, name: bytes) -> str:
    return _plain(headers.get(name, b"-"))


def _plain(data: bytes) -> str:
    """Bytes as printable ASCII without quotation marks, so none can end a line or field."""
    text = data[:2000].decode("latin-1")
    return "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\x{ord(c):02x}" for c in text)
