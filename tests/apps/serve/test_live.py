"""A new generation is served at once; damage on disk changes nothing; the cache is bounded."""

from __future__ import annotations

import gc
import shutil
import threading
from pathlib import Path

import httpx
import pytest

from tests.apps.serve import PAPER, Client, serving
from tests.waiting import PATIENCE, eventually
from whatsrelated import api
from whatsrelated.api import Graph
from whatsrelated.graph import format as disk
from whatsrelated.stream import Page


def build(path: Path, *siblings: str) -> None:
    """A graph in which these are cocited with tea."""
    api.build([Page(f"list {name}", ("tea", name)) for name in siblings], path)


def answer(client: Client) -> set[str]:
    return {result["url"] for result in client.related("tea", by="cocitation")["results"]}


def mappings(path: Path) -> int:
    return Path("/proc/self/maps").read_text().count(str(path))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "web.graph"
    build(path, "coffee")
    return path


def test_a_new_generation_is_loaded_with_its_own_answers(place: Path) -> None:
    with serving(place) as client:
        old = client.get("/api/related?url=tea")
        assert answer(client) == {"coffee"}
        build(place, "cocoa")
        eventually(lambda: answer(client) == {"cocoa"})
        held = {"if-none-match": old.headers["etag"]}
        assert client.get("/api/related?url=tea", headers=held).status_code == 200
        eventually(lambda: client.get("/api/health").json()["switches"] == 1)


def test_switches_under_load_fail_no_request_and_leave_no_mapping(place: Path) -> None:
    with serving(place, watch=0.01, cache=0) as client:
        before = mappings(place)
        wrong: list[object] = []
        asked = [0]
        stopped = threading.Event()

        def ask() -> None:
            with httpx.Client(base_url=client.base_url, timeout=PATIENCE) as own:
                while not stopped.is_set():
                    got = own.get("/api/related?url=tea&why=1")
                    asked[0] += 1
                    if got.status_code != 200 or not got.json()["results"]:
                        wrong.append(got.text)

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for number in range(15):
            build(place, f"sort {number}")
            eventually(lambda: client.server.live.switches > number)  # noqa: B023
            before_this = asked[0]
            eventually(lambda: asked[0] > before_this)  # noqa: B023
        stopped.set()
        for thread in threads:
            thread.join()
        assert wrong == []
        eventually(lambda: answer(client) == {"sort 14"})
        eventually(lambda: gc.collect() >= 0 and mappings(place) <= before)


@pytest.mark.parametrize("harm", ["removed", "cut short", "changed", "damaged"])
def test_if_the_new_graph_is_damaged_the_old_one_is_served_and_health_reports_it(
    place: Path, harm: str
) -> None:
    with serving(place) as client:
        assert client.get("/api/health").json()["status"] == "ok"
        folder = disk.current_generation(place)[0]
        if harm == "removed":
            shutil.rmtree(place)
        elif harm == "changed":
            (folder / "manifest.json").touch()
        elif harm == "cut short":
            titles = folder / "hosts.npy"
            titles.with_suffix(".new").write_bytes(titles.read_bytes()[:-1])
            titles.with_suffix(".new").replace(titles)
        else:
            (place / disk.CURRENT).write_text("{}")
        eventually(lambda: client.get("/api/health").json()["status"] == "old graph")
        assert str(place) in client.get("/api/health").json()["trouble"]
        assert answer(client) == {"coffee"}
        eventually(lambda: client.server.metrics.total("failed_switches") >= 1)
        if harm == "removed":
            build(place, "cocoa")
            eventually(lambda: client.get("/api/health").json()["status"] == "ok")
            assert answer(client) == {"cocoa"}


def test_a_cache_of_nothing_keeps_nothing(graph: Graph) -> None:
    with serving(graph, cache=0) as client:
        client.related(PAPER)
        client.related(PAPER)
        assert len(client.server.live.served.cache) == 0
        assert client.server.metrics.total("cache_hits") == 0


def test_the_cache_is_bounded(graph: Graph) -> None:
    with serving(graph, cache=1) as client:
        for seed in range(60):
            client.related(PAPER, limit=20, seed=seed, why=1)
        answers = client.server.live.served.cache
        assert 0 < answers.size <= 1 << 20
        assert 0 < len(answers) < 60
