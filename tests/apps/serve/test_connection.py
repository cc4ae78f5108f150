"""Clients that are slow, send no HTTP, or are too many."""

from __future__ import annotations

import json
import socket
from contextlib import closing
from typing import Any

import pytest

from tests.apps.serve import Client, serving
from tests.graphs import graph_of
from tests.waiting import PATIENCE, eventually
from whatsrelated.apps.serve import connection


def exchange(client: Client, *pieces: bytes) -> tuple[int, dict[str, Any]]:
    """Status and JSON of what comes back for these bytes until the server closes."""
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
def test_a_slow_or_broken_client_is_told_so_and_let_go(
    pieces: list[bytes], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LINGER", PATIENCE)  # the client of this test may be slow
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
