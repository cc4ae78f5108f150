"""Near-duplicates: pages whose links are nearly the same."""

from __future__ import annotations

import numpy as np

from tests.graphs import graph_of
from whatsrelated.vicinity.duplicates import near_duplicates, rule_of


def test_pages_of_more_than_ten_links_that_agree_in_95_of_100_are_one_group() -> None:
    many = [f"t{i:02}" for i in range(40)]
    store = graph_of(
        f"one -> {' '.join(many)}",
        f"two -> {' '.join(many[:38])}",
        f"three -> {' '.join(many[:36])}",
        f"few -> {' '.join(many[:10])}",
        f"few2 -> {' '.join(many[:10])}",
    ).store
    names = ["few", "few2", "one", "two", "three"]
    pages = np.array([store.page(name) for name in names], np.uint32)
    groups = [names[place] for place in near_duplicates(store, pages).tolist()]
    # 38 of 40 is 95 of 100; 36 of 38 is less, and ten links are too few.
    assert groups == ["few", "few2", "one", "one", "three"]


def test_the_rule_may_be_another_one() -> None:
    assert rule_of(10, 0.95) == (10, 19, 20)
    assert rule_of(0, 1.0) == (0, 1, 1)
    store = graph_of("one -> a b c d", "two -> a b c e", "three -> a b f g").store
    pages = np.array([store.page(name) for name in ("one", "two", "three")], np.uint32)
    assert near_duplicates(store, pages).tolist() == [0, 1, 2]
    assert near_duplicates(store, pages, rule_of(3, 0.75)).tolist() == [0, 0, 2]
    assert near_duplicates(store, pages, rule_of(3, 0.5)).tolist() == [0, 0, 0]
    assert near_duplicates(store, pages, rule_of(4, 0.5)).tolist() == [0, 1, 2]
