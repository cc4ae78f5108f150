"""The compiled vicinity agrees with its plain twin on any input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Pairs, in_order, of_rows
from whatsrelated import kernels
from whatsrelated.kernels.asking import vicinity as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

PAGES = 31
kept = kernels.vicinity.Vicinity()
links = st.lists(
    st.tuples(st.integers(0, PAGES - 1), st.integers(0, PAGES - 1)), min_size=1, max_size=300
)
some_pages = st.lists(st.integers(0, PAGES - 1), max_size=8, unique=True)


def numbers(pages: list[int]) -> Any:
    return np.array(pages, np.uint32)


@given(links, st.data())
def test_pages_and_links_are_those_worked_by_hand(pairs: Pairs, data: st.DataObject) -> None:
    graph = in_order(pairs, PAGES)
    page = data.draw(st.integers(0, PAGES - 1))
    parents = graph.in_links[int(graph.in_offsets[page]) : int(graph.in_offsets[page + 1])]
    width = data.draw(st.integers(-1, 6))
    chosen = numbers(data.draw(some_pages))
    most = data.draw(st.integers(0, 4))
    out = numbers(sorted(data.draw(some_pages)))
    apart = numbers(data.draw(some_pages))
    sites = numbers(data.draw(st.lists(st.integers(0, 5), min_size=PAGES, max_size=PAGES)))
    sited = data.draw(st.booleans())
    rows = numbers(data.draw(some_pages))
    labels = numbers(sorted(data.draw(st.integers(0, 3)) for _ in rows))
    backward = data.draw(st.booleans())

    seen = []
    for vicinity, links in ((kept, graph.ours), (plain.Vicinity(), graph.twin)):
        vicinity.clear(3)
        vicinity.add(chosen, 1, out)
        vicinity.add_windows(links, page, parents, width, 2, out)
        vicinity.add_best_parents(links, chosen, most, 4, out, apart)
        pages, roles = vicinity.members()
        own, starts, targets = vicinity.graph(links, sites if sited else None)
        plain_pairs = vicinity.crossings(links, rows, labels, None, backward)
        numbered = vicinity.crossings(links, rows, labels, own, backward)
        found = (
            pages,
            roles,
            numbers([]) if own is None else own,
            starts,
            targets,
            *plain_pairs,
            *numbered,
        )
        assert len(vicinity) == len(pages)
        seen.append([array.tolist() for array in found])
    assert seen[0] == seen[1]


@given(links, st.lists(st.integers(0, 2), min_size=PAGES, max_size=PAGES))
def test_a_page_is_inward_if_all_links_are_on_its_site(pairs: Pairs, sites: list[int]) -> None:
    graph = in_order(pairs, PAGES)
    for page in range(PAGES):
        around = {a + b - page for a, b in pairs if a != b and page in (a, b)}
        inward = bool(around) and all(sites[other] == sites[page] for other in around)
        assert graph.ours.is_inward(numbers(sites), page) == inward
        assert graph.twin.is_inward(numbers(sites), page) == inward


def test_a_large_vicinity_leaves_nothing_behind_for_a_small_one() -> None:
    own = kernels.vicinity.Vicinity()
    none = numbers([])
    large = np.arange(0, 3_000_000, 7, dtype=np.uint32)
    for _ in range(2):
        own.clear(10)
        own.add(large, 1, none)
        assert np.array_equal(own.members()[0], large)
    own.clear(10)
    assert len(own) == 0
    offsets = np.array([0, 2, 2, 2], np.uint64)
    own.add(numbers([0, 2]), 1, none)
    _, starts, targets = own.graph(of_rows(offsets, numbers([1, 2])).ours, None)
    assert (starts.tolist(), targets.tolist()) == ([0, 1, 1], [1])


def test_a_false_positive_of_the_filter_is_not_a_target() -> None:
    # 64 and 0 share a bit of the smallest filter.
    own = kernels.vicinity.Vicinity()
    own.clear(2)
    own.add(numbers([0, 1]), 1, numbers([]))
    offsets = np.array([0, 2, *[2] * 64], np.uint64)
    _, starts, targets = own.graph(of_rows(offsets, numbers([64, 1])).ours, None)
    assert (starts.tolist(), targets.tolist()) == ([0, 1, 1], [1])
