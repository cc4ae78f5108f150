"""The common neighbours of pages, against their definition."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import whatsrelated as wr
from tests.graphs import graph_of
from tests.methods.twins import graph_and_twin
from tests.reference.graphs import LinkLists, link_lists

WEB = graph_of(
    "p -> tea coffee", "q -> tea coffee me x y", "r -> tea", "tea -> cup", "coffee -> cup"
)


def urls(found: wr.Common) -> list[str]:
    return [page.url for page in found]


@given(link_lists(), st.data())
def test_common_neighbours_are_what_their_definition_says(
    lists: LinkLists, data: st.DataObject
) -> None:
    graph, twin = graph_and_twin(lists)
    assume(twin.pages)
    asked = data.draw(st.lists(st.sampled_from(twin.pages), min_size=1, max_size=4, unique=True))
    without = data.draw(st.sampled_from([None, *twin.pages]))
    links = {page: {other for other in lists.get(page, ()) if other != page} for page in twin.pages}
    parents = {page: {p for p, own in links.items() if page in own} for page in twin.pages}
    for way, near, degree in (("in", parents, links), ("out", links, parents)):
        found = graph.common(asked, way, without=[without] if without else (), limit=1000)
        wanted = {}
        for page in twin.pages:
            shared = sum(page in near[one] for one in asked)
            barred = page in asked or (without and (page == without or page in near[without]))
            if 2 * shared > len(asked) and not barred:
                wanted[page] = shared
        assert {page.url: page.shared for page in found} == wanted
        order = [(-page.shared, len(degree[page.url])) for page in found]
        assert order == sorted(order)


def test_pages_that_link_to_most_of_them_come_first_fewest_links_first() -> None:
    found = WEB.common(["tea", "coffee"])
    assert urls(found) == ["p", "q"]
    assert [(page.shared, page.links_from_it) for page in found] == [(2, 2), (2, 5)]
    assert urls(WEB.common(["tea", "coffee"], least=1)) == ["p", "q", "r"]
    assert urls(WEB.common(["tea", "coffee"], without="me")) == ["p"]
    assert urls(WEB.common(["tea", "coffee"], "out")) == ["cup"]
    assert urls(WEB.common("tea")) == ["r", "p", "q"], "of one page: who links to it"
    assert (WEB.common("tea", limit=1).found, len(WEB.common("tea", limit=1))) == (3, 1)


def test_an_impossible_request_is_an_error() -> None:
    with pytest.raises(wr.OptionError, match="way must be in or out, got 'up'"):
        WEB.common("tea", "up")
    with pytest.raises(wr.OptionError, match="from 0 to 2 pages, got 3"):
        WEB.common(["tea", "coffee"], least=3)
    with pytest.raises(wr.OptionError, match="no pages given"):
        WEB.common([])
    with pytest.raises(wr.PageNotFound):
        WEB.common("nowhere")
