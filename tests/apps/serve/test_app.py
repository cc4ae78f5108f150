"""Handling a request: path, method, body, permissions, caching."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import Response, TransportError

from tests.apps.serve import PAPER, Client, problem, serving
from tests.graphs import graph_of
from whatsrelated.api import Graph


def test_a_body_must_be_json_and_small(client: Client) -> None:
    form = client.post("/api/related", data={"url": PAPER})
    assert "takes application/json" in problem(form, 415)
    headers = {"content-type": "application/json"}
    for body in (lambda: b" " * (1 << 21), lambda: iter([b" " * 65536] * 32)):
        refusals = [_refusal(client, body(), headers) for _ in range(10)]
        assert any(refusals), "each connection was closed before the client read"
        assert all("1,024 kB" in problem(answer, 413) for answer in refusals if answer)


def _refusal(
    client: Client, body: bytes | Iterator[bytes], headers: dict[str, str]
) -> Response | None:
    """The answer to a large body; None if the server closed the connection while it was sent."""
    try:
        return client.post("/api/related", content=body, headers=headers)
    except TransportError:
        return None


@pytest.mark.parametrize(
    "path", ["/nowhere", "/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/api/related/"]
)
def test_an_unknown_path_is_not_found(client: Client, path: str) -> None:
    assert "No path" in problem(client.get(path), 404)


def test_a_wrong_request_is_an_error_that_shows_the_right_one(client: Client) -> None:
    answer = client.delete("/api/related")
    assert "GET, HEAD, POST" in problem(answer, 405)
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert "GET, HEAD" in problem(client.post("/api/links", json={}), 405)
    assert client.head("/api/health").content == b""


def test_an_answer_that_the_client_has_is_not_sent_again(client: Client) -> None:
    first = client.get("/api/related", params={"url": PAPER, "limit": 7})
    assert first.headers["cache-control"] == "no-cache"
    held = {"if-none-match": first.headers["etag"]}
    again = client.get("/api/related", params={"url": PAPER, "limit": 7}, headers=held)
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/api/related", params={"url": PAPER}, headers={"if-none-match": 'W/"x"'})
    assert other.status_code == 200


def test_the_owners_pairs_apply_to_every_query_and_clients_cannot_name_a_file(
    tmp_path: Path,
) -> None:
    graph = graph_of("x -> a b c", "y -> a b c", "z -> d")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("+a\td\n")
    with serving(graph, pairs=str(pairs)) as client:
        path = "/api/related?url=a&by=cocitation"
        reply = client.get(path).json()
        first = reply["results"][0]
        assert (first["url"], first["grade"]) == ("d", "pinned")
        assert 'title="Always shown first"' in client.get("/?url=a").text
        assert reply["options"]["pairs"] == "pairs.tsv", "without the folder"
        pairs.write_text("a\tb\n")
        assert [one["url"] for one in client.get(path).json()["results"]] == ["c"]
        refused = client.get(f"{path}&pairs=/etc/passwd")
        assert refused.status_code == 400
        assert "pairs" in refused.text


def test_a_changed_stop_list_is_noticed(tmp_path: Path) -> None:
    graph = Graph.from_links([("p", "a"), ("p", "b"), ("p", "c"), ("q", "a"), ("q", "b")])
    stop = tmp_path / "stop.txt"
    stop.write_text("")
    with serving(graph, stop=str(stop)) as client:
        asked = {"url": "a", "by": "cocitation"}
        first = client.get("/api/related", params=asked)
        assert [found["url"] for found in first.json()["results"]] == ["b", "c"]
        stop.write_text("b\n")
        held = {"if-none-match": first.headers["etag"]}
        second = client.get("/api/related", params=asked, headers=held)
        assert [found["url"] for found in second.json()["results"]] == ["c"]


def test_a_token_is_required_if_one_is_set() -> None:
    with serving(graph_of("a -> tea coffee", "b -> coffee tea"), token="open sesame") as client:
        refused = client.get("/api/related?url=tea")
        assert "token" in problem(refused, 401)
        assert refused.headers["www-authenticate"].startswith("Bearer")
        problem(client.get("/metrics"), 401)
        problem(client.get("/api/links?url=tea", headers={"authorization": "Bearer open"}), 401)
        problem(client.get("/api/links?url=tea", headers={"authorization": "Basic !"}), 401)
        assert client.get("/", auth=("", "wrong sesame")).status_code == 401
        assert client.get("/api/health").json() == {"status": "ok"}
        wrong = client.get("/api/health", headers={"authorization": "Bearer open"})
        assert "token" in problem(wrong, 401)
        good: dict[str, Any] = {"headers": {"authorization": "Bearer open sesame"}}
        assert client.get("/api/health", **good).json()["pages"] == 4
        assert client.get("/api/related?url=tea", **good).json()["results"][0]["url"] == "coffee"
        assert client.get("/", auth=("anybody", "open sesame")).status_code == 200


def test_a_page_that_rebinds_its_name_to_this_machine_is_refused() -> None:
    graph = graph_of("a -> tea coffee")
    with serving(graph) as client:
        answer = client.get("/api/health", headers={"host": "evil.example"})
        assert "Unknown host 'evil.example'; allow it with --hosts evil.example." in problem(
            answer, 421
        )
        assert client.get("/api/health", headers={"host": "localhost:99"}).status_code == 200
    with serving(graph, hosts="wiki.example, other.example") as client:
        assert client.get("/api/health", headers={"host": "wiki.example"}).status_code == 200
        problem(client.get("/api/health", headers={"host": "evil.example"}), 421)
