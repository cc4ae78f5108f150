"""What is built is what was read: in memory, on disk, and a piece at a time beyond memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whatsrelated.graph.reading import Plan

from tests.graphs import graph_of
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.errors import BuildError
from whatsrelated.graph import numbering
from whatsrelated.graph.build import build_in_memory, build_on_disk
from whatsrelated.graph.store import Store
from whatsrelated.names.naming import Naming
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, Page, Refused


def title(page: Page) -> bytes | None:
    return page.title.encode() if page.title else None


def plan(**options: object) -> Plan:
    return Plan(Naming(), columns={"titles": title}, **options)  # type: ignore[arg-type]


def pages_of(lists: LinkLists) -> Iterator[Page]:
    """The pages one by one, each page's links in two parts, titles here and there."""
    for page, links in lists.items():
        yield Page(page, links[:2], title=f"About {page}" if len(links) % 2 else None)
    for page, links in lists.items():
        yield Page(page, links[2:], title="Too late" if len(links) % 2 else None)


def assert_is(store: Store, plain: PlainGraph, lists: LinkLists) -> None:
    """The store holds the same pages, links, directions, sites and titles."""
    assert [store.url(page) for page in range(store.n_pages)] == plain.pages
    for number, page in enumerate(plain.pages):
        assert store.find(page) == number
        assert [plain.pages[p] for p in store.links_from(number)] == plain.links[page]
        assert [plain.pages[p] for p in store.links_to(number)] == plain.parents[page]
        titled = page in lists and len(lists[page]) % 2
        assert store.title(number) == (f"About {page}" if titled else None)
    for site, numbers in (("host", store.hosts), ("domain", store.domains)):
        names = [plain.site_for([], site)(page) for page in plain.pages]
        for i, j in zip(range(len(names)), range(1, len(names)), strict=False):
            assert (names[i] == names[j]) == (numbers[i] == numbers[j])
        assert len(set(names)) == len(set(numbers.tolist()))
    assert store.auto_site == plain.auto_site()
    assert store.n_links == sum(map(len, plain.links.values()))


@given(link_lists())
def test_a_graph_in_memory_is_what_was_read(lists: LinkLists) -> None:
    store = build_in_memory(pages_of(lists), plan())
    assert_is(store, PlainGraph(lists), lists)
    assert store.check() is None


@settings(max_examples=40)
@given(link_lists(), st.sampled_from([800, 3000, 1 << 20]))
def test_a_graph_on_disk_is_what_was_read_however_little_memory_there_is(
    lists: LinkLists, memory: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "web.graph"
        store = build_on_disk(pages_of(lists), path, plan(memory=memory))
        assert_is(store, PlainGraph(lists), lists)
        assert store.check() is None
        assert sorted(entry.name for entry in path.iterdir()) == [
            "current",
            "generation-000001",
            "lock",
        ]
        held = build_in_memory(pages_of(lists), plan())
        for name, array in held.arrays.items():
            assert np.array_equal(array, store.arrays[name]), name


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))), st.sampled_from([0, 30, 50]))
def test_numbers_are_pages_in_the_order_of_numbers(
    pairs: list[tuple[int, int]], pages: int
) -> None:
    array = np.array(pairs, np.uint64).reshape(-1, 2)
    numbered = NumberedLinks(array[:, 0].copy(), array[:, 1].copy(), pages)
    store = build_in_memory([numbered], plan())
    known = sorted({number for pair in pairs for number in pair} | set(range(pages)))
    assert [store.url(page) for page in range(store.n_pages)] == [str(n) for n in known]
    links = {
        (store.url(page), store.url(target))
        for page in range(store.n_pages)
        for target in store.links_from(page).tolist()
    }
    assert links == {(str(a), str(b)) for a, b in pairs if a != b}


def test_numbers_beside_names_and_numbers_too_large_for_a_table_are_names() -> None:
    huge = 10**18
    numbered = NumberedLinks(np.array([7, huge], np.uint64), np.array([huge, 7], np.uint64))
    named = NamedLinks(Names.of([b"tea", b"7"]), np.array([0], np.uint32), np.array([1], np.uint32))
    store = build_in_memory([numbered, named], plan())
    assert [store.url(page) for page in range(3)] == ["7", str(huge), "tea"]
    assert store.links_to(0).tolist() == [1, 2]
    store = build_in_memory([numbered], plan())
    assert [store.url(page) for page in range(2)] == ["7", str(huge)]


def test_links_of_a_page_are_joined_in_the_order_of_the_sources() -> None:
    first = NamedLinks(
        Names.of([b"a", b"x", b"y"]), np.array([0, 0], np.uint32), np.array([2, 1], np.uint32)
    )
    second = Page("a", ["z", "y"])
    graph = Graph.from_pages([first, second])
    assert [graph.url(page) for page in graph.links_from(graph.page("a"))] == ["y", "x", "z"]


def test_bad_names_are_counted_by_reason_and_cost_their_links_only() -> None:
    refused = Refused()
    pages = [
        Page("https://a.org/", ["mailto:me@a.org", "https://b.org/", "javascript:x", "\ud800"]),
        Page("gopher://old.org/", ["https://b.org/", "https://c.org/"]),
        Page("https://b.org/", ["x" * 9000]),
    ]
    store = build_in_memory(pages, plan(refused=refused))
    assert [store.url(page) for page in range(store.n_pages)] == [
        "https://a.org/",
        "https://b.org/",
        "https://c.org/",
    ]
    assert store.n_links == 1
    assert refused.total() == 6
    assert refused.counts["too long"] == 1
    assert refused.examples["not http"][0] == "mailto:me@a.org"


def test_more_pages_than_a_graph_can_hold_are_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(numbering, "MOST_PAGES", 3)
    with pytest.raises(BuildError, match="More than 3 pages"):
        build_on_disk([Page("a", ["b", "c", "d"])], tmp_path / "web.graph", plan())


def test_an_empty_stream_is_an_empty_graph() -> None:
    store = build_in_memory([], plan())
    assert (store.n_pages, store.n_links, store.check()) == (0, 0, None)


def test_a_graph_written_as_text_reads_as_it_stands() -> None:
    graph = graph_of("a -> tea coffee", "b -> coffee tea", "milk")
    assert [graph.url(page) for page in range(len(graph))] == ["a", "b", "coffee", "milk", "tea"]
    assert graph.links_from(1).tolist() == [2, 4]


def test_a_name_that_was_kept_as_it_came_is_found_as_it_came() -> None:
    names = ["http://a.org", "http://a.org/", "http://A.org/x#top", "http://a.org/%7Ex"]
    graph = Graph.from_links([("p", name) for name in names], urls="keep")
    assert [graph.url(graph.page(name)) for name in names] == names
