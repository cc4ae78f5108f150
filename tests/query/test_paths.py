"""The shortest chains of links, against every chain in plain Python."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import whatsrelated as wr
from tests.graphs import graph_of
from tests.methods.twins import graph_and_twin
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.paths import shortest_chains
from whatsrelated.query.paths import LinkPath, find_path

WEB = graph_of("a -> hub rare", "hub -> b c d e", "rare -> b", "x -> hub", "y -> hub", "far -> off")


def names(found: wr.LinkPaths, number: int = 0) -> list[list[str]]:
    """The pages of the chains of a path."""
    return [[found.store.url(page) for page in chain.pages] for chain in found.paths[number].chains]


@given(link_lists(max_pages=9), st.sampled_from(["either", "out", "in"]), st.data())
def test_the_chains_are_the_shortest_in_the_order_of_their_links(
    lists: LinkLists, way: str, data: st.DataObject
) -> None:
    graph, twin = graph_and_twin(lists)
    assume(twin.pages)
    start, end = (data.draw(st.sampled_from(twin.pages)) for _ in range(2))
    expected = shortest_chains(twin, start, end, way)
    limit = data.draw(st.integers(1, 8))
    found = graph.path(start, end, way=way, limit=limit)
    (path,) = found
    assert names(found) == [list(pages) for pages, _ in expected[:limit]]
    assert [chain.steps for chain in path.chains] == [steps for _, steps in expected[:limit]]
    assert path.found == len(expected)
    assert path.length == (len(expected[0][1]) if expected else None)
    assert path.complete == (not expected)


def test_a_chain_of_rare_links_comes_before_one_through_a_hub() -> None:
    found = WEB.path("a", "b")
    assert names(found) == [["a", "rare", "b"], ["a", "hub", "b"]]
    (path,) = found
    assert (path.length, path.found) == (2, 2)
    assert names(WEB.path("a", "b", limit=1)) == [["a", "rare", "b"]]
    assert found.sentence(path) == "2 chains of 2 links connect “a” and “b”."
    assert found.steps(path.chains[0]) == ["“a” links to “rare”.", "“rare” links to “b”."]


def test_links_are_followed_forwards_backwards_or_either_way() -> None:
    assert names(WEB.path("x", "y")) == [["x", "hub", "y"]]
    assert names(WEB.path("x", "y", way="out")) == [[]][:0]
    assert names(WEB.path("b", "a", way="in")) == [["b", "rare", "a"], ["b", "hub", "a"]]
    back = WEB.path("b", "a", way="in")
    assert back.sentence(back.paths[0]) == "2 chains of 2 links lead from “a” to “b”."
    both = graph_of("a -> b", "b -> a").path("a", "b")
    assert both.paths[0].chains[0].steps == ("both",)
    assert both.steps(both.paths[0].chains[0]) == ["“a” and “b” link to each other."]


def test_several_pages_are_connected_one_after_another() -> None:
    found = WEB.path("a", "b", "c")
    assert len(found) == 2
    assert names(found, 1) == [["b", "hub", "c"]]
    reply = found.as_dict()
    assert [path["length"] for path in reply["paths"]] == [2, 2]
    assert reply["paths"][1]["chains"][0]["sentences"] == [
        "“hub” links to “b”.",
        "“hub” links to “c”.",
    ]


def test_the_same_page_is_a_chain_without_links() -> None:
    found = WEB.path("a", "a")
    assert names(found) == [["a"]]
    assert found.sentence(found.paths[0]) == "Both are the same page, “a”."


def test_without_a_chain_the_answer_says_how_far_the_search_went() -> None:
    apart = WEB.path("a", "off")
    (path,) = apart
    assert (path.length, path.complete) == (None, True)
    assert apart.sentence(path) == "No chain of links connects “a” and “off”."
    cut = WEB.path("x", "rare", longest=2)
    (path,) = cut
    assert (path.length, path.complete, path.ruled_out) == (None, False, 2)
    assert "No chain of up to 2 links connects “x” and “rare”; the search" in cut.sentence(path)
    assert names(WEB.path("x", "rare", longest=3)) == [
        ["x", "hub", "a", "rare"],
        ["x", "hub", "b", "rare"],
    ]


def test_a_search_ends_at_its_memory_and_at_its_deadline() -> None:
    small = WEB.path("x", "rare", memory=300)
    (path,) = small
    assert path.length is None
    assert not path.complete
    assert any("memory limit" in note for note in small.notes)
    with pytest.raises(wr.OutOfTime):
        WEB.path("x", "rare", deadline=time.monotonic() - 1)


def test_a_search_reads_only_the_links_around_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"p{i} -> p{i + 1} p{i + 2}" for i in range(200)]
    graph = graph_of(*rows)
    read: list[int] = []
    rows_of = graph.store.rows_of

    def counted(pages: object, *, backward: bool) -> object:
        read.extend(pages.tolist())  # type: ignore[attr-defined]
        return rows_of(pages, backward=backward)  # type: ignore[arg-type]

    monkeypatch.setattr(graph.store, "rows_of", counted)
    assert graph.path("p100", "p103").paths[0].length == 2
    assert len(read) < 20


def test_impossible_requests_are_rejected() -> None:
    with pytest.raises(wr.OptionError, match="path: give at least two pages"):
        WEB.path("a")
    with pytest.raises(wr.OptionError, match="way must be one of either, out, in, got 'up'"):
        WEB.path("a", "b", way="up")
    with pytest.raises(wr.PageNotFound):
        WEB.path("a", "nowhere")


def test_a_packed_graph_has_the_same_paths(tmp_path: object) -> None:
    pages = [wr.Page(f"p{i}", [f"p{i * 7 % 50}", f"p{i * 11 % 50}"]) for i in range(50)]
    plain = wr.Graph.from_pages(pages)
    packed = wr.build(pages, f"{tmp_path}/p.graph", store="packed")
    from whatsrelated.query.paths import PathRequest

    def every(graph: wr.Graph) -> list[LinkPath]:
        return [find_path(graph.store, 3, end, PathRequest()) for end in range(len(graph))]

    assert every(packed) == every(plain)
