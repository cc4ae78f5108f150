"""Companion against its definition, and on graphs worked by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.against import assert_same, graph_from
from tests.reference.companion import companion
from tests.reference.graphs import LinkLists, questions
from tests.reference.joining import joined
from tests.reference.plain_graph import PlainGraph, Scores
from whatsrelated.api import Graph
from whatsrelated.contract.sampling import draw

Asked = tuple[LinkLists, str, frozenset[str]]


SITES = st.sampled_from(["auto", "host", "domain", "page"])


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


def names(graph: Graph, query: str | list[str], by: str = "companion", **options: Any) -> list[str]:
    return [result.url for result in graph.related(query, by=by, limit=1000, **options)]


@given(
    questions(max_pages=26),
    st.fixed_dictionaries(
        {
            "parents": st.integers(0, 6),
            "siblings": st.integers(0, 6) | st.just("all"),
            "children": st.integers(0, 5),
            "coparents": st.integers(0, 4),
            "merge": st.booleans(),
            "near_links": st.sampled_from([10, 2, 0]),
            "near_share": st.sampled_from([0.95, 0.6, 0.01]),
            "weights": st.booleans(),
            "site": SITES,
            "seed": st.integers(0, 3),
        }
    ),
)
def test_companion_is_what_its_definition_says(asked: Asked, options: dict[str, Any]) -> None:
    lists, query, stop = asked
    plain = PlainGraph(lists, draw=draw)
    scores = companion(plain, query, stop=stop, **options).scores
    answer = graph_from(lists).related(
        query, by="companion", chop=False, limit=1000, stop=stop, **options
    )
    assert_same(answer, plain, scores)


@given(questions(max_pages=26), st.integers(1, 3), SITES, st.data())
def test_companion_for_several_pages_is_what_its_definition_says(
    asked: Asked, parents: int, site: str, data: st.DataObject
) -> None:
    lists, query, stop = asked
    plain = PlainGraph(lists, draw=draw)
    others = data.draw(st.lists(st.sampled_from(plain.pages), min_size=1, max_size=2))
    queries = list(dict.fromkeys([query, *others]))
    options: dict[str, Any] = {"parents": parents, "site": site, "stop": stop}
    found = companion(plain, queries, **options)
    graph = graph_from(lists)
    answer = graph.related(
        queries, by="companion", chop=False, limit=1000, several="union", **options
    )
    assert_same(answer, plain, found.scores)
    assert answer.vicinity == {"pages": len(found.nodes), "links": len(found.edges)}
    if len(queries) == 1:
        return
    lists_of = [companion(plain, page, **options).scores for page in queries]
    held: dict[int, Scores] = {}
    for page, count, mean in joined(plain, queries, lists_of):
        held.setdefault(count, {})[page] = mean
    answer = graph.related(queries, by="companion", chop=False, limit=1000, **options)
    groups = [Counter(page in part for part in lists_of)[True] for page in (r.url for r in answer)]
    assert groups == sorted(groups, reverse=True)
    for count, scores in held.items():
        own = [result for result, group in zip(answer, groups, strict=True) if group == count]
        assert {result.url: result.score for result in own} == pytest.approx(scores, rel=1e-5)


def test_a_page_that_both_query_pages_lead_to_comes_before_the_best_of_one() -> None:
    # Around u there are twenty hubs, around v two; the union's authority is all u's.
    graph = web(
        *(f"$p{i}.org/ -> $u.org/ $a.org/ $b.org/" for i in range(20)),
        "$both.org/ -> $u.org/ $v.org/ $c.org/",
        *(f"$q{i}.org/ -> $v.org/ $d.org/" for i in range(2)),
    )
    asked = ["https://u.org/", "https://v.org/"]
    assert names(graph, asked)[0] == "https://c.org/"
    assert names(graph, asked, several="union")[0] == "https://a.org/"
    assert "https://d.org/" in names(graph, asked)


MIRROR = " ".join(f"$t{i}.org/" for i in range(20))


def test_a_mirror_no_longer_dominates() -> None:
    lines = [f"$m{i}.org/ -> $u.org/ {MIRROR}" for i in range(4)]
    lines += ["$p.org/ -> $u.org/ $v.org/", "$q.org/ -> $u.org/ $v.org/ $w.org/"]
    graph = web(*lines)
    assert names(graph, "https://u.org/", merge=False)[0] == "https://t0.org/"
    answer = graph.related("https://u.org/", by="companion", limit=100)
    assert answer[0].url == "https://v.org/"
    assert answer.details["merged"] == 3
    # By hand: the mirrors are one hub of u and the first four links of their window; A is the
    # first eigenvector of Hub' Hub over (u, each t, v, w), every weight 1.
    hubs = np.array([[1, 1, 1, 1, 1, 0, 0], [1, 0, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1, 1]])
    vector = np.abs(np.linalg.eigh(hubs.T @ hubs)[1][:, -1])
    scores = {result.url: result.score for result in answer}
    assert scores["https://v.org/"] == pytest.approx(vector[5], abs=1e-8)
    assert scores["https://t0.org/"] == pytest.approx(vector[1], abs=1e-8)
    assert scores["https://w.org/"] == pytest.approx(vector[6], abs=1e-8)
    assert len(scores) == 6


@pytest.mark.parametrize("more_linked", ["one", "two"])
def test_two_mirrors_keep_their_links_whichever_of_them_names_the_pair(more_linked: str) -> None:
    # one.org/ and two.org/ have the same eleven links.  Each has one inner link, which is within
    # its host; the other mirror's link to the same page is between hosts, so the pair has both.
    shared = " ".join(f"$t{i}.org/" for i in range(8))
    graph = web(
        f"$one.org/ -> $u.org/ $one.org/in $two.org/in {shared}",
        f"$two.org/ -> $u.org/ $one.org/in $two.org/in {shared}",
        f"$x.org/ -> ${more_linked}.org/",
    )
    answer = graph.related("https://u.org/", by="companion", siblings="all", limit=100)
    assert answer.details["merged"] == 1
    assert {"https://one.org/in", "https://two.org/in"} <= {result.url for result in answer}


@st.composite
def mirrored(draw: st.DrawFn) -> dict[str, list[str]]:
    """Mirrors on several hosts, most with the same in-degree, that link to each other's hosts."""
    hosts = [f"https://h{number}.org/" for number in range(draw(st.integers(2, 4)))]
    inner = [host + "in" for host in hosts]
    others = [f"https://t{number}.org/" for number in range(draw(st.integers(0, 4)))]
    links = draw(st.permutations(["https://u.org/", *inner, *others]))
    lists = {host: list(links) for host in hosts}
    pages = st.sampled_from(["https://u.org/", *hosts, *inner, *others])
    for number in range(draw(st.integers(0, 3))):
        lists[f"https://p{number}.org/"] = draw(st.lists(pages, min_size=1, max_size=4))
    for page in draw(st.lists(st.sampled_from(["https://u.org/", *inner]), unique=True)):
        lists[page] = draw(st.lists(pages.filter(lambda other, own=page: other != own), max_size=4))
    return lists


@given(mirrored(), st.booleans(), st.sampled_from(["host", "page"]))
def test_merging_is_what_its_definition_says_if_in_degrees_tie(
    lists: dict[str, list[str]], weights: bool, site: str
) -> None:
    options: dict[str, Any] = {"siblings": "all", "near_links": 1, "weights": weights, "site": site}
    plain = PlainGraph(lists, draw=draw)
    scores = companion(plain, "https://u.org/", **options).scores
    answer = graph_from(lists).related(
        "https://u.org/", by="companion", chop=False, limit=1000, **options
    )
    assert_same(answer, plain, scores)


def test_a_site_has_one_vote_for_a_page_however_many_of_its_pages_link() -> None:
    farm = [f"$farm.org/{i} -> $u.org/ $spam.org/" for i in range(5)]
    graph = web(*farm, "$p.org/ -> $u.org/ $good.org/", "$q.org/ -> $u.org/ $good.org/")
    assert names(graph, "https://u.org/") == ["https://good.org/", "https://spam.org/"]
    assert names(graph, "https://u.org/", weights=False)[0] == "https://spam.org/"
    assert names(graph, "https://u.org/", by="hits")[0] == "https://spam.org/"


def test_the_children_and_their_other_parents_count_too() -> None:
    graph = web(
        "$u.org/ -> $a.org/ $b.org/",
        "$v.org/ -> $a.org/ $b.org/ $c.org/",
        "$w.org/ -> $a.org/ $b.org/",
    )
    assert names(graph, "https://u.org/") == ["https://a.org/", "https://b.org/"]
    assert names(graph, "https://u.org/", children=0) == []


def test_if_the_query_has_all_authority_the_rest_does_not_depend_on_the_tolerance() -> None:
    graph = web(
        *(f"$p{i}.org/ -> $u.org/" for i in range(5)),
        "$u.org/ -> $c.org/ $d.org/",
        "$q.org/ -> $c.org/",
    )
    # By hand: without the five pages that link to nothing but u, c has the hubs u and q,
    # and d has u: the first eigenvector of [[2, 1], [1, 1]].
    expected = np.abs(np.linalg.eigh([[2, 1], [1, 1]])[1][:, -1])
    for by in ("companion", "hits"):
        for tolerance in (1e-4, 1e-9, 1e-12):
            answer = graph.related("https://u.org/", by=by, tolerance=tolerance)
            if by == "companion":
                assert [result.url for result in answer] == ["https://c.org/", "https://d.org/"]
                scores = [result.score for result in answer]
                assert scores == pytest.approx(expected.tolist(), abs=2 * tolerance)
            else:  # whose parents and their parents alone are around: u's children
                assert [result.score for result in answer] == pytest.approx([2**-0.5] * 2)


def test_inside_one_site_every_page_is_its_own() -> None:
    graph = web(
        "$h.org/1 -> $h.org/u $h.org/v",
        "$h.org/2 -> $h.org/u $h.org/v",
        "$o.org/ -> $p.org/",
        "$p.org/ -> $q.org/",
        "$q.org/ -> $o.org/",
    )
    answer = graph.related("https://h.org/u", by="companion")
    assert [result.url for result in answer] == ["https://h.org/v"]
    assert any("each page counts as a site" in note for note in answer.notes)
    empty = graph.related("https://h.org/u", by="companion", site="host")
    assert len(empty) == 0
    assert "all links around https://h.org/u stay on one site" in empty.notes[-1]


def test_a_hub_with_many_parents_is_sampled_the_same_way_each_time() -> None:
    lines = [f"$p{i}.org/ -> $u.org/ $s{i % 7}.org/" for i in range(50)]
    graph = web(*lines)
    answer = graph.related("https://u.org/", by="companion", parents=10)
    assert (answer.details["parents"], answer.details["sampled"]) == (50, 10)
    assert names(graph, "https://u.org/", parents=10) == [r.url for r in answer]
    drawn = {tuple(names(graph, "https://u.org/", parents=10, seed=seed)) for seed in range(6)}
    assert len(drawn) > 1
