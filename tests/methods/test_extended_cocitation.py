"""Extended cocitation against its definition, and on graphs worked by hand."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.against import assert_same, graph_from
from tests.methods.page_sources import SOURCE
from tests.methods.twins import Asked
from tests.reference.extended_cocitation import extended_cocitation
from tests.reference.graphs import questions
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.contract.sampling import draw


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


@given(questions(max_pages=26), st.fixed_dictionaries({**SOURCE, "threshold": st.integers(1, 3)}))
def test_extended_cocitation_is_what_its_definition_says(
    asked: Asked, options: dict[str, Any]
) -> None:
    lists, query, stop = asked
    plain = PlainGraph(lists, draw=draw)
    wanted = extended_cocitation(plain, query, stop=stop, **options)
    answer = graph_from(lists).related(
        query, by="extended-cocitation", chop=False, limit=1000, stop=stop, **options
    )
    assert_same(answer, plain, wanted.scores, wanted.ties)
    assert [result.url for result in answer] == plain.ordered_list(wanted.scores, wanted.ties)
    for result in answer:
        for name, degrees in (("back", wanted.back), ("forward", wanted.forward)):
            told = result.evidence[name]
            assert (told["degree"] if told else 0) == degrees.get(result.url, 0)


def test_three_parents_on_one_site_give_a_back_cocitation_degree_of_one() -> None:
    children = "$c1.org/ $c2.org/ $c3.org/"
    pages = [f"$s.org/{i} -> $u.org/ {children} " for i in range(3)]
    graph = web(*pages, "$other.org/ -> $u.org/ $c1.org/")
    asked = {"by": "extended-cocitation", "limit": 100}
    answer = graph.related("https://u.org/", **asked)
    assert [(result.url, result.score) for result in answer] == [
        ("https://c1.org/", 2.0),
        ("https://c2.org/", 1.0),
        ("https://c3.org/", 1.0),
    ]
    assert answer.details["merged_parents"] == 2
    apart = graph.related("https://u.org/", site="page", **asked)
    assert {result.url: result.score for result in apart} == {
        "https://c1.org/": 4.0,
        "https://c2.org/": 3.0,
        "https://c3.org/": 3.0,
    }


def test_a_site_and_the_mirror_of_one_of_its_pages_are_one_parent() -> None:
    many = " ".join(f"$t{i}.org/" for i in range(12))
    graph = web(
        f"$one.org/a -> $u.org/ {many}",
        "$one.org/b -> $u.org/ $v.org/",
        f"$two.org/ -> $u.org/ {many}",
        "$two.org/b -> $u.org/ $v.org/",
        "$three.org/ -> $u.org/ $v.org/",
    )
    answer = graph.related("https://u.org/", by="extended-cocitation", limit=100)
    assert answer.details["merged_parents"] == 2
    assert answer[0].url == "https://v.org/"
    assert answer[0].score == 2
    assert {result.score for result in answer if result.url != "https://v.org/"} == {1}


def test_pages_similar_to_the_query_are_not_coparents() -> None:
    links = " ".join(f"$c{i}.org/" for i in range(20))
    graph = web(
        f"$u.org/ -> {links}",
        f"$mirror.org/ -> {links}",
        "$u.org/other -> $c0.org/",
        "$v.org/ -> $c0.org/ $c1.org/",
        "$w.org/ -> $c1.org/ $x.org/",
    )
    answer = graph.related("https://u.org/", by="extended-cocitation")
    assert [(result.url, result.score) for result in answer] == [
        ("https://v.org/", 2.0),
        ("https://w.org/", 1.0),
    ]
    assert answer[0].evidence["children"] == ["https://c0.org/", "https://c1.org/"]
    assert answer[0].evidence["sentence"] == (
        "“v.org” links to 2 of the 20 sites that “u.org” links to."
    )
