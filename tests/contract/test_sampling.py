"""Samples are even, seeded, and the same each time."""

from __future__ import annotations

import numpy as np

from whatsrelated.contract.sampling import draw, sample


def test_a_draw_depends_on_the_seed_and_the_url_alone() -> None:
    assert draw("https://a.org/", 0) == draw("https://a.org/", 0)
    draws = {draw(url, seed) for url in ("https://a.org/", "Tea") for seed in range(4)}
    assert len(draws) == 8
    assert all(0 <= one < 1 for one in draws)


def test_a_sample_is_spread_evenly_from_its_start() -> None:
    pages = np.arange(10, dtype=np.uint32)
    assert sample(pages, 5, 0.0).tolist() == [0, 2, 4, 6, 8]
    assert sample(pages, 5, 0.5).tolist() == [1, 3, 5, 7, 9]
    assert sample(pages, 4, 0.9).tolist() == [2, 4, 7, 9]
    assert sample(pages, 10, 0.7) is pages
