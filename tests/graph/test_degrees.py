"""Degrees of all pages, by pieces of any size."""

from __future__ import annotations

import numpy as np
import pytest

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.graph import degrees


@pytest.mark.parametrize("at_once", [degrees.PAGES_PER_BATCH, 7])
def test_the_most_linked_pages_by_degree_and_number(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(degrees, "PAGES_PER_BATCH", at_once)
    store = wr.Graph.from_pages(sample.pages()).store
    counts = np.diff(store.in_offsets).astype(np.int64)
    order = sorted(range(len(counts)), key=lambda page: (-counts[page], page))
    for most in (0, 1, 20, len(counts), 2 * len(counts)):
        assert degrees.most_linked(store, most).tolist() == order[:most]
    assert degrees.highest_in_degree(store) == counts.max()
    for backward, offsets in ((True, store.in_offsets), (False, store.out_offsets)):
        pieces = list(degrees.degree_pieces(store, backward=backward))
        assert [low for low, _ in pieces] == list(range(0, len(counts), at_once))
        assert np.concatenate([p for _, p in pieces]).tolist() == np.diff(offsets).tolist()


def test_a_graph_without_pages_has_no_degrees() -> None:
    store = wr.Graph.from_links([]).store
    assert degrees.highest_in_degree(store) == 0
    assert degrees.most_linked(store, 3).tolist() == []
