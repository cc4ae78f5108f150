"""cpa, coupling, peers and walk against their definitions, and what they say of themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.blend import blend
from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.graphs import LinkLists, questions
from tests.reference.peers import peers
from tests.reference.plain_graph import PlainGraph, Scores
from tests.reference.walk import probabilities, walk
from whatsrelated.api import Graph
from whatsrelated.query.sampling import draw
from whatsrelated.stream import Page

Asked = tuple[LinkLists, str, frozenset[str]]


def graph_and_twin(lists: LinkLists, ordered: bool = True) -> tuple[Graph, PlainGraph]:
    pages = (Page(page, links) for page, links in lists.items())
    return Graph.from_pages(pages, ordered=ordered), PlainGraph(lists, ordered=ordered, draw=draw)


def same(graph: Graph, twin: PlainGraph, query: str, scores: Scores, **options: object) -> None:
    answer = graph.related(query, limit=1000, chop=False, **options)
    assert [result.url for result in answer] == twin.ordered_list(scores)
    for result in answer:
        assert result.score == pytest.approx(scores[result.url], rel=1e-9)


@given(questions(), st.integers(1, 5), st.floats(0, 2), st.booleans(), st.integers(0, 3))
def test_cpa_is_what_its_definition_says(
    asked: Asked, parents: int, alpha: float, ordered: bool, seed: int
) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists, ordered)
    scores = cpa(twin, query, parents=parents, alpha=alpha, seed=seed, stop=stop)
    options = {"parents": parents, "alpha": alpha, "seed": seed, "stop": stop}
    same(graph, twin, query, scores, by="cpa", **options)


@given(questions())
def test_coupling_is_what_its_definition_says(asked: Asked) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists)
    same(graph, twin, query, coupling(twin, query, stop=stop), by="coupling", stop=stop)


@given(questions(), st.integers(1, 6))
def test_peers_is_what_its_definition_says(asked: Asked, count: int) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists)
    scores = peers(twin, query, peers=count, stop=stop)
    same(graph, twin, query, scores, by="peers", peers=count, stop=stop)


@given(questions(), st.floats(0.05, 0.9))
def test_walk_is_what_its_definition_says_to_within_its_error(asked: Asked, restart: float) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists)
    exact = walk(twin, query, restart=restart, stop=stop)
    for error in (1e-9, 0.01):
        answer = graph.related(
            query, by="walk", restart=restart, error=error, stop=stop, limit=1000, chop=False
        )
        found = {result.url: result.score for result in answer}
        assert set(found) <= set(exact)
        for page, score in exact.items():
            degree = twin.in_degree(page) + twin.out_degree(page)
            assert -1e-9 <= score - found.get(page, 0.0) <= error * degree**0.75 + 1e-9


@given(questions())
def test_the_walk_says_how_much_a_page_may_lack(asked: Asked) -> None:
    lists, query, _ = asked
    graph, twin = graph_and_twin(lists)
    exact = probabilities(twin, query)
    for result in graph.related(query, by="walk", error=0.02):
        lacking = exact[result.url] - result.evidence["probability"]
        assert -1e-9 <= lacking <= result.evidence["lacks_at_most"] + 1e-9


@given(questions(), st.integers(0, 3), st.booleans(), st.booleans())
def test_blend_is_what_its_definition_says(
    asked: Asked, seed: int, ordered: bool, names: bool
) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists, ordered)
    walked = graph.related(query, by="walk", limit=1000, chop=False)
    found = {result.url: result.score for result in walked}
    scores = blend(twin, query, found, seed=seed, stop=stop, names=names)
    same(graph, twin, query, scores, by="blend", seed=seed, stop=stop, names=names)


def test_the_evidence_of_a_blend_adds_up_and_begins_with_what_gave_most() -> None:
    graph = graph_of("p -> u v w", "q -> v u", "u -> a b", "v -> a b c", "a -> b", "b -> a")
    result = graph.related("u", by="blend")[0]
    parts = result.evidence["parts"]
    shares = [part["share"] for part in parts]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    assert {part["by"] for part in parts} <= {"walk", "cpa", "coupling", "peers"}
    assert result.evidence["sentence"].startswith(parts[0]["sentence"])


def test_a_blend_puts_names_that_are_spelt_alike_first_unless_told_not_to() -> None:
    elements = "element/image/height element/image/alt element/video/height element/video/loop"
    graph = graph_of(f"element/source/height -> {elements}", f"index -> {elements}")
    by_names, by_links = (
        [r for r in graph.related("element/source/height", names=names) if r.url != "index"]
        for names in (True, False)
    )
    assert [r.url for r in by_names[:2]] == ["element/image/height", "element/video/height"]
    (named,) = [part for part in by_names[0].evidence["parts"] if part["by"] == "names"]
    assert named["sentence"].startswith(f"The names are {named['alike']:.0%} alike")
    assert sum(part["share"] for part in by_names[0].evidence["parts"]) == pytest.approx(1)
    assert by_links[0].url == "element/image/alt"
    assert all(part["by"] != "names" for part in by_links[0].evidence["parts"])


def test_among_many_sites_names_say_nothing() -> None:
    lines = (
        "https://list.org/ -> https://a.com/tea https://b.com/tea https://c.com/",
        "https://links.net/ -> https://b.com/tea https://a.com/tea https://c.com/",
    )
    with_names, without = (
        graph_of(*lines).related("https://a.com/tea", by="blend", names=names)
        for names in (True, False)
    )
    assert [(r.url, r.score) for r in with_names] == [(r.url, r.score) for r in without]


def test_at_the_edge_of_a_crawl_a_blend_listens_to_peers() -> None:
    shelf = "one two three four five six seven eight"
    edge = [f"u -> {shelf}", f"v -> {shelf} wanted", f"w -> {shelf} wanted"]
    whole = [*edge, *(f"{page} -> index" for page in [*shelf.split(), "wanted"]), "index -> one"]
    at_edge, inside = (graph_of(*lines).related("u", by="blend")[0] for lines in (edge, whole))
    assert at_edge.url == "wanted"
    assert at_edge.evidence["parts"][0]["by"] == "peers"
    assert inside.url == "v"


def test_among_many_sites_a_blend_passes_over_the_page_s_own_and_those_that_point_to_it() -> None:
    lines = (
        "https://list.org/ -> https://paper.com/ https://other.com/",
        "https://links.net/ -> https://paper.com/ https://other.com/",
        "https://paper.com/ -> https://paper.com/world https://paper.com/sport",
        "https://paper.com/world -> https://paper.com/ https://paper.com/sport",
    )
    among_sites, among_pages = (
        {r.url: r.score for r in graph_of(*lines).related("https://paper.com/", site=site)}
        for site in ("host", "page")
    )
    assert next(iter(among_sites)) == "https://other.com/"
    for own in ("https://paper.com/sport", "https://list.org/"):
        left = among_sites[own] / among_sites["https://other.com/"]
        assert left < among_pages[own] / among_pages["https://other.com/"] / 2


def test_a_link_farm_has_one_voice_in_a_blend() -> None:
    farm = [f"https://farm.com/{i} -> https://air.com/ https://casino.com/" for i in range(9)]
    lists = [f"https://list{i}.org/ -> https://air.com/ https://sky.com/" for i in range(3)]
    graph = graph_of(*farm, *lists)
    assert graph.related("https://air.com/", by="cpa")[0].url == "https://casino.com/"
    assert graph.related("https://air.com/", by="blend")[0].url == "https://sky.com/"


def test_a_blend_samples_as_many_parents_as_it_is_told() -> None:
    graph = graph_of(*(f"p{i} -> u v{i}" for i in range(9)))
    answer = graph.related("u", by="blend", parents=2)
    assert answer.details["cpa"] == 2


def test_cpa_without_link_order_counts_parents_and_says_so() -> None:
    graph = Graph.from_links([("p", "u"), ("p", "x"), ("p", "v")], ordered=False)
    answer = graph.related("u", by="cpa")
    assert [result.score for result in answer] == [1.0, 1.0]
    assert answer.notes == ["The source had no link order: all links of a page count alike."]


def test_the_evidence_of_cpa_names_the_parent_with_the_nearest_links() -> None:
    graph = graph_of("far -> v a b c u", "near -> x y z w q u v", "other -> u w")
    (result,) = [r for r in graph.related("u", by="cpa") if r.url == "v"]
    assert result.evidence["sentence"] == "2 of 3 parents link to both pages, 1 link apart on near."
    assert result.score == pytest.approx(1 + 4**-0.85)


def test_coupling_gives_up_the_most_common_children_first() -> None:
    crowd = [f"page{i} -> portal" for i in range(20)]
    graph = graph_of("u -> portal rare", "v -> rare", *crowd)
    assert len(graph.related("u", by="coupling", limit=100)) == 21
    few = graph.related("u", by="coupling", reads=10)
    assert [result.url for result in few] == ["v"]
    assert few[0].evidence["sentence"] == "Both link to 1 page; the rarest is rare."
    none = graph.related("page3", by="coupling", reads=10)
    assert "(reads)" in none.notes[-1]


def test_peers_finds_what_no_parent_and_no_child_shares() -> None:
    graph = graph_of("u -> a b", "v -> a b wanted", "w -> b wanted", "x -> c")
    answer = graph.related("u", by="peers")
    assert "wanted" in [result.url for result in answer]
    (wanted,) = [result for result in answer if result.url == "wanted"]
    assert wanted.evidence["peers_linking"] == 2
    assert wanted.evidence["nearest"] == ["v", "w"]


@pytest.mark.parametrize(
    ("by", "query", "reason"),
    [
        ("cpa", "p", "no page links to p"),
        ("cpa", "q", "the pages that link to q link to no other page"),
        ("coupling", "q", "q links to no page"),
        ("coupling", "p", "no other page links to what p links to"),
        ("peers", "p", "no other page links to what p links to"),
        ("walk", "alone", "alone has no links, neither in nor out"),
    ],
)
def test_an_empty_answer_says_which_condition_failed(by: str, query: str, reason: str) -> None:
    graph = graph_of("p -> q", "alone")
    answer = graph.related(query, by=by)
    assert len(answer) == 0
    assert answer.notes[-1] == reason
