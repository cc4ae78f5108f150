"""Packed links are read as one array of all links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.graph import rows
from whatsrelated.graph.store import Store


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Store]:
    """The sample Web with plain and with packed links."""
    folder = tmp_path_factory.mktemp("rows")
    plain, packed = (
        wr.build(sample.pages(), folder / kind, store=kind).store for kind in ("plain", "packed")
    )
    assert packed.is_packed
    assert not plain.is_packed
    return plain, packed


@pytest.mark.parametrize("at_once", [rows.PAGES_PER_BATCH, 50])
def test_offsets_links_and_parts_of_them_are_those_of_plain_arrays(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(rows, "PAGES_PER_BATCH", at_once)
    plain, packed = stores
    for direction in ("out", "in"):
        ours = rows.PackedRows(packed.arrays, direction, packed.n_pages)
        offsets, links = plain.arrays[f"{direction}.offsets"], plain.arrays[f"{direction}.links"]
        assert np.array_equal(ours.offsets, offsets)
        assert np.array_equal(np.asarray(ours), links)
        assert len(ours) == len(links)
        for first, last in ((0, 0), (0, 1), (17, 91), (len(links) - 3, len(links)), (5, 3)):
            assert ours[first:last].tolist() == links[first:last].tolist()
        assert ours.fault(len(links)) is None
        assert ours.fault(len(links) + 1) == (
            f"{len(links):,} links are packed instead of {len(links) + 1:,}"
        )


def test_rows_of_pages_are_those_of_plain_links(stores: tuple[Store, Store]) -> None:
    plain, packed = stores
    pages = np.array([3, 0, 90, 91, 17], np.uint32)
    for backward in (False, True):
        ours = packed.rows_of(pages, backward=backward)
        assert ours.tolist() == plain.rows_of(pages, backward=backward).tolist()
        assert packed.rows_of(pages[:0], backward=backward).tolist() == []
    assert packed.links_from(3).tolist() == plain.links_from(3).tolist()
    assert packed.links_to(3).tolist() == plain.links_to(3).tolist()
    assert packed.in_degree(pages).tolist() == plain.in_degree(pages).tolist()
    assert packed.out_degree(pages).tolist() == plain.out_degree(pages).tolist()


def test_a_graph_without_pages_is_packed(tmp_path: Path) -> None:
    graph = wr.build([], tmp_path / "empty", store="packed", allow_empty=True)
    assert (len(graph), graph.n_links, graph.store.check()) == (0, 0, None)


def test_long_entries_that_disagree_with_the_index_are_refused(tmp_path: Path) -> None:
    pages = [wr.Page(name, [f"page {n}" for n in range(300)]) for name in ("all", "most")]
    made = wr.build(pages, tmp_path / "web.graph", store="packed").store
    longs = made.arrays["out.long"]
    assert longs.tolist()[1::3] == [300, 300]

    def fault(index: np.ndarray, longs: np.ndarray) -> str | None:
        arrays = {**made.arrays, "out.index": index, "out.long": longs}
        return rows.PackedRows(arrays, "out", made.n_pages).fault(made.n_links)

    index = made.arrays["out.index"]
    assert fault(index, longs) is None
    assert fault(index, longs[:3]) == "the index has 2 long lists, and 1 have an entry"
    for damaged in (longs[:4], np.concatenate([longs[3:], longs[:3]]), np.tile(longs[:3], 2)):
        assert fault(index, damaged) == "the entries of long lists are damaged"
    for place, value in ((0, 7), (1, 254), (1, 301), (2, 1 << 31)):
        damaged = longs.copy()
        damaged[place] = value
        assert fault(index, damaged) is not None, place
    degrees = index.copy()
    place = degrees.view(np.uint8).tolist().index(255)
    degrees.view(np.uint8)[place] = 254
    assert fault(degrees, longs) == "the index has 1 long lists, and 2 have an entry"
