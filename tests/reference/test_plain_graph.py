"""The notions of the graph, worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.reference.graphs import LinkLists, link_lists
from tests.reference.plain_graph import PlainGraph, domain, host


def test_links_are_distinct_in_page_order_and_never_to_the_page_itself() -> None:
    graph = PlainGraph({"a": ["c", "a", "b", "c"], "b": ["c"]})
    assert graph.links == {"a": ["c", "b"], "b": ["c"], "c": []}


def test_parents_come_by_their_in_degree_then_by_page_number() -> None:
    graph = PlainGraph({"a": ["u"], "b": ["u"], "c": ["u", "b"], "d": ["u"]})
    assert graph.parents["u"] == ["b", "a", "c", "d"]


@pytest.mark.parametrize(
    ("page", "expected"),
    [("p4", ["p2", "p3", "p5", "p6"]), ("p0", ["p1", "p2"]), ("p8", ["p6", "p7", "p9"])],
)
def test_a_window_does_not_make_up_links_at_the_ends(page: str, expected: list[str]) -> None:
    graph = PlainGraph({"hub": [f"p{i}" for i in range(10)]})
    assert graph.window("hub", page, 5) == expected


def test_a_page_with_at_most_one_link_more_than_the_window_gives_all() -> None:
    graph = PlainGraph({"hub": ["a", "b", "c", "d", "e"], "long": ["a", "b", "c", "d", "e", "f"]})
    assert graph.window("hub", "a", 4) == ["b", "c", "d", "e"]
    assert graph.window("long", "a", 4) == ["b", "c"]


def test_a_stop_page_keeps_its_place_in_a_window_and_among_the_first_children() -> None:
    graph = PlainGraph({"hub": ["a", "b", "c", "d", "e", "f"]})
    assert graph.window("hub", "a", 4, frozenset({"b"})) == ["c"]
    assert graph.first_children("hub", 2, frozenset({"b"})) == ["a"]


def test_a_sample_is_even_and_moves_with_the_draw() -> None:
    links = {f"p{i}": ["u"] for i in range(10)}
    sampled = {
        u: PlainGraph(links, draw=lambda url, seed, u=u: u).sampled_parents("u", 4)
        for u in (0.0, 0.5, 0.99)
    }
    assert sampled == {
        0.0: ["p0", "p2", "p5", "p7"],
        0.5: ["p1", "p3", "p6", "p8"],
        0.99: ["p2", "p4", "p7", "p9"],
    }


def test_near_duplicates_need_more_than_ten_links_and_nineteen_in_twenty() -> None:
    twenty = [f"t{i}" for i in range(20)]
    graph = PlainGraph(
        {
            "a": twenty,
            "b": twenty[1:],
            "c": [*twenty[:18], "x", "y"],
            "d": twenty[:10],
            "e": twenty[:10],
        }
    )
    assert graph.near_duplicates("a", "b")
    assert not graph.near_duplicates("a", "c")
    assert not graph.near_duplicates("d", "e")


def test_merging_is_transitive_whatever_the_order() -> None:
    graph = PlainGraph({"a": ["b"]})

    def near(a: str, b: str) -> bool:
        return abs(int(a) - int(b)) == 1

    for order in (["1", "2", "3", "5"], ["3", "1", "5", "2"], ["1", "3", "2", "5"]):
        assert set(graph.merged(order, near)) == {frozenset("123"), frozenset("5")}


def test_host_keeps_the_port_and_domain_asks_the_public_suffix_list() -> None:
    assert host("http://b.shop.co.uk:8080/x") == "b.shop.co.uk:8080"
    assert domain("http://b.shop.co.uk:8080/x") == "shop.co.uk"
    assert domain("http://192.0.2.7/x") == "192.0.2.7"
    assert domain("http://localhost/") == "localhost"
    assert host("Green tea") == domain("Green tea") == "Green tea"


def test_auto_is_page_inside_one_domain_and_falls_back_for_one_query() -> None:
    one = PlainGraph({"http://a.x.org/": ["http://y.com/"], "http://b.x.org/": ["http://y.com/"]})
    assert one.auto_site() == "page"
    web = PlainGraph(
        {
            "http://x.org/1": ["http://x.org/2"],
            "http://y.org/": ["http://x.org/1", "http://z.org/"],
        }
    )
    assert web.auto_site() == "host"
    assert web.site_for(["http://x.org/1"])("http://x.org/2") == "x.org"
    assert web.site_for(["http://x.org/2"])("http://x.org/2") == "http://x.org/2"


def test_the_order_is_score_to_nine_decimals_then_ties_then_rarity_then_number() -> None:
    graph = PlainGraph({"h": ["a", "b", "c", "d"], "i": ["a"]})
    scores = {"a": 2.0, "b": 2.0 + 1e-12, "c": 2.0, "d": 1.0}
    assert graph.ordered_list(scores) == ["b", "c", "a", "d"]
    assert graph.ordered_list(scores, {"a": 1, "b": 0, "c": 0, "d": 9}) == ["a", "b", "c", "d"]


def test_the_stop_list_is_empty_for_a_query_that_is_on_it() -> None:
    graph = PlainGraph({"h": ["a", "b", "c"], "i": ["a", "b"], "j": ["b"]})
    assert graph.most_linked(2) == {"a", "b"}
    assert graph.stop_pages({"a", "b"}, ["a"]) == frozenset()
    assert graph.stop_pages({"a", "b"}, ["c"]) == {"a", "b"}


@given(link_lists())
def test_every_link_is_seen_from_both_ends(links: LinkLists) -> None:
    graph = PlainGraph(links)
    forward = {(p, q) for p in graph.pages for q in graph.links[p]}
    assert forward == {(p, q) for q in graph.pages for p in graph.parents[q]}
    assert forward == {(p, q) for p, targets in links.items() for q in targets if p != q}
