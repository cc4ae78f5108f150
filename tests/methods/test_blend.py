"""blend against its definition, and what it says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.twins import Asked, graph_and_twin, same
from tests.reference.blend import blend
from tests.reference.graphs import questions


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
