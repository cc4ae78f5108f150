"""Under load: a bounded queue, deadlines, slow clients, and what runs is finished."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import pytest

from tests.graphs import graph_of
from tests.server import Client, serving
from whatsrelated.api import Graph
from whatsrelated.query.answer import Answer


class Held(Graph):
    """A graph whose answers wait until they are let go."""

    def __init__(self) -> None:
        super().__init__(graph_of("a -> tea coffee", "b -> coffee tea").store)
        self.go = threading.Event()
        self.begun = 0

    def related(self, *args: Any, **options: Any) -> Answer:
        self.begun += 1
        self.go.wait(10)
        return super().related(*args, **options)


def eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.005)


def ask(client: Client, number: int, **more: Any) -> httpx.Response:
    return client.get("/api/related", params={"url": "tea", "seed": number, **more})


def test_past_the_queue_a_query_is_refused_at_once() -> None:
    graph = Held()
    with serving(graph, threads=1, queue=2) as client, ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(ask, client, number) for number in range(3)]
        eventually(lambda: client.server.pool.taken == 3)
        begun = time.monotonic()
        refused = ask(client, 99)
        assert time.monotonic() - begun < 1
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["cache-control"] == "no-store"
        assert refused.json()["error"]["kind"] == "Busy"
        assert client.get("/api/health").json()["waiting"] == 2
        graph.go.set()
        assert [answer.result().status_code for answer in asked] == [200, 200, 200]
        assert client.server.board.total("refused") == 1
        assert client.server.pool.taken == 0


def test_a_query_past_its_deadline_is_given_up_and_keeps_its_thread_until_it_ends() -> None:
    graph = Held()
    with serving(graph, threads=1, queue=5, deadline=0.2) as client:
        late = ask(client, 1)
        assert (late.status_code, late.json()["error"]["kind"]) == (504, "Late")
        assert client.server.pool.taken == 1
        waited = ask(client, 2)
        assert waited.status_code == 504
        graph.go.set()
        eventually(lambda: client.server.pool.taken == 0)
        assert graph.begun == 1, "what waited past its deadline is not begun"
        assert ask(client, 3).status_code == 200


def test_a_busy_server_samples_fewer_parents_where_it_is_told_to() -> None:
    graph = Held()
    with (
        serving(graph, threads=1, queue=2, busy_parents=1) as client,
        ThreadPoolExecutor(4) as threads,
    ):
        asked = []
        for number in range(3):
            asked.append(threads.submit(ask, client, number, by="cocitation"))
            eventually(lambda: client.server.pool.taken == len(asked))
        graph.go.set()
        calm, _, busy = [answer.result().json() for answer in asked]
        assert calm["options"]["parents"] == 2000
        assert busy["options"]["parents"] == 1
        assert "The server is busy: at most 1 parents were sampled." in busy["notes"]
        kept = ask(client, 2, by="cocitation").json()
        assert kept["options"]["parents"] == 2000, "a thin answer is not kept"
        assert client.server.board.total("thinned") == 1


def test_what_runs_is_finished_when_the_server_is_told_to_stop() -> None:
    graph = Held()
    with ThreadPoolExecutor(1) as threads:
        with serving(graph) as client:
            patient = httpx.Client(base_url=client.base_url)
            asked = threads.submit(patient.get, "/api/related?url=tea")
            eventually(lambda: graph.begun == 1)
            threading.Timer(0.3, graph.go.set).start()
        assert asked.result().json()["results"][0]["url"] == "coffee"
        with pytest.raises(httpx.ConnectError):
            patient.get("/api/health")
        patient.close()


def exchange(client: Client, *pieces: bytes) -> tuple[int, dict[str, Any]]:
    """Status and JSON of what comes back for these bytes until the server closes."""
    url = client.base_url
    with closing(socket.create_connection((url.host, url.port or 80), timeout=10)) as connection:
        for piece in pieces:
            connection.sendall(piece)
        received = b""
        while piece := connection.recv(65536):
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
def test_a_slow_or_broken_client_is_told_so_and_let_go(pieces: list[bytes], status: int) -> None:
    with serving(SOME, patience=0.3) as client:
        got, told = exchange(client, *pieces)
        assert (got, told["error"]["status"]) == (status, status)
        assert client.get("/api/health").status_code == 200


def test_connections_are_bounded() -> None:
    with serving(SOME, connections=3) as client:
        url = client.base_url
        held = [socket.create_connection((url.host, url.port or 80)) for _ in range(3)]
        eventually(lambda: client.server.connections() == 3)
        status, told = exchange(client)
        assert (status, told["error"]["kind"]) == (503, "Busy")
        for each in held:
            each.close()
        eventually(lambda: client.server.connections() == 0)
        assert client.get("/api/health").status_code == 200
