"""Blocks of answers lose nothing when joined, reordered or read list by list."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.contract.blocks import AnswerBlock

LISTS = st.lists(st.lists(st.integers(0, 99), max_size=4), min_size=1, max_size=5)


def block_of(lists: list[list[int]], why: bool) -> AnswerBlock:
    """The block of these lists; the scores and reasons are those of the pages."""
    pages = [page for listed in lists for page in listed]
    asked = np.arange(len(lists), dtype=np.uint32)
    return AnswerBlock(
        asked,
        asked + np.uint32(100),
        np.cumsum([len(listed) for listed in lists]),
        np.array(pages, np.uint32),
        np.array(pages, np.float64) / 2,
        [f"page {page}" for page in pages] if why else None,
        {len(lists): "too much"},
    )


def rows(lists: list[list[int]], why: bool) -> list[Any]:
    return [[(page, page / 2, f"page {page}" if why else "") for page in one] for one in lists]


@given(st.lists(LISTS, min_size=1, max_size=3), st.booleans(), st.randoms())
def test_lists_keep_their_pages_scores_and_reasons(
    parts: list[list[list[int]]], why: bool, chance: Any
) -> None:
    joined = AnswerBlock.join([block_of(lists, why) for lists in parts])
    lists = [listed for part in parts for listed in part]
    assert list(joined.lists()) == rows(lists, why)
    assert joined.counts.tolist() == [len(listed) for listed in lists]
    assert joined.failed == {len(part): "too much" for part in parts}
    places = [chance.randrange(len(lists)) for _ in range(chance.randrange(8))]
    taken = joined.take(np.array(places, np.int64))
    assert list(taken.lists()) == rows([lists[place] for place in places], why)
    assert (taken.answered_for - taken.asked).tolist() == [100] * len(places)
