"""The compiled windows and counts agree with their plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.plain import sorting
from whatsrelated.kernels.plain import windows as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.windows.Scratch()


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=300),
    st.integers(-1, 9),
    st.booleans(),
    st.data(),
)
def test_siblings_are_counted_as_by_hand(
    pairs: list[tuple[int, int]], width: int, whole: bool, data: st.DataObject
) -> None:
    array = np.array(pairs, np.uint32)
    offsets, links = sorting.group(array[:, 0], array[:, 1], 0, 31, True)
    page = data.draw(st.integers(0, 30))
    parents = np.array(
        [p for p in range(31) if page in links[int(offsets[p]) : int(offsets[p + 1])]], np.uint32
    )
    arguments = (offsets, links, parents, page, width, whole)
    ours = kernels.windows.cocited(scratch, *arguments)
    twin = plain.cocited(None, *arguments)
    assert dict(zip(ours[0].tolist(), ours[1].tolist(), strict=True)) == dict(
        zip(twin[0].tolist(), twin[1].tolist(), strict=True)
    )
    assert dict(zip(ours[0].tolist(), ours[2].tolist(), strict=True)) == dict(
        zip(twin[0].tolist(), twin[2].tolist(), strict=True)
    )
    assert ours[3:] == twin[3:]


def test_the_scratch_is_clean_after_a_large_query() -> None:
    own = kernels.windows.Scratch()
    targets = np.arange(1, 50_001, dtype=np.uint32)
    large = np.array([0, 50_000, *[50_000] * 50_000], np.uint64)
    parents = np.array([0], np.uint32)
    for _ in range(2):
        found, counts, *_ = kernels.windows.cocited(own, large, targets, parents, 5, -1, True)
        assert len(found) == 49_999
        assert set(counts.tolist()) == {1}
    few = np.array([0, 3, *[3] * 50_000], np.uint64)
    found, *_ = kernels.windows.cocited(own, few, targets, parents, 2, 8, True)
    assert found.tolist() == [1, 3]
