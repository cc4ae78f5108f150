"""Answers that were stored are served as they would be computed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.apps.serve import PAPER, Client, serving
from whatsrelated.api import Graph
from whatsrelated.apps.batch.job import Job
from whatsrelated.apps.batch.run import answer_all
from whatsrelated.apps.serve.stored import StoredAnswers
from whatsrelated.errors import OptionError


@pytest.fixture(scope="module")
def path(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers of cocitation, one of them changed, to recognise it."""
    path = tmp_path_factory.mktemp("stored") / "all.sqlite"
    answer_all(graph, Job(graph.batch("cocitation", limit=6), path, "sqlite", len(graph)))
    with sqlite3.connect(path) as database:
        database.execute(
            "UPDATE related SET score = 1234 WHERE position = 1 AND page = ?", (graph.page(PAPER),)
        )
    return path


@pytest.fixture(scope="module")
def client(graph: Graph, path: Path) -> Iterator[Client]:
    with serving(graph, answers=str(path)) as client:
        yield client


def without_cost(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: answer[key] for key in answer if key not in ("took_ms", "vicinity", "details")}


@pytest.mark.parametrize("limit", [6, 2])
def test_a_stored_answer_is_served_without_computing(client: Client, limit: int) -> None:
    told = client.related("www.nytimes.com", by="cocitation", limit=limit)
    assert told["results"][0]["score"] == 1234
    assert len(told["results"]) == limit
    assert told["vicinity"] == {"pages": 0, "links": 0}
    assert told["notes"] == [f"Using {PAPER} for www.nytimes.com."]


def test_it_is_the_answer_that_would_be_computed(client: Client, graph: Graph) -> None:
    for page in range(0, len(graph), 60):
        url = graph.url(page)
        told = client.related(url, by="cocitation", limit=6, why=1)
        if url == PAPER:
            continue
        expected = graph.related(url, by="cocitation", limit=6).as_dict(why=True)
        stored, computed = without_cost(told), without_cost(json.loads(json.dumps(expected)))
        assert {*stored.pop("notes")} <= {*computed.pop("notes")}
        assert stored == computed


@pytest.mark.parametrize(
    "fields",
    [
        {"by": "cocitation", "limit": 7},
        {"by": "cocitation", "limit": 6, "parents": 100},
        {"by": "cocitation", "limit": 6, "new": 1},
        {"by": "cocitation", "limit": 6, "stop": "auto:3"},
        {"by": "cocitation", "limit": 6, "clusters": "lli"},
        {"by": "walk", "limit": 6},
    ],
    ids=str,
)
def test_another_question_is_computed(client: Client, graph: Graph, fields: dict[str, Any]) -> None:
    told = client.related(PAPER, **fields)
    assert told["results"][0]["score"] != 1234
    assert told["vicinity"]["pages"] > 0


def test_answers_stored_before_an_option_was_added_are_still_served(
    graph: Graph, path: Path, tmp_path: Path
) -> None:
    older = tmp_path / "older.sqlite"
    shutil.copy(path, older)
    with sqlite3.connect(older) as database:
        ((text,),) = database.execute("SELECT json FROM manifest").fetchall()
        manifest = json.loads(text)
        del manifest["options"]["new"], manifest["options"]["parents"]
        database.execute("UPDATE manifest SET json = ?", (json.dumps(manifest),))
    with serving(graph, answers=str(older)) as client:
        answer = client.related(PAPER, by="cocitation", limit=6)
        assert answer["results"][0]["score"] == 1234
        assert client.related(PAPER, by="cocitation", limit=6, new=1)["vicinity"]["pages"] > 0


def test_several_pages_and_unknown_ones_are_asked_of_the_graph(client: Client) -> None:
    two = client.related(PAPER, "https://www.wsj.com/", by="cocitation", limit=6)
    assert two["vicinity"]["pages"] > 0
    assert client.get("/api/related", params={"url": "nowhere.zz"}).status_code == 404


def test_answers_of_another_graph_and_other_files_are_refused(path: Path, tmp_path: Path) -> None:
    other = Graph.from_links([("a", "b")])
    with (
        pytest.raises(OptionError, match="has answers for another graph"),
        serving(other, answers=str(path)),
    ):
        pass
    text = tmp_path / "all.sqlite"
    text.write_text("no database at all")
    for wrong in (text, tmp_path / "missing.sqlite"):
        with pytest.raises(OptionError, match=r"is not an output of related all"):
            StoredAnswers(wrong)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE related SET related = -1",
        "UPDATE related SET related = 4000000000",
        "UPDATE related SET related = 1e300",
        "UPDATE related SET related = 'tea'",
        "UPDATE related SET score = 'tea'",
        "UPDATE related SET score = 9e999",
        "UPDATE related SET score = x'00'",
        "UPDATE asked SET answered_for = -1",
        "UPDATE asked SET answered_for = 4000000000",
        "UPDATE asked SET answered_for = 'tea'",
        "DROP TABLE related",
        "DROP TABLE asked",
    ],
)
def test_an_impossible_stored_answer_is_computed_instead(
    change: str, graph: Graph, path: Path, tmp_path: Path
) -> None:
    crafted = tmp_path / "crafted.sqlite"
    shutil.copy(path, crafted)
    with sqlite3.connect(crafted) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute("DROP VIEW IF EXISTS answers")
        database.execute(change)
    with serving(graph, answers=str(crafted)) as client:
        answer = client.related(PAPER, by="cocitation", limit=6)
    assert answer["vicinity"]["pages"] > 0
    assert answer["results"][0]["score"] != 1234
