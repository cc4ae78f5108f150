"""The compiled grouping of links agrees with its plain twin."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from whatsrelated import kernels
from whatsrelated.kernels.building import link_sorting as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

Links = tuple[int, NDArray[np.uint32], NDArray[np.uint32]]


@st.composite
def links(draw: st.DrawFn) -> Links:
    """A number of pages, and links between them with many repeats."""
    pages = draw(st.integers(1, 60))
    pairs = draw(st.lists(st.tuples(st.integers(0, pages - 1), st.integers(0, pages - 1))))
    pairs *= draw(st.sampled_from([1, 1, 3]))
    array = np.array(pairs, np.uint32).reshape(-1, 2)
    return pages, array[:, 0].copy(), array[:, 1].copy()


@pytest.mark.parametrize("sorting", [kernels.link_sorting, plain], ids=["compiled", "plain"])
def test_a_place_outside_the_table_is_not_read(sorting: ModuleType) -> None:
    table = np.arange(3, dtype=np.uint32)
    for value in (3, 2**32 - 1):
        with pytest.raises(IndexError):
            sorting.translate(table, np.array([0, value], np.uint32))
    with pytest.raises(IndexError):
        sorting.translate(table[:0], np.array([0], np.uint32))


def equal(ours: tuple[NDArray[np.uint32], ...], twin: tuple[NDArray[np.uint32], ...]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(ours, twin, strict=True))


@given(links(), st.booleans(), st.integers(0, 9))
def test_links_are_grouped_by_page_in_the_order_in_which_they_came(
    given_links: Links, distinct: bool, low: int
) -> None:
    pages, sources, targets = given_links
    sources += np.uint32(low)
    targets += np.uint32(low)
    ours = kernels.link_sorting.group(sources, targets, low, pages, distinct)
    assert equal(ours, plain.group(sources, targets, low, pages, distinct))
    if distinct:
        by_hand: list[list[int]] = [[] for _ in range(pages)]
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
            if source != target and target not in by_hand[source - low]:
                by_hand[source - low].append(target)
        assert ours[1].tolist() == [target for row in by_hand for target in row]


@given(links())
def test_the_other_direction_lists_the_most_linked_parents_first(given_links: Links) -> None:
    pages, sources, targets = given_links
    offsets, out = kernels.link_sorting.group(sources, targets, 0, pages, True)
    degrees = np.zeros(pages, np.uint32)
    kernels.link_sorting.count_into(degrees, out)
    assert degrees.tolist() == np.bincount(out, minlength=pages).tolist()
    order = kernels.link_sorting.descending(degrees)
    assert order.tolist() == sorted(range(pages), key=lambda page: (-int(degrees[page]), page))
    ours = kernels.link_sorting.reverse(offsets, out, order, degrees)
    assert equal(ours, plain.reverse(offsets, out, order, degrees))
    ranks = np.empty(pages, np.uint32)
    ranks[order] = np.arange(pages)
    pairs = kernels.link_sorting.by_rank(targets, sources, ranks)
    assert equal(pairs, plain.by_rank(targets, sources, ranks))


def test_degrees_past_sixteen_bits_are_ordered_too() -> None:
    degrees = np.array([3, 70_000, 65_536, 70_000, 4_000_000_000, 0], np.uint32)
    assert kernels.link_sorting.descending(degrees).tolist() == [4, 1, 3, 2, 0, 5]


def test_a_long_row_is_made_distinct() -> None:
    targets = np.tile(np.arange(5000, dtype=np.uint32), 3)
    sources = np.full(len(targets), 7, np.uint32)
    offsets, links = kernels.link_sorting.group(sources, targets, 0, 5000, True)
    assert links.tolist() == [page for page in range(5000) if page != 7]
    assert offsets.tolist() == [0] * 8 + [4999] * 4993


def test_many_links_are_split_into_ranges_and_still_come_in_order() -> None:
    rng = np.random.default_rng(3)
    sources = rng.integers(0, 3000, 400_000).astype(np.uint32)
    targets = (3000 * rng.random(400_000) ** 3).astype(np.uint32)
    ours = kernels.link_sorting.group(sources, targets, 0, 3000, True)
    assert equal(ours, plain.group(sources, targets, 0, 3000, True))
    degrees = np.zeros(3000, np.uint32)
    kernels.link_sorting.count_into(degrees, ours[1])
    order = kernels.link_sorting.descending(degrees)
    reverse = kernels.link_sorting.reverse(*ours, order, degrees)
    assert equal(reverse, plain.reverse(*ours, order, degrees))


@given(links(), st.integers(1, 5))
def test_pairs_are_split_into_buckets(given_links: Links, buckets: int) -> None:
    pages, sources, targets = given_links
    bucket_of = np.arange(pages // 4 + 1, dtype=np.uint32) % buckets
    ours = kernels.link_sorting.split(sources, targets, bucket_of, 2, buckets)
    assert equal(ours, plain.split(sources, targets, bucket_of, 2, buckets))
    flags, twin_flags = np.zeros(pages, np.uint8), np.zeros(pages, np.uint8)
    kernels.link_sorting.mark(flags, sources)
    plain.mark(twin_flags, sources)
    assert np.array_equal(flags, twin_flags)
    table = np.arange(pages, dtype=np.uint32)[::-1].copy()
    assert equal(
        (kernels.link_sorting.translate(table, targets),), (plain.translate(table, targets),)
    )
