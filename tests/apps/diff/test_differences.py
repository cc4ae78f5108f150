"""What has changed between two graphs, against the definition in plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatsrelated as wr
from tests.graphs import graph_of
from whatsrelated.apps.diff import differences as module
from whatsrelated.apps.diff.differences import differences
from whatsrelated.stream import Page

names = st.sampled_from([*"abcdefg", "https://x.org/", "https://x.org/y"])
webs = st.dictionaries(names, st.lists(names, max_size=5), max_size=7)


def graph(lists: dict[str, list[str]]) -> wr.Graph:
    return wr.Graph.from_pages(Page(page, links) for page, links in lists.items())


def plain(graph: wr.Graph) -> dict[str, list[str]]:
    return {
        graph.url(page): [graph.url(int(link)) for link in graph.links_from(page)]
        for page in range(len(graph))
    }


@given(webs, webs, st.sampled_from([1, 1 << 22]))
def test_differences_are_those_of_the_definition(
    first: dict[str, list[str]], second: dict[str, list[str]], most: int
) -> None:
    old, new = graph(first), graph(second)
    before, after = plain(old), plain(new)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_LINKS", most)
        found = differences(old, new, limit=100)
    assert found.added == [page for page in after if page not in before]
    assert found.removed == [page for page in before if page not in after]
    links = [{(page, link) for page in web for link in web[page]} for web in (before, after)]
    stayed = {page for page in after if page in before}
    assert found.removed_links == len(links[0] - links[1])
    assert found.added_links == len(links[1] - links[0])
    changed = {page for page in stayed if before[page] != after[page]}
    assert {one.url for one in found.changed} == changed
    assert found.changed_pages == len(changed)
    for one in found.changed:
        assert one.added == len(set(after[one.url]) - set(before[one.url]))
        assert one.removed == len(set(before[one.url]) - set(after[one.url]))
        assert one.reordered == (set(before[one.url]) == set(after[one.url]))


def test_answers_and_ranks_that_moved_come_first() -> None:
    old = graph_of("a -> tea coffee milk", "b -> tea coffee", "c -> jam toast", "d -> jam toast")
    new = graph_of("a -> tea milk coffee", "b -> tea milk", "c -> jam toast", "d -> jam toast")
    found = differences(old, new, by="cocitation", rank="in-degree", options={"siblings": 8})
    assert found.by == "cocitation"
    assert found.compared_answers == 9
    moved = {one.url: one for one in found.answers}
    assert "jam" not in moved
    assert moved["tea"].agreement < 1
    assert {one.url for one in found.moved} >= {"coffee", "milk"}
