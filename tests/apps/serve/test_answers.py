"""Queries: the same answers as in Python, one at a time, many at once, side by side."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.apps.serve import PAPER, Client, problem, serving
from whatsrelated.api import Graph
from whatsrelated.methods import METHODS


@pytest.mark.parametrize("by", METHODS)
def test_an_answer_is_the_one_that_python_gives(client: Client, graph: Graph, by: str) -> None:
    told = client.related(PAPER, by=by, limit=4, why=1)
    expected = json.loads(json.dumps(graph.related(PAPER, by=by, limit=4).as_dict(why=True)))
    for answer in (told, expected):
        answer.pop("took_ms")
    assert told == expected
    assert len(told["results"]) == 4


def test_several_urls_ask_for_pages_related_to_all(client: Client, graph: Graph) -> None:
    two = [PAPER, "https://www.wsj.com/"]
    told = client.related(*two, limit=3)
    assert [each["url"] for each in told["results"]] == [r.url for r in graph.related(two, limit=3)]
    assert told["asked"] == two


def test_evidence_is_computed_on_request(client: Client) -> None:
    assert "evidence" not in client.related(PAPER)["results"][0]
    assert client.related(PAPER, why="true")["results"][0]["evidence"]["sentence"]


def test_a_list_of_queries_has_an_answer_or_an_error_for_each(client: Client) -> None:
    queries = [{"url": PAPER, "limit": 2}, {"url": [PAPER], "parents": 0}, {"url": "nowhere.zz"}]
    answer = client.post("/api/related", json={"queries": queries})
    assert answer.status_code == 200
    first, second, third = answer.json()["answers"]
    assert len(first["results"]) == 2
    assert second["error"]["status"] == 400
    assert third["error"]["nearest"].startswith("https://")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'"\xff"', "not JSON"),
        (b"[]", "must be"),
        (b'{"queries": 1}', "must be"),
        (b'{"queries": [1]}', "must be an object"),
        (b'{"queries": [], "limit": 1}', "must be"),
        (json.dumps({"queries": [{"url": PAPER}] * 101}).encode(), "at most 100"),
    ],
)
def test_a_wrong_body_is_refused(client: Client, body: bytes, says: str) -> None:
    answer = client.post("/api/related", content=body, headers={"content-type": "application/json"})
    assert says in problem(answer, 400)


def test_methods_are_compared_as_in_python(client: Client, graph: Graph) -> None:
    fields = [("url", PAPER), ("by", "companion,lli"), ("by", "cocitation"), ("enough", "3")]
    told = client.get("/api/compare", params=fields).json()
    methods = ["companion", "lli", "cocitation"]
    expected = json.loads(json.dumps(graph.compare(PAPER, methods, enough=3).as_dict()))
    for comparison in (told, expected):
        for answer in comparison["answers"]:
            answer.pop("took_ms")
    assert told == expected
    assert "compare: at most 10 by, got 11" in problem(
        client.get("/api/compare", params=[("url", PAPER), ("by", ",".join("abcdefghijk"))]), 400
    )
    assert "No method 'magic'" in problem(client.get(f"/api/compare?url={PAPER}&by=magic"), 400)


def test_clients_at_the_same_time_get_the_answers_that_python_gives(
    client: Client, graph: Graph
) -> None:
    asked = [
        (url, by) for url in (PAPER, "https://www.wsj.com/") for by in ("companion", "cocitation")
    ]
    expected = {(url, by): [r.url for r in graph.related(url, by=by)] for url, by in asked}

    def ask(number: int) -> tuple[tuple[str, str], list[str]]:
        url, by = asked[number % len(asked)]
        results = client.related(url, by=by)["results"]
        return (url, by), [each["url"] for each in results]

    with ThreadPoolExecutor(8) as threads:
        for question, urls in threads.map(ask, range(60)):
            assert urls == expected[question]


def test_a_repeated_query_is_answered_from_the_cache(graph: Graph) -> None:
    with serving(graph) as client:
        first = client.related(PAPER, by="companion")
        hits = client.server.metrics.total("cache_hits")
        assert client.related(PAPER, by="companion") == first
        assert client.server.metrics.total("cache_hits") == hits + 1


def test_urls_have_weights_and_results_move_away_from_a_page(client: Client, graph: Graph) -> None:
    other, away = "https://www.wsj.com/", "https://www.washingtonpost.com/"
    reply = client.related(PAPER, f"{other}:0.5", unlike=f"{away}:2", limit=5)
    expected = graph.related({PAPER: 1, other: 0.5}, unlike={away: 2}, limit=5)
    assert [each["url"] for each in reply["results"]] == [one.url for one in expected]
    assert reply["weights"] == {PAPER: 1, other: 0.5}
    assert reply["unlike"] == {away: 2}


def test_a_query_in_json_may_have_hundreds_of_pages_with_weights(
    client: Client, graph: Graph
) -> None:
    weights = {graph.url(page): 1 / (1 + page) for page in range(300)}
    query = {"url": [f"{url}:{weight:.6f}" for url, weight in weights.items()], "limit": 5}
    reply = client.post("/api/related", json={"queries": [query]}).json()["answers"][0]
    rounded = {url: float(f"{weight:.6f}") for url, weight in weights.items()}
    expected = graph.related(rounded, limit=5)
    assert [each["url"] for each in reply["results"]] == [one.url for one in expected]
