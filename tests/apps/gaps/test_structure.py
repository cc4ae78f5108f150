"""What link counts show: orphans, dead ends, hubs, islands, duplicates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.apps.gaps.findings import BrokenLink, RedirectingLink
from whatsrelated.apps.gaps.structure import SiteStructure, connected
from whatsrelated.stream import CheckedLinks, DeadLink, Page, RedirectedLink


def test_only_links_between_pages_that_were_read_count() -> None:
    site = SiteStructure(graph_of("a -> b https://out.org/", "b -> https://out.org/").store)
    assert [(page.url, page.links_in, page.links_out) for page in site.pages(site.is_page)] == [
        ("a", 0, 1),
        ("b", 1, 0),
    ]


def test_a_page_with_far_more_links_than_others_is_a_hub() -> None:
    pages = [Page(f"p{n:02}", [f"p{n + 1:02}", f"p{n + 2:02}"]) for n in range(40)]
    pages += [Page("all", [f"p{n:02}" for n in range(40)]), Page("p40"), Page("p41")]
    graph = Graph.from_pages(pages)
    site = SiteStructure(graph.store)
    assert [page.url for page in site.pages(site.is_hub)] == ["all"]


def test_a_part_of_an_index_is_recognised_by_its_name() -> None:
    names = [
        "genindex-K.html",
        "a/py-modindex.html",
        "tags/tea",
        "search/",
        "index.html",
        "tagging",
    ]
    graph = Graph.from_pages([Page(name, ["x"]) for name in names])
    site = SiteStructure(graph.store)
    assert sorted(page.url for page in site.pages(site.is_index)) == sorted(names[:4])
    assert not site.is_hub.any()


def test_near_duplicates_and_islands_are_groups_the_largest_first() -> None:
    many = " ".join(f"t{n}" for n in range(12))
    lines = [f"t{n} -> t{(n + 1) % 12}" for n in range(12)]
    graph = graph_of(f"a -> {many}", f"b -> {many}", *lines, "x -> y", "y -> x", "alone -> z9")
    site = SiteStructure(graph.store)
    assert [group.pages for group in site.duplicates()] == [("a", "b")]
    assert [group.pages for group in site.islands()] == [("x", "y")]


@given(
    st.integers(1, 15).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))
        )
    )
)
def test_what_links_connect_is_found_as_by_walking(case: tuple[int, list[tuple[int, int]]]) -> None:
    n, links = case
    near: dict[int, set[int]] = {page: {page} for page in range(n)}
    for one, other in links:
        near[one].add(other)
        near[other].add(one)
    first = []
    for page in range(n):
        seen, waiting = {page}, [page]
        while waiting:
            fresh = near[waiting.pop()] - seen
            seen |= fresh
            waiting += fresh
        first.append(min(seen))
    ends = np.array(links, np.int64).reshape(-1, 2)
    assert connected(n, ends[:, 0], ends[:, 1]).tolist() == first


def test_navigation_and_broken_links_are_read_from_the_graph() -> None:
    checked = CheckedLinks(
        [DeadLink(4, "x.html", 410)], [RedirectedLink("old", "new", 2, 9)], unchecked=2
    )
    pages = [Page("a", ["b"], navigation=3, checked=checked), Page("b", navigation=0)]
    site = SiteStructure(Graph.from_pages(pages).store)
    assert list(site.redirects()) == [RedirectingLink("a", 9, "old", "new", 2)]
    assert site.unchecked == (1, 2), "nothing is known of the links of b"
    assert site.navigation is not None
    assert site.navigation.tolist() == [3, 0]
    assert list(site.broken()) == [BrokenLink("a", 4, "x.html", 410)]
    assert SiteStructure(graph_of("a -> b").store).navigation is None


def test_a_number_too_large_for_a_count_is_not_a_number() -> None:
    checked = CheckedLinks([DeadLink(10**20, "x.html")])
    pages = [Page("a", ["b"], navigation=10**20, checked=checked), Page("b")]
    site = SiteStructure(Graph.from_pages(pages).store)
    assert site.navigation is not None
    assert site.navigation.tolist() == [0, 0]
    assert [one.line for one in site.broken()] == [None]


@pytest.mark.parametrize(
    ("page", "needs"),
    [
        ("index.html", False),
        ("search.html", False),
        ("en/404.html", False),
        ("research.html", True),
    ],
)
def test_the_first_page_the_search_and_the_page_for_errors_need_no_link(
    page: str, needs: bool
) -> None:
    assert SiteStructure(graph_of(f"{page} -> other").store).needs_no_link(page) is not needs
