"""What pages share: the parents of two pages, and how many pages several lists hold."""

from __future__ import annotations

import numpy as np

from tests.graphs import graph_of
from whatsrelated.vicinity.shared import distinct, linking_pages, shared_parents

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
