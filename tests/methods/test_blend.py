"""blend against its definition, and its evidence."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.twins import Asked, graph_and_twin, same
from tests.reference.blend import blend, strength
from tests.reference.graphs import questions
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.methods.blend import Blend, BlendFormula, gather, product
from whatsrelated.stream import Page


def degree_of(twin: PlainGraph, page: str) -> int:
    return twin.in_degree(page) + twin.out_degree(page)


@given(questions(), st.integers(0, 3), st.booleans(), st.booleans())
def test_blend_is_what_its_definition_says(
    asked: Asked, seed: int, ordered: bool, names: bool
) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists, ordered)
    # The walk is computed to within an error, and its powers of the degree are two.
    walked = {
        result.url: result.score * degree_of(twin, result.url) ** (0.25 - 0.35)
        for result in graph.related(query, by="walk", restart=0.3, limit=1000, chop=False)
    }
    scores = blend(twin, query, walked, seed=seed, stop=stop, names=names)
    same(graph, twin, query, scores, by="blend", seed=seed, stop=stop, compare_names=names)


@given(questions(), st.booleans())
def test_blend_is_near_its_definition_with_the_walk_solved(asked: Asked, names: bool) -> None:
    lists, query, _ = asked
    graph, twin = graph_and_twin(lists)
    exact = blend(twin, query, names=names)
    for result in graph.related(query, by="blend", compare_names=names, limit=1000, chop=False):
        assert result.score == pytest.approx(exact[result.url], rel=0.05)


def test_the_score_by_hand() -> None:
    graph = graph_of("p -> u v", "q -> u v w", "u -> a", "v -> a")
    formula = BlendFormula(faint=0.02, popular_power=0.5, known_limit=2, known_power=2)
    vicinity = gather(graph.question([graph.page("u")]), 2000, formula)
    factors = formula.factors(vicinity, names=False)
    places = {graph.url(page): place for place, page in enumerate(vicinity.pages.tolist())}
    walk, near, coupled = vicinity.parts
    assert {name: near[place] for name, place in places.items() if near[place]} == pytest.approx(
        {"v": 2, "w": 2**-0.85}
    )
    (v,) = np.flatnonzero(coupled)
    assert v == places["v"]
    agreement = walk @ near / sqrt(walk @ walk * (near @ near))
    assert walk[v] / sqrt(walk @ walk) < agreement < 1  # the cosine with coupling is smaller
    walked = walk / (walk.max() + 0.02 * (1 / agreement - 1)) + 0.05
    assert factors["walk"].tolist() == pytest.approx(walked.tolist())
    # v has two parents and w one: v has 2 / sqrt(2), which is the largest.
    beside = {"v": 1.75, "w": 2**-0.85 / sqrt(2) + 0.75, "p": 0.75, "q": 0.75, "a": 0.75}
    assert {name: factors["cpa"][place] for name, place in places.items()} == pytest.approx(beside)
    assert factors["coupling"][v] == 2
    assert factors["page"].tolist() == [4 if name in {"v", "a"} else 1 for name in places]
    assert product(factors)[v] == pytest.approx(walked[v] * 1.75 * 2 * 4)


def test_the_evidence_of_a_blend_adds_up_and_begins_with_what_gave_most() -> None:
    graph = graph_of("p -> u v w", "q -> v u", "u -> a b", "v -> a b c", "a -> b", "b -> a")
    result = graph.related("u", by="blend")[0]
    parts = result.evidence["parts"]
    shares = [part["share"] for part in parts]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    assert {part["by"] for part in parts} <= {"walk", "cpa", "coupling"}
    assert result.score == pytest.approx(strength(result.evidence["raw_score"], "names"))
    sentences = {part["by"]: part["sentence"] for part in parts}
    assert sentences["walk"] not in result.evidence["sentence"], "it only repeats the others"
    assert (
        sentences["cpa"]
        == "“q” and “p”, the only two pages that link to “u”, also link to “v”, side by side."
    )
    assert sentences["coupling"] == "“u” and “v” both link to “a” and “b”."
    assert result.evidence["sentence"] == f"{sentences['cpa']} Both also link to “a” and “b”."
    assert [page["url"] for page in result.evidence["named"]] == ["q", "p", "u", "v", "a", "b"]


def test_a_blend_puts_similar_names_first_unless_names_are_off() -> None:
    elements = "element/image/height element/image/alt element/video/height element/video/loop"
    graph = graph_of(f"element/source/height -> {elements}", f"index -> {elements}")
    by_names, by_links = (
        [r for r in graph.related("element/source/height", compare_names=names) if r.url != "index"]
        for names in (True, False)
    )
    assert [r.url for r in by_names[:2]] == ["element/image/height", "element/video/height"]
    (named,) = [part for part in by_names[0].evidence["parts"] if part["by"] == "names"]
    assert named["sentence"] == (
        "“element/source/height” and “element/image/height” both have “height” in their addresses."
    )
    assert sum(part["share"] for part in by_names[0].evidence["parts"]) == pytest.approx(1)
    assert by_links[0].url == "element/image/alt"
    assert all(part["by"] != "names" for part in by_links[0].evidence["parts"])


def test_with_many_sites_names_do_not_count() -> None:
    lines = (
        "https://list.org/ -> https://a.com/tea https://b.com/tea https://c.com/",
        "https://links.net/ -> https://b.com/tea https://a.com/tea https://c.com/",
    )
    with_names, without = (
        graph_of(*lines).related("https://a.com/tea", by="blend", compare_names=names)
        for names in (True, False)
    )
    assert [(r.url, r.score) for r in with_names] == [(r.url, r.score) for r in without]


def test_a_missing_list_of_links_does_not_change_a_blend() -> None:
    shelf = "one two three four five six seven eight"
    edge = [f"u -> {shelf}", f"v -> {shelf} wanted", f"w -> {shelf} wanted"]
    whole = [*edge, *(f"{page} -> index" for page in [*shelf.split(), "wanted"]), "index -> one"]
    at_edge, inside = (graph_of(*lines).related("u", by="blend") for lines in (edge, whole))
    assert [result.url for result in list(at_edge)[:2]] == ["v", "w"]
    assert [result.url for result in list(inside)[:2]] == ["v", "w"]


def test_with_many_sites_a_blend_demotes_the_pages_own_site_and_pages_that_link_to_it() -> None:
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


def test_a_link_farm_has_one_vote_in_a_blend() -> None:
    farm = [f"https://farm.com/{i} -> https://air.com/ https://casino.com/" for i in range(9)]
    lists = [f"https://list{i}.org/ -> https://air.com/ https://sky.com/" for i in range(3)]
    graph = graph_of(*farm, *lists)
    assert graph.related("https://air.com/", by="cpa")[0].url == "https://casino.com/"
    assert graph.related("https://air.com/", by="blend")[0].url == "https://sky.com/"


def test_a_page_linked_by_one_site_comes_after_pages_linked_by_two() -> None:
    air, sky, moon, casino = (f"https://{name}.com/" for name in ("air", "sky", "moon", "casino"))
    graph = graph_of(
        f"https://list.org/ -> {air} {sky} https://a.com/ https://b.com/ {moon}",
        f"https://links.net/ -> {air} https://c.com/ {sky} https://d.com/ {moon}",
        *(f"https://farm.com/{i} -> {moon} {sky} {air} {casino}" for i in range(9)),
    )
    order = [r.url for r in graph.related(air, by="blend", chop=False)]
    assert order.index(moon) < order.index(casino)


def test_a_link_farm_on_many_hosts_counts_only_as_far_as_others_agree() -> None:
    farm = [f"https://farm{i}.com/ -> https://air.com/ https://casino.com/" for i in range(9)]
    lists = [
        f"https://list{i}.org/ -> https://sky.com/ https://air.com/ https://jet.com/ https://sea.com/"
        for i in range(3)
    ]
    graph = graph_of(*farm, *lists, "https://casino.com/ -> https://dice.com/")
    assert graph.related("https://air.com/", by="cpa")[0].url == "https://casino.com/"
    answer = list(graph.related("https://air.com/", by="blend", chop=False))
    assert [result.url for result in answer[:3]] == [
        "https://jet.com/",
        "https://sky.com/",
        "https://sea.com/",
    ]
    (casino,) = (result for result in answer if result.url == "https://casino.com/")
    assert [part["by"] for part in casino.evidence["parts"]] == ["walk"]
    assert casino.evidence["sentence"]


def test_a_blend_samples_the_requested_number_of_parents() -> None:
    graph = graph_of(*(f"p{i} -> u v{i}" for i in range(9)))
    answer = graph.related("u", by="blend", parents=2)
    assert answer.details["cpa"] == 2


@pytest.mark.parametrize(
    ("asked", "elsewhere", "left"),
    [
        (Page("https://site.org/tea"), Page("https://out.org/", read=False), 0.5),
        (Page("https://site.org/tea"), Page("https://out.org/"), 1.0),
        (Page("https://site.org/tea"), Page("https://site.org/out", read=False), 1.0),
        (Page("https://site.org/tea", read=False), Page("https://out.org/", read=False), 1.0),
        (Page("tea"), Page("out", read=False), 1.0),
    ],
)
def test_on_one_site_pages_of_other_hosts_that_were_not_read_count_half(
    asked: Page, elsewhere: Page, left: float
) -> None:
    beside = Page("https://site.org/milk")
    listed = [elsewhere.url, asked.url, beside.url]
    lists = [Page(f"https://site.org/{number}", listed) for number in range(20)]
    graph = Graph.from_pages([*lists, asked, elsewhere, beside])
    scores = {
        result.url: result.evidence["raw_score"]
        for result in graph.related(asked.url, by="blend", compare_names=False, limit=100)
    }
    assert scores[elsewhere.url] / scores[beside.url] == pytest.approx(left)


def test_with_many_sites_unread_pages_count_in_full() -> None:
    lists = [f"https://list{i}.org/ -> https://a.com/ https://b.com/ https://c.com/" for i in "pq"]
    unread = graph_of(*lists, "https://b.com/ -> https://d.com/")
    read = graph_of(*lists, "https://b.com/ -> https://d.com/", "https://c.com/")
    (one, other) = (
        [(r.url, r.score) for r in graph.related("https://b.com/", by="blend")]
        for graph in (unread, read)
    )
    assert one == other


def test_the_former_name_of_comparing_names_is_accepted() -> None:
    assert Blend(names=False) == Blend(compare_names=False)  # type: ignore[call-arg]
    graph = graph_of("a -> tea coffee", "b -> coffee tea")
    assert graph.related("tea", names=False).options["compare_names"] is False
