"""Chains of links over HTTP, and on the page."""

from __future__ import annotations

from tests.apps.serve import PAPER, Client, problem

ENDS = f"url={PAPER}&url=www.louvre.fr"


def test_paths_are_those_of_the_graph(client: Client) -> None:
    graph = client.server.live.served.graph
    reply = client.get(f"/api/path?{ENDS}&limit=1").json()
    assert reply == graph.path(PAPER, "www.louvre.fr", limit=1).as_dict()
    assert client.get(f"/api/path?{ENDS}&way=out").json()["paths"][0]["complete"] is True


def test_impossible_requests_are_reported(client: Client) -> None:
    assert "give at least two pages" in problem(client.get(f"/api/path?url={PAPER}"), 400)
    assert "way must be one of" in problem(client.get(f"/api/path?{ENDS}&way=up"), 400)
    assert "No page nowhere" in problem(client.get(f"/api/path?{ENDS}&url=nowhere"), 404)


def test_the_page_of_two_pages_has_a_tab_with_the_paths_between_them(client: Client) -> None:
    related = client.get(f"/?{ENDS}").text
    assert "Paths between them" in related
    assert "show=path" in related
    shown = client.get(f"/?{ENDS}&show=path")
    assert shown.status_code == 200
    assert "2 chains of 2 links connect" in shown.text
    assert "“Anna&#39;s bookmarks” links to “The New York Times”." in shown.text
    assert "Paths between them" not in client.get(f"/?url={PAPER}").text
    assert client.get(f"/?url={PAPER}&show=path").status_code == 200
    assert client.get(f"/?{ENDS}&url=nowhere&show=path").status_code == 404
