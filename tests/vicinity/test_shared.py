"""What pages share: the parents of two pages, and how many pages several lists hold."""

from __future__ import annotations

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.vicinity.shared import distinct, linking_pages, shared_parents, sharing_sentence

STORE = graph_of("long -> v x y u", "short -> u v", "other -> u w", "tie -> v u").store


def test_the_most_specific_shared_parents_come_first() -> None:
    u, v = STORE.page("u"), STORE.page("v")
    count, listed = shared_parents(STORE, STORE.links_to(u), u, v, 2)
    assert count == 3
    assert listed == [
        {"url": "short", "links": 2, "distance": 1},
        {"url": "tie", "links": 2, "distance": -1},
    ]


def test_only_pages_that_link_to_the_target_are_left() -> None:
    parents = STORE.links_to(STORE.page("u"))
    left = linking_pages(STORE, parents, STORE.page("w"))
    assert [STORE.url(int(page)) for page in left] == ["other"]


def test_a_page_in_two_lists_counts_once() -> None:
    assert distinct(np.array([1, 2], np.uint32), np.array([2, 3], np.uint32)) == 3


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ((2, 3), "2 of the 3 pages that link to it link here too"),
        ((1, 1234), "1 of the 1,234 pages that link to it links here too"),
        ((1, 1), "the only page that links to it links here too"),
        ((2, 2), "both pages that link to it link here too"),
        ((3, 3), "all 3 pages that link to it link here too"),
        ((2, 9, 2), "2 of the 9 pages that link to them link here too"),
    ],
)
def test_parents_are_described_in_plain_words(counts: tuple[int, ...], sentence: str) -> None:
    assert sharing_sentence(*counts) == sentence
