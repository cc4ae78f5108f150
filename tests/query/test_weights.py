"""Questions with weights against their definitions, and weights as users type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.twins import Asked, graph_and_twin
from tests.reference.graphs import questions
from tests.reference.plain_graph import PlainGraph, Scores
from tests.reference.weights import added, blend, walk
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.query.weights import MAX_WEIGHTED, read_weights

CITY = graph_of(
    "a -> tea coffee milk",
    "b -> coffee tea cup",
    "c -> tea milk honey",
    "d -> milk rice",
    "e -> rice milk soup",
    "tea -> green",
    "coffee -> bean",
)

weights = st.lists(st.floats(0.1, 10), min_size=4, max_size=4)


def split(twin: PlainGraph, query: str, numbers: list[float]) -> tuple[Scores, Scores]:
    """Weights for the query and the pages after it, and for one or no page to avoid."""
    start = twin.pages.index(query)
    pages = [twin.pages[(start + i) % len(twin.pages)] for i in range(min(4, len(twin.pages)))]
    chosen = dict(zip(pages, numbers, strict=False))
    last = list(chosen)[-1]
    if numbers[0] > 3 and len(chosen) > 1:
        return chosen, {last: chosen.pop(last)}
    return chosen, {}


def scores_of(graph: Graph, pages: Scores, **options: object) -> Scores:
    answer = graph.related(pages, limit=1000, chop=False, **options)  # type: ignore[arg-type]
    return {result.url: result.score for result in answer}


@given(questions(), weights, st.floats(0.05, 0.9))
def test_a_weighted_walk_is_what_its_definition_says(
    asked: Asked, numbers: list[float], restart: float
) -> None:
    graph, twin = graph_and_twin(asked[0])
    chosen, away = split(twin, asked[1], numbers)
    exact = walk(twin, chosen, away, restart)
    error = 1e-9
    ours = scores_of(graph, chosen, by="walk", unlike=away, restart=restart, error=error)
    total = 1 + sum(away.values()) / sum(chosen.values())
    for page in {*ours, *exact}:
        degree = twin.in_degree(page) + twin.out_degree(page)
        lost = error * degree**0.75 * total + 1e-9
        assert ours.get(page, 0.0) == pytest.approx(exact.get(page, 0.0), abs=lost)


@given(questions(), weights, st.booleans(), st.booleans())
def test_a_weighted_blend_is_what_its_definition_says(
    asked: Asked, numbers: list[float], ordered: bool, names: bool
) -> None:
    graph, twin = graph_and_twin(asked[0], ordered)
    chosen, away = split(twin, asked[1], numbers)

    def walked(pages: Scores) -> Scores:
        return {
            page: score * (twin.in_degree(page) + twin.out_degree(page)) ** (0.25 - 0.35)
            for page, score in scores_of(graph, pages, by="walk", restart=0.3).items()
        }

    both = walked(chosen), walked(away) if away else {}
    exact = blend(twin, chosen, away, both, names=names)
    ours = scores_of(graph, chosen, by="blend", unlike=away, compare_names=names)
    assert ours == pytest.approx(exact, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("by", ["cocitation", "companion", "cpa", "coupling"])
@given(asked=questions(), numbers=weights)
def test_the_lists_of_other_methods_are_added(by: str, asked: Asked, numbers: list[float]) -> None:
    graph, twin = graph_and_twin(asked[0])
    chosen, away = split(twin, asked[1], numbers)
    total = sum(chosen.values())
    signed = [*chosen.items(), *((page, -weight) for page, weight in away.items())]
    lists = []
    for query, weight in signed:
        scores = scores_of(graph, {query: 1}, by=by)
        left = {page: score for page, score in scores.items() if page not in {**chosen, **away}}
        lists.append((weight / total, left))
    exact = added(lists, scaled=by == "companion")
    ours = scores_of(graph, chosen, by=by, unlike=away)
    assert ours == pytest.approx(exact, rel=1e-6, abs=1e-9)


def test_the_weight_of_a_page_decides_which_results_come_first() -> None:
    assert CITY.related({"tea": 1, "rice": 0.01}, limit=1)[0].url == "coffee"
    assert CITY.related({"tea": 0.01, "rice": 1}, limit=1)[0].url == "milk"


@pytest.mark.parametrize("by", ["blend", "walk", "companion", "cocitation"])
def test_results_move_away_from_the_pages_in_unlike(by: str) -> None:
    plain = [one.url for one in CITY.related("milk", by=by, site="page")]
    moved = [one.url for one in CITY.related("milk", by=by, unlike=["rice"], site="page")]
    assert {"rice", "soup"} <= {*plain}
    assert "rice" not in moved
    assert "soup" not in moved or moved.index("soup") > moved.index("honey")


def test_known_pages_are_hints_for_methods_that_weigh() -> None:
    without = [one.url for one in CITY.related("tea", known=["rice"], hints=0)]
    hinted = CITY.related("tea", known=["rice"], hints=2)
    assert "rice" not in [one.url for one in hinted]
    assert "soup" not in without
    assert "soup" in [one.url for one in hinted]
    assert hinted.answered_for == ["tea"]
    assert not hinted.are_strengths
    listed = [one.url for one in CITY.related("tea", known=["rice"], by="cpa", hints=2)]
    assert listed == [one.url for one in CITY.related("tea", known=["rice"], by="cpa", hints=0)]


def test_too_many_known_pages_are_only_left_out() -> None:
    pages = [f"p{i}" for i in range(MAX_WEIGHTED + 1)]
    graph = graph_of("a -> tea " + " ".join(pages), "b -> tea milk")
    answer = graph.related("tea", known=pages)
    assert [one.url for one in answer][:1] == ["milk"]
    assert any("too many to use as hints" in note for note in answer.notes)


def test_the_evidence_names_the_query_pages_that_a_result_is_near() -> None:
    answer = CITY.related({"tea": 1, "rice": 1}, limit=20, site="page")
    (soup,) = (one for one in answer if one.url == "soup")
    assert soup.evidence["lists"][0]["of"] == "rice"
    assert "rice" in soup.evidence["sentence"]
    (alone,) = (o for o in CITY.related("rice", unlike="tea", limit=20) if o.url == "soup")
    assert "query pages" not in alone.evidence["sentence"]


def test_an_answer_has_its_weights() -> None:
    reply = CITY.related({"tea": 1, "milk": 0.5}, unlike={"rice": 2}).as_dict()
    assert reply["asked"] == ["tea", "milk"]
    assert reply["weights"] == {"tea": 1.0, "milk": 0.5}
    assert reply["unlike"] == {"rice": 2.0}
    assert "weights" not in CITY.related("tea").as_dict()


@pytest.mark.parametrize(
    ("pages", "unlike", "says"),
    [
        ({"tea": 0}, (), "the weight of tea must be above 0 and at most 1000, got 0"),
        ({"tea": float("nan")}, (), "the weight of tea must be above 0"),
        ({"tea": "1"}, (), "the weight of tea must be above 0"),
        ({}, (), "no pages given"),
        ("tea", {"milk": -1}, "the weight of milk must be above 0"),
        ("tea", 5, "unlike must be pages, or a dictionary"),
        (dict.fromkeys(map(str, range(501)), 1), (), "at most 500 pages with weights, got 501"),
    ],
)
def test_wrong_weights_are_rejected(pages: object, unlike: object, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        CITY.related(pages, unlike=unlike)  # type: ignore[arg-type]


def test_weights_are_read_after_the_last_colon_of_a_page() -> None:
    graph = Graph.from_links(
        [
            ("http://a.org/", "http://a.org:8080/"),
            ("http://a.org/x:2", "http://a.org/x"),
            ("Talk:Tea", "Talk:5"),
        ]
    )

    def read(*texts: str) -> object:
        return read_weights(graph.store, texts)

    assert read("http://a.org/", "Talk:Tea") == ["http://a.org/", "Talk:Tea"]
    assert read("http://a.org/:0.5", "Talk:Tea") == {"http://a.org/": 0.5, "Talk:Tea": 1.0}
    assert read("http://a.org/x:2") == ["http://a.org/x:2"]  # a page of this name exists
    assert read("http://a.org/x:2:3") == {"http://a.org/x:2": 3.0}
    assert read("http://a.org/x:.25") == {"http://a.org/x": 0.25}
    assert read("http://a.org:8080") == ["http://a.org:8080"]
    assert read("http://a.org:9000") == ["http://a.org:9000"]  # a port, not a weight
    assert read("Talk:5") == ["Talk:5"]
    assert read("Talk:Tea:7") == {"Talk:Tea": 7.0}
    with pytest.raises(PageNotFound, match=r"In PAGE:WEIGHT, the page must be in the graph"):
        read("Talk:Milk:2")
    with pytest.raises(OptionError, match="is given twice"):
        read("Talk:Tea:1", "Talk:Tea:2")
