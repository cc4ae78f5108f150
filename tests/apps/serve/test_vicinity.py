"""The pages around a page, with their roles."""

from __future__ import annotations

from tests.apps.serve import serving
from tests.graphs import graph_of


def test_a_vicinity_has_roles_and_the_links_between_sites() -> None:
    a, b, c, d = (f"https://{name}.example/" for name in "abcd")
    graph = graph_of(
        f"{a} -> {b} {c}", f"{b} -> {d}", f"{c} -> {d}", "https://b.example/x -> https://b.example/"
    )
    with serving(graph) as client:
        told = client.get("/api/vicinity", params={"url": b}).json()
        roles = {node["url"]: set(node["roles"]) for node in told["nodes"]}
        assert roles == {
            b: {"query"},
            a: {"parent"},
            "https://b.example/x": {"parent"},
            c: {"sibling", "co-parent"},
            d: {"child"},
        }
        urls = [node["url"] for node in told["nodes"]]
        links = {(urls[source], urls[target]) for source, target in told["edges"]}
        assert links == {(a, b), (a, c), (b, d), (c, d)}, "none within a site"
        assert urls[0] == b
        few = client.get("/api/vicinity", params={"url": b, "nodes": 2}).json()
        assert len(few["nodes"]) == 2
        assert few["pages"] == 5
