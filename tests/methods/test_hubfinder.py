"""HubFinder against its definition, and on graphs worked by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference import hubfinder as reference
from tests.reference.graphs import LinkLists, questions
from tests.reference.plain_graph import PlainGraph, Scores
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.methods.hubfinder import how_many
from whatsrelated.stream import Page

Asked = tuple[LinkLists, str, frozenset[str]]


def urls(answer: Any) -> list[str]:
    return [result.url for result in answer]


def out_degrees(pages: Any, graph: Graph) -> Any:
    return graph.store.out_degree(pages).astype(float)


@given(
    questions(),
    st.data(),
    st.sampled_from(
        ["hubrank", "pagerank", "hits:hubs", "out-degree", "local", "local:authorities"]
    ),
    st.integers(0, 3),
    st.integers(0, 4),
    st.sampled_from([0.0, 1.0, 2.5]),
    st.booleans(),
    st.booleans(),
)
def test_hubfinder_is_what_its_definition_says(
    asked: Asked,
    data: st.DataObject,
    criterion: str,
    steps: int,
    inlinks: int,
    decay: float,
    trim: bool,
    min_out: bool,
) -> None:
    lists, query, stop = asked
    plain = PlainGraph(lists)
    graph = Graph.from_pages(Page(page, links) for page, links in lists.items())
    others = data.draw(st.lists(st.sampled_from(plain.pages), max_size=2))
    start = list(dict.fromkeys([query, *others]))
    judged: reference.Criterion
    if criterion.startswith("local"):
        judged = reference.local(plain, "authorities" if "authorities" in criterion else "hubs")
    else:
        ranking = graph.rank(criterion.partition(":")[0])
        numbers = ranking.hubs if criterion.endswith("hubs") else ranking.scores
        scores: Scores = {graph.url(page): float(x) for page, x in enumerate(numbers)}
        judged = lambda found: scores  # noqa: E731
    options: dict[str, Any] = {
        "steps": steps,
        "inlinks": inlinks,
        "decay": decay,
        "trim": trim,
        "min_out": min_out,
    }
    expected = reference.hubfinder(plain, start, judged, stop=stop, **options)
    answer = graph.related(
        start, by="hubfinder", criterion=criterion, stop=list(stop), limit=1000, **options
    )
    told = [
        {"new": len(new), "after_trimming": len(trimmed), "kept": len(kept)}
        for new, trimmed, kept in expected.steps
    ]
    found = [
        {name: step[name] for name in ("new", "after_trimming", "kept")}
        for step in answer.details["steps"]
    ]
    assert found == told
    results = {result.url: result.score for result in answer}
    assert results == pytest.approx(expected.scores, abs=1e-9)
    if not criterion.startswith("local"):
        largest = max(results.values(), default=0.0) or 1.0
        assert urls(answer) == sorted(
            results, key=lambda page: (-round(results[page] / largest, 9), plain.number[page])
        )


def test_the_steps_are_those_worked_by_hand() -> None:
    graph = graph_of(
        "u -> a b",
        "a -> 1 2 3",
        "b -> 1 2",
        "1 -> c 2 3 4",
        "c -> 1 2 3 4 5",
        "p -> u x y",
        "q -> u x",
    )
    answer = graph.related("u", by="hubfinder", criterion="out-degree", inlinks=1)
    assert urls(answer) == ["c", "1", "a", "p"]
    assert answer.details["steps"] == [
        {"distance": 1, "new": 3, "after_trimming": 3, "least_links": 3, "kept": 2},
        {"distance": 2, "new": 5, "after_trimming": 2, "least_links": 4, "kept": 1},
        {"distance": 3, "new": 4, "after_trimming": 1, "least_links": 5, "kept": 1},
    ]
    assert answer.notes[:3] == [
        "Step 0: 3 new pages, 2 with at least 3 links.",
        "Step 1: 5 new pages, the best 2 of them, 1 with at least 4 links.",
        "Step 2: 4 new pages, the best 1 of them, 1 with at least 5 links.",
    ]


def test_the_share_that_is_kept_is_con04s() -> None:
    assert [how_many(100, 2, 1.0), how_many(100, 3, 1.0), how_many(1000, 2, 0.0)] == [40, 26, 700]
    assert how_many(1, 5, 9.0) == 1


def test_the_evidence_shows_the_path_from_the_query() -> None:
    graph = graph_of("u -> a", "hub -> a b c d", "a -> x y z", "far -> x y z hub w", "x -> y")
    answer = graph.related("u", by="hubfinder", criterion="out-degree", min_out=False, trim=False)
    far = next(result for result in answer if result.url == "far")
    assert far.evidence == {
        "sentence": (
            "“far”, which links to 5 pages, is 3 links away from “u”, through “a” and “hub”."
        ),
        "named": [{"url": url, "title": None, "name": url} for url in ("far", "u", "a", "hub")],
        "path": [
            {"url": "a", "found_by": "link to it"},
            {"url": "hub", "found_by": "link from it"},
            {"url": "far", "found_by": "link from it"},
        ],
        "start": "u",
        "distance": 3,
        "links": 5,
        "criterion": "out-degree",
        "score": pytest.approx(5 / 14),
    }


def test_authorities_are_found_without_the_out_degree_filter() -> None:
    graph = graph_of("hub -> u end other more", "fan -> end u x", "u -> hub")
    with_filter = graph.related("u", by="hubfinder", criterion="in-degree", steps=1)
    without = graph.related("u", by="hubfinder", criterion="in-degree", steps=1, min_out=False)
    assert "end" not in urls(with_filter)
    assert urls(without)[0] == "end"


def test_nothing_found_has_its_reason() -> None:
    graph = graph_of("u -> a", "a -> b", "alone")
    assert graph.related("u", by="hubfinder").notes[-1] == "no page around u has at least 3 links"
    reason = "alone has no links in either direction"
    assert graph.related("alone", by="hubfinder").notes[-1] == reason


def test_a_deadline_ends_the_search_between_two_steps() -> None:
    graph = graph_of("u -> a", "a -> x y z", "x -> a b c d")
    answer = graph.related("u", by="hubfinder", deadline=0.0)
    assert "Time ran out before step 0." in answer.notes
    assert len(answer) == 0


TEXTS = {
    "u": "Green tea, and black tea; a kettle and a pot of tea.",
    "like": "Tea! Kettle and pot: how to make green tea in a pot.",
    "unlike": "Football scores and league tables of the season.",
    "bare": None,
}


def with_text() -> Graph:
    pages = [
        Page("u", ["like", "unlike", "bare"], text=TEXTS["u"]),
        Page("like", ["x", "y", "z"], text=TEXTS["like"]),
        Page("unlike", ["x", "y", "z"], text=TEXTS["unlike"]),
        Page("bare", ["x", "y", "z"]),
    ]
    return Graph.from_pages(pages, text=True)


def test_the_content_filter_keeps_pages_with_a_text_like_the_querys() -> None:
    graph = with_text()
    assert set(urls(graph.related("u", by="hubfinder", steps=0))) == {"like", "unlike", "bare"}
    answer = graph.related("u", by="hubfinder", steps=0, like=0.2)
    assert urls(answer) == ["like"]
    assert "1 of 3 pages have similar text." in answer.notes
    nothing = graph.related("u", by="hubfinder", steps=0, like=0.99)
    assert nothing.notes[-1] == "no page found has text like u"


def test_the_content_filter_needs_a_graph_with_text() -> None:
    graph = graph_of("u -> a b c")
    with pytest.raises(OptionError, match=r"^like needs the text of pages, .* with --text"):
        graph.related("u", by="hubfinder", like=0.2)
