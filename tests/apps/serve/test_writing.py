"""Changed pages over HTTP: merged together, served at once, and only for those who may."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.apps.serve import Client, problem, serving
from tests.cli.commands import related
from whatsrelated import api
from whatsrelated.apps.serve.tokens import read_tokens
from whatsrelated.stream import Page

TOKEN = "open sesame"
LINES = {"content-type": "application/x-ndjson", "authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "web.graph"
    api.build([Page("list", ("tea", "coffee")), Page("menu", ("tea", "coffee"))], path)
    return path


def post(client: Client, *pages: object) -> httpx.Response:
    body = "\n".join(json.dumps(page) for page in pages)
    return client.post("/api/pages", content=body, headers=LINES)


def cocited(client: Client) -> set[str]:
    answer = client.get(
        "/api/related?url=tea&by=cocitation", headers={"authorization": f"Bearer {TOKEN}"}
    )
    return {result["url"] for result in answer.json()["results"]}


def test_a_change_is_served_when_its_reply_comes(place: Path) -> None:
    with serving(place, TOKEN, writable=True) as client:
        assert cocited(client) == {"coffee"}
        answer = post(client, {"url": "list", "links": ["tea", "cocoa"], "title": "A list"})
        assert answer.json() == {
            "version": 1,
            "generation": 2,
            "pages": 5,
            "links": 4,
            "replaced": 1,
            "deleted": 0,
            "unknown": [],
            "refused": {},
        }
        assert cocited(client) == {"coffee", "cocoa"}
        gone = client.request("DELETE", "/api/pages?url=menu&url=nowhere&url=*", headers=LINES)
        assert (gone.json()["deleted"], gone.json()["unknown"]) == (1, ["nowhere", "*"])
        assert cocited(client) == {"cocoa"}
        held = client.get("/api/related?url=tea", headers=LINES)
        assert held.headers["graph-generation"] == "3"
    assert api.open(place).store.check() is None


def test_requests_at_once_are_all_merged_the_last_of_a_page_counting(place: Path) -> None:
    with serving(place, TOKEN, writable=True) as client, ThreadPoolExecutor(8) as threads:
        sent = [{"url": f"page {n % 10}", "links": ["tea", f"x{n}"]} for n in range(20)]
        answers = list(threads.map(lambda page: post(client, page), sent))
        assert {answer.status_code for answer in answers} == {200}
        generations = {answer.json()["generation"] for answer in answers}
        graph = api.open(place)
        assert graph.store.generation == max(generations)
        for n in range(10):
            links = graph.links_from(graph.page(f"page {n}")).tolist()
            assert [graph.url(link) for link in links] in (["tea", f"x{n}"], ["tea", f"x{n + 10}"])


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("", "the body has no page"),
        ("[1]", "line 1 is not a valid page"),
        ('{"url": "a"}\n{"url": 3}', "line 2 is not a valid page"),
        ('{"url": "a", "rank": 1}', "unknown field `rank`"),
        ("[" * 100_000, "line 1 is not a valid page"),
    ],
)
def test_a_body_that_is_not_a_page_is_rejected_and_nothing_changes(
    place: Path, body: str, sentence: str
) -> None:
    with serving(place, TOKEN, writable=True) as client:
        answer = client.post("/api/pages", content=body, headers=LINES)
        assert sentence in problem(answer, 400)
        none = client.request("DELETE", "/api/pages?page=a", headers=LINES)
        assert "DELETE takes url=" in problem(none, 400)
    assert api.open(place).store.generation == 1


def test_a_read_only_token_reads_and_does_not_write(place: Path, tmp_path: Path) -> None:
    reader = related("token", "anna", "--read-only", cwd=tmp_path).stdout.strip()
    headers = {**LINES, "authorization": f"Bearer {reader}"}
    with serving(place, read_tokens(tmp_path / "tokens.toml"), writable=True) as client:
        assert client.get("/api/related?url=tea", headers=headers).status_code == 200
        answer = client.post("/api/pages", headers=headers)  # no body: the server need not close
        assert problem(answer, 403) == "The token of anna is read-only."
        problem(client.request("DELETE", "/api/pages?url=menu", headers=headers), 403)
    assert api.open(place).store.generation == 1


def test_writing_needs_the_token_and_permission(place: Path) -> None:
    with serving(place, TOKEN, writable=True) as client:
        problem(client.post("/api/pages"), 401)  # no body: the server need not close
        problem(
            client.post(
                "/api/pages", content="{}", headers={**LINES, "content-type": "text/plain"}
            ),
            415,
        )
    with serving(place, TOKEN) as client:
        problem(post(client, {"url": "a"}), 405)
    done = related("serve", str(place), "--writable", "--port", "0")
    assert done.returncode == 2
    assert "writable needs a graph in a folder, and a token" in done.stderr
