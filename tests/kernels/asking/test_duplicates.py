"""Near-duplicates: the filters lose none and admit no others."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, of_rows
from whatsrelated import kernels
from whatsrelated.kernels.asking import duplicates as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

RULE = (10, 95, 100)


def rows_of(lists: list[list[int]]) -> Arrays:
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.uint64)
    return of_rows(offsets, np.array([link for links in lists for link in links], np.uint32))


def groups(lists: list[list[int]]) -> list[int]:
    pages = np.arange(len(lists), dtype=np.uint32)
    return kernels.duplicates.near_duplicates(rows_of(lists).ours, pages, RULE).tolist()


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 60),
    st.integers(20, 400),
    st.sampled_from([RULE, RULE, (0, 1, 1000), (3, 1, 2), (5, 1, 1)]),
)
def test_the_groups_are_those_of_the_definition(
    seed: int, count: int, universe: int, rule: tuple[int, int, int]
) -> None:
    # Lists that are copies of one another, nearly: some links dropped, some new.
    draw = np.random.default_rng(seed)
    lists: list[list[int]] = []
    for _ in range(count):
        if lists and draw.random() < 0.6:
            copied = lists[draw.integers(len(lists))]
            near = [link for link in copied if draw.random() > 0.03]
            near += draw.integers(universe, size=draw.integers(3)).tolist()
        else:
            near = draw.integers(universe, size=draw.integers(1, 120)).tolist()
        lists.append(list(dict.fromkeys(near)) or [0])
        draw.shuffle(lists[-1])
    graph = rows_of(lists)
    pages = draw.permutation(count).astype(np.uint32)
    ours = kernels.duplicates.near_duplicates(graph.ours, pages, rule)
    assert ours.tolist() == plain.near_duplicates(graph.twin, pages, rule).tolist()
    sites = draw.integers(4, size=count).astype(np.uint32)
    for most in (0, 2, count):
        for known in (sites, None):
            arguments = (int(pages[0]), pages, most, known, rule)
            ours = kernels.duplicates.first_unlike(graph.ours, *arguments)
            twin = plain.first_unlike(graph.twin, *arguments)
            assert ours.tolist() == twin.tolist()


def test_ten_links_are_too_few_and_nineteen_of_twenty_enough() -> None:
    ten, twenty = list(range(10)), list(range(20))
    assert groups([ten, ten]) == [0, 1]
    assert groups([[*ten, 10], [*ten, 10]]) == [0, 0]
    assert groups([twenty, twenty[1:]]) == [0, 0]
    assert groups([twenty, twenty[2:]]) == [0, 1]
    assert groups([twenty, [*twenty[1:], 99]]) == [0, 0]
    assert groups([twenty[1:], [*twenty[2:], 99]]) == [0, 1]


def test_a_chain_of_near_duplicates_is_one_group() -> None:
    chain = [list(range(first, first + 20)) for first in range(40)]
    assert groups(chain) == [0] * 40
    assert all(groups([a, b]) == [0, 0] for a, b in pairwise(chain))
    assert groups([chain[0], chain[2]]) == [0, 1]


def test_many_mirrors_are_distinguished_from_pages_that_share_a_frame() -> None:
    draw = np.random.default_rng(1)
    frame = list(range(1000, 1090))
    framed = [[*frame, *draw.integers(10**6, 2 * 10**6, size=10).tolist()] for _ in range(300)]
    assert len(set(groups(framed))) == 300
    lists = [[(1 + group) * 10**6 + i for i in range(200)] for group in range(5)]
    mirrors = [[*lists[i % 5][5:], 10**7 + i] for i in range(300)]
    assert groups(mirrors) == [i % 5 for i in range(300)]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_pages_that_link_to_nearly_everything_are_compared_each_with_each(seed: int) -> None:
    draw = np.random.default_rng(seed)
    lists = [draw.permutation(600)[: draw.integers(500, 590)].tolist()]
    while len(lists) < 24:
        copied = lists[draw.integers(len(lists))]
        spared = [link for link in copied if draw.random() > draw.choice([0.02, 0.05, 0.2])]
        lists.append(list(dict.fromkeys([*spared, *draw.integers(600, size=60).tolist()])))
    pages = np.arange(len(lists), dtype=np.uint32)
    twin = plain.near_duplicates(rows_of(lists).twin, pages, RULE)
    assert groups(lists) == twin.tolist()
    assert len(set(twin.tolist())) > 1
