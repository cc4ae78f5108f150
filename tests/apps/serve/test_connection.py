"""Clients that are slow, send no HTTP, or are too many."""

from __future__ import annotations

import ast
import inspect
import json
import socket
import textwrap
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tests.apps.serve import Client, serving
from tests.graphs import graph_of
from tests.waiting import PATIENCE, eventually
from whatsrelated.apps.serve import connection
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.workers import Worker, address_of, listen


def exchange(client: Client, *pieces: bytes) -> tuple[int, dict[str, Any]]:
    """Send these bytes; the status and JSON of the response, once the server closes."""
    url = client.base_url
    with closing(socket.create_connection((url.host, url.port or 80), timeout=PATIENCE)) as opened:
        for piece in pieces:
            opened.sendall(piece)
        received = b""
        while piece := opened.recv(65536):
            received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


SOME = graph_of("a -> tea coffee", "b -> coffee tea")


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        ([b"\x16\x03\x01\x02\x00"], 400),
        ([b"GARBAGE\r\n\r\n"], 400),
        ([b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 70_000], 431),
        (
            [
                b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX: "
                + b"x" * 70_000
                + b"\r\n\r\n"
            ],
            431,
        ),
        ([b"GET /api/related?url=" + b"x" * 1_000_000], 431),
        (
            [
                b"GET /api/related?url="
                + b"x" * 64_000
                + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            ],
            414,
        ),
        ([b"GET /api/health HTT"], 408),
        ([b""], 408),
        (
            [
                b"POST /api/related HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
            ],
            408,
        ),
        ([b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"], 404),
        (
            [b"GET /api/related?url=\xff HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"],
            400,
        ),
    ],
)
def test_a_slow_or_broken_client_gets_an_error_and_is_dropped(
    pieces: list[bytes], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LINGER", PATIENCE)  # this test's client may be slow
    with serving(SOME, patience=0.3 if status == 408 else PATIENCE) as client:
        got, told = exchange(client, *pieces)
        assert (got, told["error"]["status"]) == (status, status)
        assert client.get("/api/health").status_code == 200


def test_connections_are_bounded() -> None:
    with serving(SOME, connections=3, patience=PATIENCE) as client:
        url = client.base_url
        held = [socket.create_connection((url.host, url.port or 80)) for _ in range(3)]
        eventually(lambda: client.server.connections() == 3)
        status, told = exchange(client)
        assert (status, told["error"]["kind"]) == (503, "Busy")
        for each in held:
            each.close()
        eventually(lambda: client.server.connections() == 0)
        assert client.get("/api/health").status_code == 200


EXTENDED = {connection.Connection: HttpToolsProtocol, connection.BoundedServer: uvicorn.Server}
CYCLE = ("disconnected", "more_body", "response_complete")
"""The parts of one request and its response that are used."""


def names_of_self(extending: type) -> set[str]:
    """The attributes of `self` and `super()` that a class uses but does not define."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(extending)))
    found, assigned = set(), set(extending.__annotations__)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "super()"):
            (assigned if isinstance(node.ctx, ast.Store) else found).add(node.attr)
    return {name for name in found - assigned if not name.startswith("__")}


@pytest.fixture(scope="module")
def plain() -> Iterator[dict[type, Any]]:
    """uvicorn alone, as it is installed, with a connection that has been answered."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(application, http=HttpToolsProtocol, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    (listening,) = listen(Settings(port=0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    eventually(lambda: server.started)
    with httpx.Client(base_url=address_of(listening), timeout=PATIENCE) as client:
        assert client.get("/").status_code == 204
        (connected,) = server.server_state.connections
        yield {connection.Connection: connected, connection.BoundedServer: server}
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.mark.parametrize("extending", EXTENDED, ids=lambda each: str(each.__name__))
def test_uvicorn_has_the_parts_that_a_connection_uses(
    plain: dict[type, Any], extending: type
) -> None:
    """If it fails, uvicorn has changed: look at the change before you touch `connection`."""
    own = set(vars(extending)) - set(dir(EXTENDED[extending]))
    used = names_of_self(extending) - own
    assert used, "the names are read from the source"
    missing = [name for name in used if not hasattr(plain[extending], name)]
    assert missing == []


def test_uvicorn_calls_the_overridden_methods(plain: dict[type, Any]) -> None:
    overridden = {
        connection.Connection: "connection_made connection_lost data_received on_message_begin "
        "on_headers_complete on_response_complete send_400_response",
        Worker: "startup on_tick",
    }
    for extending, names in overridden.items():
        base = EXTENDED.get(extending, uvicorn.Server)
        for name in names.split():
            ours, theirs = getattr(extending, name), getattr(base, name)
            assert ours is not theirs, name
            assert len(inspect.signature(ours).parameters) == len(
                inspect.signature(theirs).parameters
            ), name
    cycle = plain[connection.Connection].cycle
    assert isinstance(cycle, RequestResponseCycle)
    assert [name for name in CYCLE if not hasattr(cycle, name)] == []
