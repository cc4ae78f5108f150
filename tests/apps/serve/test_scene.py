"""The picture of an answer: what is in it, and why."""

from __future__ import annotations

import time
from itertools import pairwise
from math import hypot

from tests.graphs import graph_of
from whatsrelated import sample
from whatsrelated.api import Graph
from whatsrelated.apps.serve.replies import PictureReply
from whatsrelated.apps.serve.scene import FRAMES, draw_answer, strengths
from whatsrelated.contract.strength import GRADES, grade_of

WEB = graph_of(
    "https://hub.org/ -> https://u.org/ https://a.org/1 https://a.org/2 https://c.org/",
    "https://two.org/ -> https://u.org/ https://a.org/1",
    "https://u.org/ -> https://d.org/ https://x.org/",
    "https://e.org/ -> https://x.org/",
)


def drawn(graph: Graph, page: str, **options: object) -> PictureReply:
    answer = graph.related(page, **options)
    (picture,) = draw_answer(graph, answer, [FRAMES["wide"]], time.monotonic() + 100)
    return picture


def test_a_picture_has_the_page_and_its_results() -> None:
    picture = drawn(WEB, "https://u.org/", by="cocitation", shared=1, enough=1)
    kinds = {node.url: (node.kind, node.place) for node in picture.nodes}
    assert kinds["https://u.org/"] == ("query", 0)
    assert kinds["https://a.org/1"] == ("result", 1)
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


def test_distance_from_the_middle_is_strength_in_every_frame() -> None:
    graph = Graph.from_pages(sample.pages())
    for url in ("https://www.nytimes.com/", "https://www.debian.org/"):
        answer = graph.related(url, limit=20)
        for picture in draw_answer(graph, answer, list(FRAMES.values()), time.monotonic() + 100):
            middle = picture.width / 2, picture.height / 2
            away = [
                (node.strength, round(hypot(node.x - middle[0], node.y - middle[1]), 1))
                for node in picture.nodes
                if node.kind == "result"
            ]
            assert len(away) == 20
            for (strong, near), (weak, far) in pairwise(sorted(away, reverse=True)):
                assert near < far if strong > weak else near == far
            grades = [ring.inside for ring in picture.rings]
            assert grades == sorted(set(grades), key=list(GRADES).index)
            for ring in picture.rings:
                inside = {grade_of(strong) for strong, distance in away if distance < ring.radius}
                assert list(inside & set(GRADES))
                assert (
                    min(s for s, distance in away if distance < ring.radius) >= GRADES[ring.inside]
                )


def test_colours_are_clusters_named_after_their_best_results() -> None:
    two = graph_of(
        *(f"a{n} -> u tea coffee milk" for n in range(4)),
        *(f"b{n} -> u rook bishop knight" for n in range(4)),
    )
    picture = drawn(two, "u", by="cocitation", shared=1, enough=1)
    group = {node.url: node.group for node in picture.nodes if node.kind == "result"}
    assert len(picture.groups) == 2
    assert group["tea"] == group["coffee"] == group["milk"]
    assert group["rook"] == group["bishop"] == group["knight"] != group["tea"]
    for number, name in enumerate(picture.groups, 1):
        assert name == next(node.url for node in picture.nodes if node.group == number)
    one = graph_of(*(f"a{n} -> u tea coffee milk" for n in range(4)))
    assert drawn(one, "u", by="cocitation").groups == []


def test_strengths_are_the_scores_of_the_default_and_shares_of_the_best_elsewhere() -> None:
    answer = WEB.related("https://u.org/")
    assert strengths(answer) == [result.score for result in answer]
    assert strengths(WEB.related("https://u.org/", by="cpa"))[0] == 1.0
