"""Packed links are the links that were packed; damaged ones are found before they are followed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, in_order
from whatsrelated.kernels.shared import links as plain_links
from whatsrelated.kernels.shared import packing as plain

compiled = pytest.importorskip(
    "whatsrelated.kernels.shared._packing", reason="kernels not compiled"
)
links_kernel = pytest.importorskip("whatsrelated.kernels.shared._links")
both = pytest.mark.parametrize("module", [compiled, plain], ids=["compiled", "plain"])

Rows = list[list[int]]


@st.composite
def rows_of_pages(draw: st.DrawFn) -> tuple[Rows, int]:
    """The rows of some pages, short, empty and long, and how many pages there are."""
    pages = draw(st.sampled_from([20, 3000, 1 << 20, 1 << 29, 1 << 31, (1 << 32) - 1]))
    near = st.integers(0, min(pages, 200) - 1)
    row = st.lists(near | st.integers(0, pages - 1), max_size=12)
    rows = draw(st.lists(row, min_size=1, max_size=min(pages, 35)))
    if pages > 2000 and draw(st.booleans()):
        size = draw(st.sampled_from([254, 255, 256, 257, 511, 512, 513, 1281]))
        seed = np.random.default_rng(draw(st.integers(0, 9)))
        rows[draw(st.integers(0, len(rows) - 1))] = seed.integers(0, pages, size).tolist()
    return rows, pages


def arrays_of_rows(rows: Rows) -> tuple[Any, Any]:
    offsets = np.cumsum([0, *(len(row) for row in rows)]).astype(np.uint64)
    return offsets, np.array([link for row in rows for link in row], np.uint32)


def packed(module: Any, rows: Rows, pages: int) -> tuple[list[Any], int]:
    """Index, long entries and words, and the bits of a page."""
    wide = module.width(pages)
    index, longs, words = module.encode(*arrays_of_rows(rows), 0, wide, 0)
    return [index.copy(), longs, np.append(words, np.uint64(0))], wide


def unpacked(module: Any, arrays: list[Any], wide: int, low: int, high: int) -> Rows:
    degrees = module.degrees(*arrays, low, high).tolist()
    links = np.zeros(sum(degrees), np.uint32)
    module.decode(*arrays, low, high, wide, links)
    return [part.tolist() for part in np.split(links, np.cumsum(degrees)[:-1])]


@both
@given(rows_of_pages())
def test_compressed_files_are_unpacked(module: Any, case: tuple[Rows, int]) -> None:
    rows, pages = case
    arrays, wide = packed(module, rows, pages)
    assert unpacked(module, arrays, wide, 0, len(rows)) == rows
    middle = len(rows) // 2
    assert unpacked(module, arrays, wide, middle, middle + 1) == [rows[middle]]
    assert module.fault(*arrays, 0, len(rows), pages, wide) == -1


@given(rows_of_pages(), st.integers(0, 3), st.integers(0, 1000))
def test_the_compiled_packer_writes_the_bits_of_its_twin(
    case: tuple[Rows, int], block: int, base: int
) -> None:
    rows, pages = case
    wide = compiled.width(pages)
    assert wide == plain.width(pages)
    for ours, twins in zip(
        compiled.encode(*arrays_of_rows(rows), 16 * block, wide, base),
        plain.encode(*arrays_of_rows(rows), 16 * block, wide, base),
        strict=True,
    ):
        assert ours.tolist() == twins.tolist()


@pytest.mark.parametrize("wide", [20, 29, 30, 32])
def test_distances_of_every_size_are_packed_as_by_the_twin(wide: int) -> None:
    """From the first page and from the last: powers of two, one less and one more."""
    last = (1 << wide) - 1
    powers = [(1 << bits) + more for bits in range(wide) for more in (-1, 0, 1)]
    row = sorted({min(power, last) for power in powers})
    for first in (0, last // 16 * 16):
        rows = [row, [last - page for page in row], row[::-1], [link for link in row for _ in "ab"]]
        for ours, twins in zip(
            compiled.encode(*arrays_of_rows(rows), first, wide, 0),
            plain.encode(*arrays_of_rows(rows), first, wide, 0),
            strict=True,
        ):
            assert ours.tolist() == twins.tolist()


def test_a_block_by_hand() -> None:
    """Page 3 links to 4 (one on, no bits), 2 (one back from the page, two bits) and 12 (four bits).

    In the first table selector 0 has no bits, from the link before, and 4 two, from the page; 7
    has the four bits of a page among 13.  The list takes 9 bits of selectors and 6 more: after
    those 15 each of the further groups begins, and 15 takes four bits.
    """
    rows: Rows = [[], [], [], [4, 2, 12], [], [], []]
    index, longs, words = compiled.encode(*arrays_of_rows(rows), 0, compiled.width(13), 0)
    assert index.tobytes() == bytes([0, 0, 0, 0, 0, 0, 0, 3]) + bytes(12)
    assert longs.tolist() == []
    head = 4 | 0 << 5
    starts = 15 | 15 << 4 | 15 << 8
    selectors = 0 | 4 << 3 | 7 << 6
    block = head | starts << 9 | (selectors | 1 << 9 | 12 << 11) << 9 + 3 * 4
    assert words.tolist() == [block]


def test_a_long_list_by_hand() -> None:
    """Page 1 links to the 300 pages after it, which takes no bits but the selectors'.

    But the second chunk counts from the page again, and 258 is best given by its number, in 9 bits.
    """
    rows: Rows = [[0], list(range(2, 302))]
    index, longs, words = compiled.encode(*arrays_of_rows(rows), 0, compiled.width(400), 7)
    first, second = 256 * 3 // 64, -(-(44 * 3 + 9) // 64)
    assert longs.tolist() == [1, 300, 7]
    assert index.tobytes() == bytes([7 + 1 + first + second, 0, 0, 0, 1, 255]) + bytes(14)
    table = 0
    assert words[0] == table | 1 + first << 32
    assert words[1 : 1 + first + second].tolist() == [0] * first + [7, 0, 258 << 44 * 3 - 128]


@given(rows_of_pages(), st.data())
def test_a_damaged_list_is_found_or_is_another_list(
    case: tuple[Rows, int], data: st.DataObject
) -> None:
    rows, pages = case
    arrays, wide = packed(compiled, rows, pages)
    for _ in range(data.draw(st.integers(1, 4))):
        array = data.draw(st.sampled_from([each for each in arrays if len(each)]))
        raw = array.view(np.uint8)
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    found = compiled.fault(*arrays, 0, len(rows), pages, wide)
    assert found == plain.fault(*arrays, 0, len(rows), pages, wide)
    good = len(rows) if found < 0 else found
    for row in unpacked(compiled, arrays, wide, 0, good) if good else []:
        assert all(link < pages for link in row)


@both
@pytest.mark.parametrize("group", [1, 2, 3])
def test_a_group_that_starts_elsewhere_is_found(module: Any, group: int) -> None:
    """A page read alone starts at its group; a range continues from the previous page."""
    rows: Rows = [[page + 1, page + 3] for page in range(16)]
    (index, longs, words), wide = packed(module, rows, 20)
    bits = int(words[0]) & 31
    words[0] ^= np.uint64(1 << 9 + (group - 1) * bits)
    assert module.fault(index, longs, words, 0, 16, 20, wide) in (4 * group - 1, 4 * group)


@both
def test_a_block_of_long_lists_past_the_data_is_found(module: Any) -> None:
    rows = [list(range(300))] * 2
    (index, longs, words), wide = packed(module, rows, 300)
    index[0] = 2**32 - 1
    assert module.fault(index, longs, words, 0, 2, 300, wide) == 0


@both
def test_data_cut_short_is_found(module: Any) -> None:
    rows = [[5, 90, 7], [], list(range(1, 2000, 3)) * 2]
    (index, longs, words), wide = packed(module, rows, 3000)
    for size in range(len(words)):
        assert module.fault(index, longs, words[:size], 0, 3, 3000, wide) >= 0, size
    assert module.fault(index, longs[:0], words, 0, 3, 3000, wide) == 2


def packed_links(graph: Arrays, kind: Any, arena: Any) -> Any:
    pages = len(graph.offsets) - 1
    wide = compiled.width(pages)
    arrays = []
    for offsets, links in (graph[:2], graph[2:4]):
        index, longs, words = compiled.encode(offsets, links, 0, wide, 0)
        arrays.append((index, longs, np.append(words, np.uint64(0))))
    return kind(*arrays, pages, wide, arena)


pairs = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=200)


@given(pairs)
def test_rows_and_degrees_are_those_of_plain_links(pairs: list[tuple[int, int]]) -> None:
    graph = in_order(pairs, 41)
    ours = packed_links(graph, links_kernel.PackedLinks, links_kernel.Arena())
    twin = packed_links(graph, plain_links.PackedLinks, plain_links.Arena())
    sites = np.arange(41, dtype=np.uint32) // 20
    for links in (ours, twin):
        for backward in (False, True):
            wanted = np.arange(41)
            assert links.degrees(wanted, backward).tolist() == (
                graph.ours.degrees(wanted, backward).tolist()
            )
            for page in range(41):
                row = graph.ours.row(page, backward)
                assert links.row(page, backward).tolist() == row.tolist()
        for page in range(41):
            assert links.is_inward(sites, page) == graph.ours.is_inward(sites, page)


def test_an_arena_forgets_the_lists_of_another_graph() -> None:
    arena = links_kernel.Arena()
    sites = np.array([0, 0, 1], np.uint32)
    first = packed_links(in_order([(0, 1)], 3), links_kernel.PackedLinks, arena)
    arena.serve("first")
    assert first.is_inward(sites, 0)
    second = packed_links(in_order([(0, 2)], 3), links_kernel.PackedLinks, arena)
    arena.serve("second")
    assert not second.is_inward(sites, 0)
