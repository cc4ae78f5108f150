"""Two graphs as one: which pages stay, and under which numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.errors import GraphFormatError
from whatsrelated.graph import merging
from whatsrelated.graph.merging import Merge, Rows, Strings
from whatsrelated.graph.names import StringTable


def merge(old: list[str], changes: list[str], *deleted: str) -> Merge:
    store = graph_of(*old).store
    gone = np.zeros(store.n_pages, np.bool_)
    gone[[store.page(name) for name in deleted]] = True
    return Merge(store, graph_of(*changes).store, gone)


def whole(rows: Rows, most: int = 100) -> list[int]:
    """All lists, one after the other; each piece has the maximum number of links."""
    links: list[int] = []
    reached = 0
    for low, high, starts, piece in rows.pieces(most):
        assert low == reached < high
        assert len(piece) <= most or high == low + 1
        assert starts.tolist() == (rows.ends[low : high + 1] - rows.ends[low]).tolist()
        links += piece.tolist()
        reached = high
    assert reached == len(rows.ends) - 1
    return links


def strings(merged: Strings) -> list[bytes]:
    pieces = list(merged.pieces())
    text, blocks = (np.concatenate([piece[place] for piece in pieces]) for place in (0, 1))
    table = StringTable(text, blocks, sum(piece[2] for piece in pieces))
    return [table.get(page) for page in range(table.count)]


def test_new_numbers_ascend_with_the_old_ones() -> None:
    # Old: b c d x; c is read and now links to a and y instead of d, which is deleted.
    merged = merge(["b -> c x", "c -> d"], ["c -> a y"], "d")
    assert merged.pages == 5
    assert merged.stays.tolist() == [True, True, False, True]
    assert merged.old_numbers[merged.stays].tolist() == [1, 2, 3]
    assert merged.new_numbers.tolist() == [0, 2, 4]
    assert merged.is_read.tolist() == [False, True, True, False, False]
    assert merged.offsets.tolist() == [0, 0, 2, 4, 4, 4]
    assert whole(merged.links()) == [2, 3, 0, 4]


def test_a_deleted_page_stays_only_if_it_is_linked_to() -> None:
    merged = merge(["a -> b", "b -> a c", "d -> e"], ["z -> a"], "b", "d")
    # a -> b holds b; d goes; c and e, which nobody links to any more, were not deleted.
    assert merged.stays.tolist() == [True, True, True, False, True]
    assert merged.is_read.tolist() == [True, False, False, False, True]
    assert whole(merged.links()) == [1, 0]
    assert merged.counts() == {"added": 1, "changed": 1, "removed": 1}


def test_a_page_without_links_stays_until_it_is_deleted() -> None:
    merged = merge(["a -> b", "d -> d"], ["a -> c", "e -> e"])
    assert strings(merged.names()) == [b"a", b"b", b"c", b"d", b"e"]
    assert merged.counts() == {"added": 2, "changed": 1, "removed": 0}
    merged = merge(["a -> b", "d -> d"], ["a -> c"], "b", "d")
    assert strings(merged.names()) == [b"a", b"c"]
    assert merged.counts() == {"added": 1, "changed": 1, "removed": 2}


@pytest.mark.parametrize("at_once", [1, 2, 3, 1 << 16])
@pytest.mark.parametrize("most", [1, 2, 100])
def test_pieces_of_any_size_make_the_same_whole(
    at_once: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "NAMES_PER_BATCH", at_once)
    merged = merge(["b -> c d e f", "e -> b c"], ["a -> z b", "d -> e f", "y -> a"], "e")
    assert strings(merged.names()) == [b"a", b"b", b"c", b"d", b"e", b"f", b"y", b"z"]
    # Old: b c d e f; e is gone, d is read again, and a, y and z are new.
    assert whole(merged.links(), most) == [7, 1, 2, 3, 4, 5, 4, 5, 0]
    # b, e and f have two parents, a, c, d and z one each, y has none; b comes before a and d.
    assert whole(merged.parents(), most) == [6, 0, 1, 1, 1, 3, 1, 3, 0]


def test_a_parent_moves_when_it_gets_more_links_itself() -> None:
    old = ["a -> t", "b -> t", "c -> b", "d -> b"]
    assert parents_of_t(merge(old, ["e -> x"])) == ["b", "a"]
    assert parents_of_t(merge(old, ["c -> a", "e -> a", "f -> a"])) == ["a", "b"]
    assert parents_of_t(merge(old, ["c -> a", "t -> e"], "d")) == ["a", "b"]
    assert parents_of_t(merge(old, ["b -> a"])) == ["a"]


def parents_of_t(merged: Merge) -> list[str]:
    names = strings(merged.names())
    rows = merged.parents()
    first, last = rows.ends[names.index(b"t") :].tolist()[:2]
    return [names[parent].decode() for parent in whole(rows)[first:last]]


def test_lists_that_contradict_one_another_are_refused() -> None:
    rows = merge(["b -> c"], ["a -> b"]).links()
    for degrees in [1, 0, 1, 0], [1, 3, 0, 0]:
        wrong = replace(rows, ends=np.cumsum(np.array(degrees, np.uint64)))
        with pytest.raises(GraphFormatError, match="contradict"):
            whole(wrong)


def test_a_graph_may_lose_all_its_links() -> None:
    merged = merge(["a -> b"], ["z"], "a")
    assert whole(merged.links()) == whole(merged.parents()) == []
    assert merged.n_moved_links == 0
