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


@pytest.mark.parametrize("at_once", [rows.AT_ONCE, 50])
def test_offsets_links_and_parts_of_them_are_those_of_plain_arrays(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(rows, "AT_ONCE", at_once)
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


def test_a_graph_of_no_pages_is_packed(tmp_path: Path) -> None:
    graph = wr.build([], tmp_path / "empty", store="packed", allow_empty=True)
    assert (len(graph), graph.n_links, graph.store.check()) == (0, 0, None)
