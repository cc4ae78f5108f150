"""Every question ends at its deadline, and no work is done for clients that have left.

The kernel reports each worker's processor time, which a busy machine does not change.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.hostile.graphs import build_hub
from tests.hostile.processes import Served, python, served
from tests.waiting import PATIENCE, eventually

ALLOWED = 1.5
"""Seconds of processor time that a question with a deadline of 0.3 s may take in all."""


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,500 parents of page 0 that all link to the same 2,500 pages."""
    return build_hub(tmp_path_factory.mktemp("dense"), 2500, 2500, shared=True)


@pytest.fixture(scope="module")
def hurried(dense: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a deadline of 0.3 s."""
    log = tmp_path_factory.mktemp("hurried") / "log"
    with served(dense, log, "--deadline", "0.3", "--threads", "1") as server:
        server.client.get("/api/related?url=0&by=cocitation&parents=5")
        yield server


def is_idle(server: Served) -> bool:
    return bool(server.client.get("/api/health").json()["running"] == 0)


def work_of(server: Served, path: str) -> float:
    """The processor time that one request takes, counted until nothing runs any more."""
    eventually(lambda: is_idle(server))
    before = server.cpu_seconds()
    server.client.get(path)
    eventually(lambda: is_idle(server) or server.cpu_seconds() - before > 1.2 * ALLOWED)
    return server.cpu_seconds() - before


@pytest.mark.parametrize(
    "path",
    [
        "/api/related?url=0&by=cpa&limit=1000&why=1",
        "/?url=0&by=cpa&by=blend&limit=1000",
        "/api/compare?url=0&by=companion,hits,lli,cpa,walk,simrank,pagesim",
        "/api/vicinity?url=0&parents=20000&siblings=10000",
        "/api/related?url=0&by=pagesim",
        "/api/similarity?by=simrank&" + "&".join(f"url={page}" for page in range(2501, 2521)),
    ],
)
def test_a_question_ends_at_its_deadline(path: str, hurried: Served) -> None:
    assert work_of(hurried, path) < ALLOWED


LATE = """
import sys, time, whatsrelated
graph = whatsrelated.open(sys.argv[1])
pages = [str(page) for page in range(2501, 2521)]
def cost(**more):
    begun = time.process_time()
    try:
        eval(sys.argv[2])(more)
    except whatsrelated.RelatedError as error:
        assert not isinstance(error, ValueError), error
    return time.process_time() - begun
cost()
whole = min(cost(), cost())
print(min(cost(deadline=time.monotonic() - 1) for _ in range(2)) / max(whole, 0.02))
"""


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(
            "lambda more: graph.similarity(pages, by='simrank', **more)",
            id="similarity",
        ),
        pytest.param(
            "lambda more: graph.compare('0', by=['cpa', 'companion', 'blend'], **more)",
            id="compare",
        ),
        pytest.param(
            "lambda more: graph.related('0', by='companion', parents=5000, siblings=500, **more)",
            id="companion",
        ),
        pytest.param(
            "lambda more: graph.related('0', by='cpa', **more)",
            id="cpa",
        ),
        pytest.param("lambda more: graph.related('0', by='pagesim', **more)", id="pagesim"),
        pytest.param("lambda more: graph.related('0', by='walk', **more)", id="walk"),
    ],
)
def test_a_deadline_that_has_passed_leaves_little_to_do(question: str, dense: Path) -> None:
    done = python(LATE, dense, question)
    assert done.status == 0, done
    assert float(done.out) < 0.5


def test_nothing_is_done_for_clients_that_have_left(dense: Path, tmp_path: Path) -> None:
    with served(dense, tmp_path / "log", "--deadline", "60", "--threads", "1") as server:
        server.client.get("/api/related?url=0&by=cocitation&parents=5")
        before = server.cpu_seconds()
        for seed in range(6):
            path = f"/api/related?url=0&by=cpa&limit=400&why=1&seed={seed}"
            with socket.create_connection(server.address) as client:
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert server.client.get("/api/related?url=0&by=cocitation&parents=6").status_code == 200
        assert server.cpu_seconds() - before < 2


def test_a_query_behind_a_long_one_gets_a_reply(dense: Path, tmp_path: Path) -> None:
    """Answered, rejected before it began (503), or cut short (504), depending on the machine."""
    with served(dense, tmp_path / "log", "--deadline", "0.5", "--threads", "1") as server:
        url = server.client.base_url

        def ask_much() -> None:
            httpx.get(url.join("/api/related?url=0&by=cpa&limit=1000&why=1"), timeout=PATIENCE)

        first = threading.Thread(target=ask_much)
        first.start()
        eventually(lambda: not is_idle(server))
        second = server.client.get("/api/related?url=0&by=cocitation&parents=7")
        first.join()
        assert second.status_code in (200, 503, 504), second.text
        assert "url" in second.text or second.json()["error"]["sentence"]
