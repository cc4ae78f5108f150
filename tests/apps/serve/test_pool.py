"""A bounded queue, deadlines, and a shutdown that lets running queries finish."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import httpx
import pytest

from tests.apps.serve import Client, problem, serving
from tests.graphs import graph_of
from tests.waiting import PATIENCE, eventually
from whatsrelated.api import Graph
from whatsrelated.api.limits import check_time
from whatsrelated.apps.serve import live
from whatsrelated.apps.serve.pool import Pool
from whatsrelated.apps.serve.tokens import Token, Tokens, digest
from whatsrelated.graph import lookup, word_index
from whatsrelated.graph.store import Store
from whatsrelated.graph.word_index import WordIndex
from whatsrelated.query.answer import Answer


class Held(Graph):
    """A graph whose answers wait until they are released, at the latest at the end of a test."""

    def __init__(self) -> None:
        super().__init__(graph_of("a -> tea coffee", "b -> coffee tea").store)
        self.go = threading.Event()
        self.begun = 0

    def related(self, *args: Any, **options: Any) -> Answer:
        self.begun += 1
        self.go.wait(PATIENCE)
        return super().related(*args, **options)

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *error: object) -> None:
        self.go.set()


def ask(client: Client, number: int, token: str = "", **more: Any) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return client.get(
        "/api/related", params={"url": "tea", "seed": number, **more}, headers=headers
    )


def test_past_the_queue_a_query_is_refused_at_once() -> None:
    graph = Held()
    with (
        serving(graph, threads=1, queue=2) as client,
        ThreadPoolExecutor(4) as threads,
        graph,
    ):
        asked = [threads.submit(ask, client, number) for number in range(3)]
        eventually(lambda: client.server.pool.size == 3)
        refused = ask(client, 99)
        assert not any(answer.done() for answer in asked), "it was refused before any was answered"
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["cache-control"] == "no-store"
        assert refused.json()["error"]["kind"] == "Busy"
        assert client.get("/api/health").json()["waiting"] == 2
        graph.go.set()
        assert [answer.result().status_code for answer in asked] == [200, 200, 200]
        assert client.server.metrics.total("refused") == 1
        eventually(lambda: client.server.pool.size == 0)


def of_tokens(*names: str) -> Tokens:
    """Every name is also the token."""
    return Tokens({digest(name.encode()): Token(name) for name in names})


def test_clients_take_turns() -> None:
    begun: list[str] = []
    go = threading.Event()

    def work(name: str) -> None:
        begun.append(name)
        go.wait(PATIENCE)

    async def run() -> None:
        pool = Pool(threads=1, queue=9)
        deadline = time.monotonic() + PATIENCE
        asked = []
        for name in ("many 1", "many 2", "many 3", "one 1"):
            answer = pool.run(partial(work, name), deadline, client=name.split()[0])
            asked.append(asyncio.ensure_future(answer))
            await asyncio.sleep(0)
            while not begun:
                await asyncio.sleep(0.01)
        go.set()
        await asyncio.gather(*asked)
        pool.stop()

    asyncio.run(run())
    assert begun == ["many 1", "many 2", "one 1", "many 3"]


def test_a_client_with_more_than_its_share_of_a_full_queue_makes_room() -> None:
    graph = Held()
    with (
        serving(graph, of_tokens("many", "one"), threads=1, queue=3) as client,
        ThreadPoolExecutor(6) as threads,
        graph,
    ):
        many = []
        for number in range(4):
            many.append(threads.submit(ask, client, number, token="many"))
            eventually(lambda: client.server.pool.size == number + 1)  # noqa: B023
        eventually(lambda: graph.begun == 1)
        assert ask(client, 5, token="many").status_code == 503
        one = threads.submit(ask, client, 6, token="one")
        assert many[3].result().status_code == 503
        second = threads.submit(ask, client, 7, token="one")
        assert second.result().status_code == 503, "two of many and one of one wait"
        graph.go.set()
        assert [each.result().status_code for each in (*many[:3], one)] == [200, 200, 200, 200]


def test_a_query_is_refused_at_once_if_those_before_it_take_too_long() -> None:
    graph = Held()
    with (
        serving(graph, threads=1, queue=5) as client,
        ThreadPoolExecutor(1) as threads,
        graph,
    ):
        slow = threads.submit(ask, client, 0)
        eventually(lambda: client.server.pool.size == 1)
        client.server.pool.mean = PATIENCE
        assert ask(client, 1).json()["error"]["kind"] == "Busy"
        assert not slow.done()
        graph.go.set()
        assert slow.result().status_code == 200
        eventually(lambda: client.server.pool.size == 0)
        assert 0 < client.server.pool.mean < PATIENCE, "a fast query lowers the estimate"
        assert ask(client, 2).status_code == 200, "an idle thread may always try"


def test_quick_queries_do_not_wait_for_slow_ones() -> None:
    graph = Held()
    with (
        serving(graph, threads=1, queue=2, cache=0) as client,
        ThreadPoolExecutor(4) as threads,
        graph,
    ):
        graph.go.set()
        for path in ("/", "/api"):
            assert client.get(path).status_code == 200, "it now has its examples"
        graph.go.clear()
        slow = [threads.submit(ask, client, number) for number in range(3)]
        eventually(lambda: client.server.pool.size == 3)
        for path in (
            "/",
            "/api",
            "/api/links?url=tea",
            "/api/pages?prefix=t",
            "/api/pages?words=t",
        ):
            assert client.get(path).status_code == 200, path
        for path in ("/?url=tea", "/?url=tea&by=cocitation&with=companion", "/api/related?url=tea"):
            assert client.get(path).status_code == 503, path
        queries = {"queries": [{"url": "tea", "by": "cocitation"}]}
        assert client.post("/api/related?by=cocitation", json=queries).status_code == 503
        quick = threads.submit(ask, client, 4, by="cocitation")
        eventually(lambda: client.server.quick.running == 1)
        assert not any(answer.done() for answer in slow)
        graph.go.set()
        assert quick.result().status_code == 200


def test_a_query_past_its_deadline_is_given_up_and_keeps_its_thread_until_it_ends() -> None:
    graph = Held()
    with serving(graph, threads=1, queue=5, deadline=0.2) as client, graph:

        def late() -> bool:
            answer = ask(client, 1)
            return (answer.status_code, answer.json()["error"]["kind"]) == (504, "Late")

        eventually(lambda: late() and graph.begun == 1)
        assert client.server.pool.size == 1
        waited = ask(client, 2)
        assert waited.status_code == 503, "it never began"
        assert client.server.pool.size == 1, "it has left the queue"
        graph.go.set()
        eventually(lambda: client.server.pool.size == 0)
        assert graph.begun == 1, "what waited past its deadline is not begun"
        eventually(lambda: ask(client, 3).status_code == 200)


def test_the_word_index_is_built_outside_the_deadline_of_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = Held()
    builds = []

    def slow_build(store: Store, progress: object = None) -> WordIndex:
        builds.append(store)
        graph.go.wait(PATIENCE)
        check_time()
        return word_index.build(store)

    monkeypatch.setattr(lookup, "word_index", slow_build)
    with serving(graph, threads=1, deadline=20) as client, graph:
        for _ in range(2):
            answer = client.get("/api/pages?words=tea")
            assert "The word index of this graph is being built" in problem(answer, 503)
        assert client.get("/api/pages?prefix=te").status_code == 200
        graph.go.set()
        eventually(lambda: client.get("/api/pages?words=tea").status_code == 200)
        assert client.get("/api/pages?words=tea").json()["total"] == 1
        assert len(builds) == 1


def test_the_word_index_of_a_large_graph_is_built_before_the_first_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "INDEXED_AT_START", 2)
    with serving(graph_of("a -> tea coffee", "b -> coffee tea")) as client:
        store = client.server.live.served.graph.store
        eventually(lambda: store.lookup._index is not None)
    monkeypatch.setattr(live, "INDEXED_AT_START", 4)
    with serving(graph_of("a -> tea coffee", "b -> coffee tea")) as client:
        assert client.server.live.served._indexing is None


def test_a_busy_server_samples_fewer_parents_if_configured() -> None:
    graph = Held()
    with (
        serving(graph, threads=1, queue=2, busy_parents=1) as client,
        ThreadPoolExecutor(4) as threads,
        graph,
    ):
        asked = []
        for number in range(3):
            asked.append(threads.submit(ask, client, number, by="companion"))
            eventually(lambda: client.server.pool.size == len(asked))
        graph.go.set()
        calm, _, busy = [answer.result().json() for answer in asked]
        assert calm["options"]["parents"] == 2000
        assert busy["options"]["parents"] == 1
        assert (
            "The server is busy, so only 1 of the pages that link to it were sampled."
            in busy["notes"]
        )
        kept = ask(client, 2, by="companion").json()
        assert kept["options"]["parents"] == 2000, "an answer from a smaller sample is not cached"
        assert client.server.metrics.total("sampled_fewer") == 1


def test_running_queries_finish_when_the_server_stops() -> None:
    graph = Held()

    def let_go_when_it_stops(host: str, port: int) -> None:
        def refuses() -> bool:
            with socket.socket() as connection:
                return connection.connect_ex((host, port)) != 0

        eventually(refuses)
        graph.go.set()

    with ThreadPoolExecutor(2) as threads, graph:
        with serving(graph) as client:
            patient = httpx.Client(base_url=client.base_url, timeout=PATIENCE)
            asked = threads.submit(patient.get, "/api/related?url=tea")
            eventually(lambda: graph.begun == 1)
            url = client.base_url
            threads.submit(let_go_when_it_stops, url.host, url.port or 80)
        assert asked.result().json()["results"][0]["url"] == "coffee"
        with pytest.raises(httpx.ConnectError):
            patient.get("/api/health")
        patient.close()
