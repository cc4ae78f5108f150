"""The similarity of pages, as in Python."""

from __future__ import annotations

import json

from tests.apps.serve import PAPER, Client, problem
from whatsrelated.api import Graph


def test_pages_are_compared_as_in_python(client: Client, graph: Graph) -> None:
    pages = [PAPER, "https://www.wsj.com/", "www.bmw.com"]
    fields = [
        *(("url", page) for page in pages),
        ("by", "simrank"),
        ("decay", "0.7"),
        ("seed", "2"),
    ]
    told = client.get("/api/similarity", params=fields).json()
    expected = graph.similarity(pages, by="simrank", decay=0.7, seed=2).as_dict()
    assert {**told, "took_ms": 0} == {**json.loads(json.dumps(expected)), "took_ms": 0}
    assert client.get("/api/similarity", params=[("url", p) for p in pages]).json()["by"] == "blend"
    walked = client.get("/api/similarity", params=[*fields[:3], ("by", "walk")]).json()
    assert walked["scores"][0][0] is None

    def wrong(*more: tuple[str, str]) -> str:
        return problem(client.get("/api/similarity", params=[*fields[:3], *more]), 400)

    assert "by must be one of blend, cocitation, pagesim" in wrong(("by", "lli"))
    assert "blend has no option 'decay'" in wrong(("decay", "0.5"))
    assert "error must be at least 0" in wrong(("by", "simrank"), ("error", "-1"))
    assert "pass two pages" in problem(client.get(f"/api/similarity?url={PAPER}"), 400)
    assert "similarity: url is missing" in problem(client.get("/api/similarity"), 400)
