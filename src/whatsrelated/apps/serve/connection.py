"""Handle a client's connection, which may be slow, endless or not HTTP at all.

This is uvicorn's protocol with the limits that uvicorn leaves to a proxy: on the time and size of a
request's head, on connections, and on the time a client takes to read.  Rejections have the same
shape as every other error.

The protocol is not part of uvicorn's documented interface, and no other module touches it.
`tests/apps/serve/test_connection.py` fails if uvicorn changes anything used here.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

import uvicorn
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from whatsrelated.apps.serve.pool import Busy
from whatsrelated.apps.serve.responses import RAW_SECURITY, HTTPResponse, error_response
from whatsrelated.apps.serve.settings import Settings

MAX_HEAD = 65536
"""Maximum size of a request's head, in bytes."""
MAX_UNREAD = 30
"""Seconds after which a client that reads nothing is disconnected."""

LEAVING = "whatsrelated.leaving"
"""The scope key for the callbacks that run if a client leaves before it is answered."""

LINGER = 1.0
"""Seconds that a rejected client gets to read the error."""


class Connection(HttpToolsProtocol):
    """A client's connection. `begun` is when the head of the pending request began to arrive, or
    None if the head is complete.
    """

    max_connections = 1000
    begun: float | None = None
    _head = 0
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._leaving: list[Callable[[], None]] = []
        self._cycles: list[RequestResponseCycle] = []
        if len(self.connections) > self.max_connections:
            self.refuse(error_response(Busy()))
            return
        raw: socket.socket = transport.get_extra_info("socket")
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux only
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, MAX_UNREAD * 1000)
        self.begun = self.loop.time()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.begun, self._head = self.loop.time(), 0

    def on_headers_complete(self) -> None:
        self.begun = None
        self.scope[LEAVING] = self._leaving  # type: ignore[literal-required]
        super().on_headers_complete()
        self._cycles = [each for each in self._cycles if not each.response_complete]
        self._cycles.append(self.cycle)
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD:
            self._refuse_head()  # the whole head arrived at once

    def on_response_complete(self) -> None:
        unfinished = not self.pipeline and self.cycle.more_body
        super().on_response_complete()
        if unfinished:  # ignore the rest of the body
            self._close_softly()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()

    def _leave(self) -> None:
        """Cancel the computation, since nobody will read the result."""
        for cycle in self._cycles:
            cycle.disconnected = True
        for leave in list(self._leaving):
            leave()

    def data_received(self, data: bytes) -> None:
        if self._refused or self.transport.is_closing():
            return
        super().data_received(data)
        if self.begun is None and self.cycle and self.cycle.response_complete:
            self.begun, self._head = self.loop.time(), 0  # blank lines before a head
        if self.begun is not None:
            self._head += len(data)
            if self._head > MAX_HEAD:
                self._refuse_head()

    def _refuse_head(self) -> None:
        sentence = f"The request's head exceeds {MAX_HEAD:,} bytes."
        self.refuse(error_response(HTTPException(431, sentence)))

    def send_400_response(self, msg: str) -> None:
        sentence = "This is not an HTTP request, or its address is too long."
        self.refuse(error_response(HTTPException(400, sentence)))

    def refuse(self, response: HTTPResponse) -> None:
        """Send the reason, then close."""
        self.begun = None
        if self._refused or self.transport.is_closing():
            return
        self.transport.write(raw_response(response))
        self._close_softly()

    def _close_softly(self) -> None:
        """Close after a moment; a client cut off while sending would never read the error."""
        if not self._refused and not self.transport.is_closing():
            self._refused = True
            self._leave()
            self.transport.write_eof()
            self.loop.call_later(LINGER, self.transport.close)


def refuse_slow(connections: Iterable[Any], now: float, patience: float) -> None:
    """Close connections whose requests take longer than `patience` to arrive."""
    for each in list(connections):
        if each.begun is not None and now - each.begun > patience:
            each.refuse(error_response(HTTPException(408, "The request did not arrive in time.")))


def raw_response(response: HTTPResponse) -> bytes:
    """A response as bytes on the wire, outside any application."""
    status = HTTPStatus(response.status_code)
    headers = [*response.raw_headers, *RAW_SECURITY, (b"connection", b"close")]
    lines = [name + b": " + value for name, value in headers]
    first = f"HTTP/1.1 {status} {status.phrase}".encode()
    return b"\r\n".join([first, *lines, b"", response.body])


class BoundedServer(uvicorn.Server):
    """uvicorn with limits on slow clients and on the number of clients."""

    def __init__(self, application: ASGIApp, settings: Settings) -> None:
        config = uvicorn.Config(
            application,
            http=type("Connection", (Connection,), {"max_connections": settings.connections}),
            ws="none",
            lifespan="on",
            access_log=False,
            log_config=None,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=int(settings.deadline) + 5,
        )
        super().__init__(config)
        self._settings = settings

    async def on_tick(self, counter: int) -> bool:
        now = asyncio.get_running_loop().time()
        refuse_slow(self.server_state.connections, now, self._settings.patience)
        return await super().on_tick(counter)

    def count_connections(self) -> int:
        """The number of open connections."""
        return len(self.server_state.connections)
