"""Common neighbours over HTTP."""

from __future__ import annotations

from tests.apps.serve import PAPER, Client, problem

PAPERS = [("url", PAPER), ("url", "https://www.wsj.com/")]


def test_common_neighbours_are_those_of_the_graph(client: Client) -> None:
    reply = client.get("/api/common", params=[*PAPERS, ("limit", "3")]).json()
    found = client.server.live.served.graph.common([url for _, url in PAPERS], limit=3)
    assert reply == found.as_dict()
    assert reply["found"] == 25
    out = client.get("/api/common", params=[*PAPERS, ("way", "out")]).json()
    assert [page["url"] for page in out["pages"]] == ["https://apnews.com/"]
    less = client.get("/api/common", params=[*PAPERS, ("without_links_to", "www.theguardian.com")])
    assert less.json()["found"] < 25


def test_an_impossible_request_is_reported(client: Client) -> None:
    assert "way must be" in problem(client.get("/api/common?url=x&way=up"), 400)
    assert "No page nowhere" in problem(client.get("/api/common?url=nowhere"), 404)
