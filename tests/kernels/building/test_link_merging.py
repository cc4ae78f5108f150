"""Rows under new numbers, with others merged into them: the compiled loop and its plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError
from whatsrelated.kernels.building import link_merging as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

NONE = 0xFFFFFFFF


@st.composite
def merges(draw: st.DrawFn) -> dict[str, Any]:
    """Rows of 70 pages that are in order, of which some went, and others that come between."""
    old, new = 70, 90
    numbers = np.array(sorted(draw(st.permutations(range(new)))[:old]), np.uint32)
    degrees = np.array(draw(st.lists(st.integers(0, 3), min_size=new, max_size=new)), np.uint32)
    dropped = np.array(draw(st.lists(st.integers(0, 5), min_size=old, max_size=old))) == 5

    def in_order(pages: list[int]) -> list[int]:
        return sorted(pages, key=lambda page: (-int(degrees[page]), page))

    back = {int(number): page for page, number in enumerate(numbers)}
    pages = st.lists(st.integers(0, new - 1), max_size=8, unique=True)
    offsets, links, added_offsets, added = [0], [], [0], []
    for _ in range(old):
        links += [back[page] for page in in_order(draw(pages)) if page in back]
        offsets.append(len(links))
    for _ in range(new):
        others = draw(pages) if draw(st.integers(0, 3)) == 0 else []
        added += [page for page in in_order(others) if page not in back or dropped[back[page]]]
        added_offsets.append(len(added))
    origins = np.full(new, NONE, np.uint32)
    kept = draw(st.lists(st.booleans(), min_size=old, max_size=old))
    origins[numbers[kept]] = np.flatnonzero(kept)
    return {
        "offsets": np.array(offsets, np.uint64),
        "links": np.array(links, np.uint32),
        "origins": origins,
        "numbers": numbers,
        "dropped": dropped.astype(np.uint8),
        "added_offsets": np.array(added_offsets, np.uint64),
        "added": np.array(added, np.uint32),
        "degrees": degrees,
    }


def merged(module: Any, rows: dict[str, Any], low: int, high: int, room: int) -> list[int]:
    rows = dict(rows)
    blocks = module.blocks(rows["numbers"], rows.pop("dropped"))
    into = np.empty(room, np.uint32)
    written = module.merge_rows(blocks=blocks, low=low, high=high, into=into, **rows)
    return list(into[:written].tolist())


@given(merges(), st.integers(0, 90), st.integers(0, 90))
def test_rows_are_merged_as_in_plain_python(rows: dict[str, Any], one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert (
        kernels.link_merging.blocks(rows["numbers"], rows["dropped"]).tolist()
        == plain.blocks(rows["numbers"], rows["dropped"]).tolist()
    )
    room = len(rows["links"]) + len(rows["added"])
    found = merged(plain, rows, low, high, room)
    assert merged(kernels.link_merging, rows, low, high, room) == found
    assert merged(kernels.link_merging, rows, low, high, len(found)) == found
    if found:
        with pytest.raises(GraphFormatError, match="contradict"):
            merged(kernels.link_merging, rows, low, high, len(found) - 1)
        with pytest.raises(GraphFormatError, match="contradict"):
            merged(plain, rows, low, high, len(found) - 1)


def test_a_block_has_one_shift_or_a_mark_for_several() -> None:
    numbers = np.arange(100, dtype=np.uint32)
    numbers[40:] += np.uint32(7)
    dropped = np.zeros(100, np.uint8)
    dropped[[3, 33]] = 1
    words = kernels.link_merging.blocks(numbers, dropped).tolist()
    assert words == [8, 1 << 63 | 2, 7 << 32, 7 << 32]


@given(merges(), st.integers(0, 90))
def test_values_are_spread_as_in_plain_python(rows: dict[str, Any], room: int) -> None:
    numbers, kept = rows["numbers"], 1 - rows["dropped"]
    found, wanted = np.full((2, room), NONE, np.uint32)
    kernels.link_merging.spread(np.arange(70, dtype=np.uint32), numbers, kept, found)
    plain.spread(np.arange(70, dtype=np.uint32), numbers, kept, wanted)
    assert found.tolist() == wanted.tolist()
    assert found[numbers[(kept == 1) & (numbers < room)]].tolist() == [
        page for page in range(70) if kept[page] and numbers[page] < room
    ]
    with pytest.raises(ValueError, match="for each page"):
        kernels.link_merging.spread(np.arange(69, dtype=np.uint32), numbers, kept, found)


@given(st.lists(st.booleans(), max_size=12), st.lists(st.integers(0, 12), max_size=9))
def test_pages_that_stay_and_come_are_numbered_in_order(
    stay: list[bool], places: list[int]
) -> None:
    before = sorted(place for place in places if place <= len(stay))
    expected, old, new = 0, [], []
    for page in range(len(stay) + 1):
        for _ in range(before.count(page)):
            new.append(expected)
            expected += 1
        old.append(expected)
        expected += page < len(stay) and stay[page]
    for module in kernels.link_merging, plain:
        found = module.number(np.array(stay, np.uint8), np.array(before, np.int64))
        assert [found[0].tolist(), found[1].tolist(), found[2]] == [old[:-1], new, expected]


@given(st.lists(st.integers(0, 2**32 - 1), max_size=9))
def test_offsets_are_the_sums_of_the_degrees(degrees: list[int]) -> None:
    for module in kernels.link_merging, plain:
        found = module.offsets(np.array(degrees, np.uint32))
        assert found.dtype == np.uint64
        assert found.tolist() == [sum(degrees[:page]) for page in range(len(degrees) + 1)]
        assert module.degrees(found).tolist() == degrees
