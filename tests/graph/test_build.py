"""A build keeps what was read: in memory, on disk, and in pieces beyond memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.plain_graph import PlainGraph
from whatsrelated.errors import BuildError
from whatsrelated.graph import numbering
from whatsrelated.graph.build import build_in_memory, build_on_disk
from whatsrelated.graph.plan import Plan, WriteOptions
from whatsrelated.graph.store import Store
from whatsrelated.names.naming import Naming
from whatsrelated.stream import Page


def title(page: Page) -> bytes | None:
    return page.title.encode() if page.title else None


def plan(memory: int | None = None) -> Plan:
    options = WriteOptions(memory=memory, allow_empty=True)
    return Plan(Naming(), options, columns={"titles": title})


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
        assert store.names.page_of(page) == number
        assert [plain.pages[p] for p in store.links_from(number)] == plain.links[page]
        assert [plain.pages[p] for p in store.links_to(number)] == plain.parents[page]
        assert store.is_read(np.array([number])).tolist() == [page in lists]
        titled = page in lists and len(lists[page]) % 2
        assert store.title(number) == (f"About {page}" if titled else None)
    assert store.read_pages == len(lists)
    for site, numbers in (("host", store.hosts), ("domain", store.domains)):
        names = [plain.site_for([], site)(page) for page in plain.pages]
        for i, j in zip(range(len(names)), range(1, len(names)), strict=False):
            assert (names[i] == names[j]) == (numbers[i] == numbers[j])
        assert len(set(names)) == len(set(numbers.tolist()))
    assert store.auto_site == plain.auto_site()
    assert store.n_links == sum(map(len, plain.links.values()))


@given(link_lists())
def test_a_graph_in_memory_has_the_links_that_were_read(lists: LinkLists) -> None:
    store = build_in_memory(pages_of(lists), plan())
    assert_is(store, PlainGraph(lists), lists)
    assert store.check() is None


@settings(max_examples=40)
@given(link_lists(), st.sampled_from([800, 3000, 1 << 20]))
def test_a_graph_on_disk_has_the_links_that_were_read_even_with_little_memory(
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


def test_more_pages_than_a_graph_can_hold_are_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(numbering, "MAX_PAGES", 3)
    with pytest.raises(BuildError, match="More than 3 pages"):
        build_on_disk([Page("a", ["b", "c", "d"])], tmp_path / "web.graph", plan())


def test_an_empty_stream_is_an_empty_graph() -> None:
    store = build_in_memory([], plan())
    assert (store.n_pages, store.n_links, store.check()) == (0, 0, None)


def test_a_graph_written_as_text_reads_as_it_stands() -> None:
    graph = graph_of("a -> tea coffee", "b -> coffee tea", "milk")
    assert [graph.url(page) for page in range(len(graph))] == ["a", "b", "coffee", "milk", "tea"]
    assert graph.links_from(1).tolist() == [2, 4]
