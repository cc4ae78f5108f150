"""A reply is the same from the command and over HTTP, and has the shape that is declared."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.apps.serve import Client, serving
from whatsrelated import api
from whatsrelated.apps.serve import openapi, routes
from whatsrelated.contract.replies import AnswerReply, JSONReply
from whatsrelated.stream import Page

PAGES = [
    Page("breakfast", ("tea", "coffee", "milk"), "What to drink", anchors=("a cup", "", "fresh")),
    Page("supper", ("tea", "milk"), anchors=("more", "")),
    Page("tea", ("milk",), "Tea", anchors=("with",)),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replies") / "web.graph"
    api.build(PAGES, folder)
    return folder


@pytest.fixture(scope="module")
def client(place: Path) -> Iterator[Client]:
    with serving(place) as client:
        yield client


def printed(place: Path, *words: str) -> Any:
    """What the command prints as JSON."""
    command = [sys.executable, "-c", "from whatsrelated.cli import main; main()", *words]
    done = subprocess.run(
        [*command, "--graph", str(place), "--json"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def timeless(reply: Any) -> Any:
    """A reply without the time that it took."""
    if isinstance(reply, dict):
        return {name: timeless(value) for name, value in reply.items() if name != "took_ms"}
    return [timeless(each) for each in reply] if isinstance(reply, list) else reply


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["to", "tea"], "/api/related?url=tea"),
        (["to", "tea", "--why", "--by", "lli"], "/api/related?url=tea&why=1&by=lli"),
        (["to", "tea", "milk", "--limit", "1"], "/api/related?url=tea&url=milk&limit=1"),
        (
            ["compare", "tea", "--by", "cocitation,walk"],
            "/api/compare?url=tea&by=cocitation&by=walk",
        ),
        (
            ["similarity", "tea", "milk", "--by", "simrank"],
            "/api/similarity?url=tea&url=milk&by=simrank",
        ),
        (["rank"], "/api/rank"),
        (["rank", "--by", "hits", "--hubs", "--top", "2"], "/api/rank?by=hits&hubs=1&top=2"),
        (["rank", "--teleport", "tea"], "/api/rank?teleport=tea"),
    ],
)
def test_the_command_prints_what_the_server_sends(
    place: Path, client: Client, words: list[str], path: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert timeless(printed(place, *words)) == timeless(answer.json())
    assert list(printed(place, *words)) == list(answer.json()), "in the same order"


def test_the_command_and_the_server_name_the_same_links(place: Path, client: Client) -> None:
    own, sent = printed(place, "links", "tea"), client.get("/api/links?url=tea").json()
    assert own["url"] == sent["url"]
    for way in ("in", "out"):
        linked = sent[f"links_{way}"]
        assert own[way] == [each["url"] for each in linked]
        assert own["texts"][way] == [each["text"] for each in linked]
        assert sent[way] == len(own[way])


def test_the_command_and_the_server_count_the_same_pages(place: Path, client: Client) -> None:
    own, sent = printed(place, "info"), client.get("/api/health").json()
    for name in ("pages", "links"):
        assert own[name] == sent[name]


@pytest.mark.parametrize("path", [route.path for route in routes.API if route.reply])
def test_every_route_sends_the_shape_that_it_declares(client: Client, path: str) -> None:
    route = routes.TABLE[path]
    sent = client.get(f"{path}?{route.example.format(page='tea', other='milk')}")
    assert sent.status_code == 200, sent.text
    shape = route.reply
    assert shape is not None
    decoded: JSONReply = msgspec.json.decode(sent.content, type=shape)
    assert json.loads(msgspec.json.encode(decoded)) == sent.json()


def test_a_field_is_required_unless_it_can_be_left_out() -> None:
    schemas = openapi.document(routes.API)["components"]["schemas"]
    answer = schemas[AnswerReply.__name__]
    assert "version" in answer["required"]
    assert set(answer["properties"]) - set(answer["required"]) == {
        "details",
        "clusters",
        "weights",
        "unlike",
    }
    assert answer["additionalProperties"] is False
    assert schemas["PageSummary"]["required"] == ["url", "title", "in", "out"]
