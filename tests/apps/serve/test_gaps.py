"""The report for a site's owner over HTTP: as in Python, within bounds, and rejected early."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.apps.serve import Client, problem, serving
from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.apps.gaps import site_gaps
from whatsrelated.apps.gaps.audit import gaps_of


@pytest.fixture(scope="module")
def site() -> Graph:
    return graph_of(
        *(f"https://s.org/{page} -> https://s.org/pot https://s.org/cup" for page in "abcde"),
        "https://s.org/new -> https://s.org/pot https://s.org/a",
        "https://s.org/<b>cup</b> -> https://s.org/new",
        "https://s.org/pot -> https://s.org/a https://s.org/cup",
        "https://s.org/cup -> https://s.org/pot",
    )


@pytest.fixture(scope="module")
def client(site: Graph) -> Iterator[Client]:
    with serving(site) as client:
        yield client


def test_the_report_is_the_one_that_python_gives(client: Client, site: Graph) -> None:
    told = client.get("/api/gaps", params={"top": 4, "per_page": 1, "sources": "*/new"}).json()
    found = gaps_of(site, top=4, per_page=1, sources="*/new")
    assert found.missing
    assert found.orphans
    own = json.loads(json.dumps(found.as_dict()))  # as the command prints it
    assert told == own
    assert list(told) == list(own)


def test_lists_are_cut_and_counted_whole(client: Client, site: Graph) -> None:
    orphans = len(gaps_of(site, top=0).orphans)
    assert orphans > 2
    told = client.get("/api/gaps?limit=2&top=0").json()
    assert (len(told["orphans"]), told["counts"]["orphans"], told["missing"]) == (2, orphans, [])
    assert "at most 1000" in problem(client.get("/api/gaps?top=1001"), 400)
    assert "at most 1000" in problem(client.get("/api/gaps?limit=1001"), 400)
    assert "valid RE2 expression" in problem(client.get("/api/gaps?sources=re:("), 400)


def test_a_report_is_computed_once_for_each_generation(client: Client) -> None:
    first = client.get("/api/gaps?top=7")
    held = {"if-none-match": first.headers["etag"]}
    assert client.get("/api/gaps?top=7", headers=held).status_code == 304


def test_the_page_shows_it_and_lets_no_name_do_harm(client: Client, site: Graph) -> None:
    text = client.get("/gaps").text
    assert 'href="gaps"' in client.get("/").text
    assert "What to fix" in text
    assert gaps_of(site).missing[0].reason in text
    assert "<b>cup" not in text


def test_a_site_too_large_for_the_deadline_is_rejected_with_what_to_do(
    site: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_gaps, "MIN_SECONDS", 1e9)
    with serving(site) as client:
        sentence = problem(client.get("/api/gaps"), 504)
        assert sentence == (
            f"A report on {len(site)} pages takes longer than the time limit; raise it, or "
            "run: related gaps GRAPH."
        )
        assert "raise it" in client.get("/gaps").text


def test_a_token_is_required_if_one_is_set(site: Graph) -> None:
    with serving(site, token="secret-of-the-site") as client:
        assert "token" in problem(client.get("/api/gaps"), 401)
