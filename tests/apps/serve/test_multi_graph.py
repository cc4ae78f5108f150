"""Several graphs in one server, each with its own path and permissions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apps.serve import Client, live_of, problem, running
from tests.graphs import graph_of
from tests.waiting import eventually
from whatsrelated import api
from whatsrelated.apps.serve.multi_graph import MultiGraphServer
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.tokens import Token, Tokens, digest
from whatsrelated.stream import Page

TEA = graph_of("a -> tea coffee", "b -> coffee tea")
WINE = graph_of("a -> wine beer", "b -> beer wine")


def several(tokens: Tokens, **options: object) -> MultiGraphServer:
    settings = Settings(port=0, watch=0.05, **options)
    graphs = {"tea": live_of(TEA, settings), "wine": live_of(WINE, settings)}
    return MultiGraphServer(graphs, settings, tokens)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running(several(Tokens())) as opened:
        yield opened


def test_each_graph_answers_under_its_path(client: Client) -> None:
    best = [
        client.get(f"/{name}/api/related?url={name}").json()["results"][0]["url"]
        for name in ("tea", "wine")
    ]
    assert best == ["coffee", "beer"]
    problem(client.get("/tea/api/related?url=wine"), 404)
    assert client.get("/tea/openapi.json").json()["servers"] == [{"url": "/tea"}]


@pytest.mark.parametrize("path", ["/", "/api/graphs"])
def test_the_list_of_graphs_has_a_rate(path: str) -> None:
    with running(several(Tokens(), rate=0.5)) as client:
        assert [client.get(path).status_code for _ in range(2)] == [200, 429]
        assert client.get("/api/health").status_code == 200


def test_the_first_page_lists_them(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert 'href="/tea/"' in page.text
    assert client.get("/tea/?url=tea").status_code == 200
    assert client.get("/tea").status_code == 308
    listed = client.get("/api/graphs").json()
    assert [one["name"] for one in listed["graphs"]] == ["tea", "wine"]
    assert client.get("/api/health").json() == {"status": "ok"}
    assert client.get("/tea/api/health").json()["status"] == "ok"
    style = page.text.partition('stylesheet" href="')[2].partition('"')[0]
    assert client.get("/" + style).headers["content-type"].startswith("text/css")


def test_a_missing_name_is_an_error_that_lists_the_existing_ones(client: Client) -> None:
    for asked in ("/beer/", "/api/related"):
        said = problem(client.get(asked), 404)
        assert "begins with the name of a graph (tea, wine), such as /tea/" in said
        path = said.removesuffix(".").rpartition("such as ")[2]
        assert client.get(f"{path}?url=tea").status_code == 200
    said = problem(client.get("/tea/api/relate"), 404)
    assert said == "No path '/tea/api/relate'; /tea/openapi.json lists all paths."
    assert client.get("/tea/openapi.json").status_code == 200
    assert "allows GET, HEAD" in problem(client.post("/api/graphs"), 405)
    assert "Unknown host" in problem(client.get("/", headers={"host": "evil.example"}), 421)


def test_a_token_sees_only_its_graphs() -> None:
    tokens = Tokens(
        {
            digest(b"anna's token"): Token("anna", frozenset(["tea"])),
            digest(b"clara's token"): Token("clara"),
        }
    )
    with running(several(tokens)) as client:
        problem(client.get("/api/graphs"), 401)
        assert client.get("/api/health").status_code == 200
        anna = {"authorization": "Bearer anna's token"}
        clara = {"authorization": "Bearer clara's token"}
        seen = client.get("/api/graphs", headers=anna).json()["graphs"]
        assert [one["name"] for one in seen] == ["tea"]
        assert len(client.get("/api/graphs", headers=clara).json()["graphs"]) == 2
        problem(client.get("/wine/api/related?url=wine", headers=anna), 403)
        assert client.get("/wine/api/related?url=wine", headers=clara).status_code == 200


def test_under_a_path_of_a_proxy() -> None:
    with running(several(Tokens(), root_path="/related")) as client:
        for start in ("/related", ""):
            assert client.get(f"{start}/tea/api/related?url=tea").status_code == 200
        assert 'href="/related/tea/"' in client.get("/related/").text


def test_a_new_generation_of_one_graph_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "tea.graph"
    api.build([Page("a", ["tea", "coffee"])], path)
    settings = Settings(port=0, watch=0.05)
    graphs = {"tea": live_of(path, settings), "wine": live_of(WINE, settings)}
    with running(MultiGraphServer(graphs, settings, Tokens())) as client:
        api.build([Page("a", ["tea", "milk"]), Page("b", ["tea", "milk"])], path)
        eventually(
            lambda: client.get("/tea/api/related?url=milk").status_code == 200,
        )
        assert client.get("/wine/api/related?url=wine").status_code == 200
