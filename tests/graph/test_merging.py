"""Two graphs as one: which pages stay, and under which numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.graph import merging
from whatsrelated.graph.merging import Merge
from whatsrelated.graph.numbering import NONE


def merge(old: list[str], changes: list[str], *deleted: str) -> Merge:
    store = graph_of(*old).store
    gone = np.zeros(store.n_pages, np.bool_)
    gone[[store.page(name) for name in deleted]] = True
    return Merge(store, graph_of(*changes).store, gone)


def test_numbers_ascend_with_the_old_ones_less_what_went_and_plus_what_came() -> None:
    # Old: b c d x; c is read and now links to a and y instead of d, which nobody else links to.
    merged = merge(["b -> c x", "c -> d"], ["c -> a y"])
    assert merged.pages == 5
    assert merged.stays.tolist() == [True, True, False, True]
    assert merged.old_numbers[merged.stays].tolist() == [1, 2, 3]
    assert merged.new_numbers.tolist() == [0, 2, 4]
    assert merged.is_read.tolist() == [False, True, True, False, False]
    assert merged.offsets.tolist() == [0, 0, 2, 4, 4, 4]
    assert np.concatenate(list(merged.links())).tolist() == [2, 3, 0, 4]


def test_a_deleted_page_stays_only_where_it_is_linked_to() -> None:
    merged = merge(["a -> b", "b -> a c", "d -> e"], ["z -> a"], "b", "d")
    # a -> b holds b; c, d and e go.
    assert merged.stays.tolist() == [True, True, False, False, False]
    assert merged.is_read.tolist() == [True, False, True]
    assert np.concatenate(list(merged.links())).tolist() == [1, 0]


def test_a_page_that_is_named_and_nothing_else_has_no_place() -> None:
    merged = merge(["a -> b"], ["a -> c"])
    assert merged.new_numbers.tolist() == [0, 1]
    assert merged.pages == 2
    merged = merge(["a -> b", "b"], ["a -> c"], "b")
    assert merged.pages == 2
    assert NONE not in merged.new_numbers.tolist()


@pytest.mark.parametrize("at_once", [1, 2, 3, 1 << 16])
@pytest.mark.parametrize("most", [1, 2, 100])
def test_pieces_of_any_size_make_the_same_whole(
    at_once: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "AT_ONCE", at_once)
    merged = merge(["b -> c d e f", "e -> b c"], ["a -> z b", "d -> e f", "y -> a"], "e")
    keys = [
        text.tobytes()[int(first) : int(last)]
        for text, ends in merged.names()
        for first, last in itertools.pairwise(ends)
    ]
    assert keys == [b"a", b"b", b"c", b"d", b"e", b"f", b"y", b"z"]
    rows = list(merged.rows(most))
    assert next(low for low, *_ in rows) == 0
    assert [high for _, high, *_ in rows][-1] == merged.pages
    assert all(len(links) <= max(most, 4) for *_, links in rows)
    whole = np.concatenate([links for *_, links in rows])
    assert whole.tolist() == np.concatenate(list(merged.links())).tolist()
    assert whole.tolist() == [7, 1, 2, 3, 4, 5, 4, 5, 0]
