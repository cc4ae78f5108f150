"""Ranks over HTTP: as in Python, but never cached on disk for a client."""

from __future__ import annotations

from pathlib import Path

from tests.apps.serve import PAPER, Client, problem, serving
from whatsrelated.api import Graph, build
from whatsrelated.stream import Page


def test_a_rank_is_the_one_that_python_gives(client: Client, graph: Graph) -> None:
    told = client.get("/api/rank", params={"by": "hits", "top": 3, "hubs": "true"}).json()
    best = graph.rank("hits").top(3, hubs=True)
    assert [(each["url"], each["score"]) for each in told["results"]] == [
        (each.url, each.score) for each in best
    ]
    own = client.get("/api/rank", params={"by": "pagerank", "teleport": PAPER, "top": 1}).json()
    assert own["results"][0]["url"] == PAPER
    assert "has no hubs" in problem(client.get("/api/rank?by=pagerank&hubs=1"), 400)
    assert "at most 1000" in problem(client.get("/api/rank?max_rounds=5000"), 400)


def test_ranks_requested_by_clients_are_not_stored_on_disk(tmp_path: Path) -> None:
    place = tmp_path / "web.graph"
    build([Page("a", ("b", "c")), Page("b", ("c",))], place)
    with serving(place) as client:
        for damping in ("0.5", "0.6"):
            assert client.get(f"/api/rank?damping={damping}").status_code == 200
        assert not (place / "ranks").exists()
        assert client.get("/api/rank").status_code == 200
        assert len(list((place / "ranks").glob("*.json"))) == 1
