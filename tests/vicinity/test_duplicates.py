"""Near-duplicates: pages whose links are nearly the same."""

from __future__ import annotations

import numpy as np

from tests.graphs import graph_of
from whatsrelated.vicinity.duplicates import near_duplicates


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
