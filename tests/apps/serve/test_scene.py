"""The picture of an answer: what is in it, and why."""

from __future__ import annotations

import time

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.apps.serve.replies import PictureReply
from whatsrelated.apps.serve.scene import FRAMES, draw_answer, group_by_site, strengths

WEB = graph_of(
    "https://hub.org/ -> https://u.org/ https://a.org/1 https://a.org/2 https://c.org/",
    "https://two.org/ -> https://u.org/ https://a.org/1",
    "https://u.org/ -> https://d.org/ https://x.org/",
    "https://e.org/ -> https://x.org/",
)


def drawn(graph: Graph, page: str, **options: object) -> PictureReply:
    answer = graph.related(page, **options)
    return draw_answer(graph, answer, FRAMES["wide"], time.monotonic() + 100)


def test_a_picture_has_the_page_its_results_and_the_hubs_of_both() -> None:
    picture = drawn(WEB, "https://u.org/", by="cocitation", shared=1, enough=1)
    kinds = {node.url: (node.kind, node.place) for node in picture.nodes}
    assert kinds["https://u.org/"] == ("query", 0)
    assert kinds["https://a.org/1"] == ("result", 1)
    assert {url for url, (kind, _) in kinds.items() if kind == "hub"} == {
        "https://hub.org/",
        "https://two.org/",
    }
    for node in picture.nodes:
        assert 0 <= node.x <= picture.width
        assert 0 <= node.y <= picture.height


def test_a_line_says_what_joins_a_result_to_the_page() -> None:
    picture = drawn(WEB, "https://u.org/", by="walk")
    urls = [node.url for node in picture.nodes]
    reasons = {urls[e.target]: e.kind for e in picture.edges if urls[e.source] == "https://u.org/"}
    assert reasons["https://d.org/"] == "link"
    assert reasons["https://hub.org/"] == "link"
    assert reasons["https://a.org/1"] == "beside"
    assert reasons["https://e.org/"] == "same links"


def test_sites_of_several_pages_are_groups_and_folders_on_one_site() -> None:
    store = WEB.store
    pages = [store.page(f"https://{name}") for name in ("a.org/1", "a.org/2", "c.org/", "u.org/")]
    groups, colours = group_by_site(store, pages)
    assert groups == ["a.org"]
    assert [colours[page] for page in pages] == [1, 1, 0, 0]
    site = graph_of("tea/green -> tea/black", "milk/cow -> tea/green").store
    assert group_by_site(site, [0, 1, 2])[0] == ["tea"]


def test_strengths_are_the_scores_of_the_default_and_shares_of_the_best_elsewhere() -> None:
    answer = WEB.related("https://u.org/")
    assert strengths(answer) == [result.score for result in answer]
    assert strengths(WEB.related("https://u.org/", by="cpa"))[0] == 1.0
