"""The page source of HZ03: candidates, and the neighbours of the query that they share."""

from __future__ import annotations

import numpy as np

from tests.graphs import graph_of
from whatsrelated.contract.question import Question
from whatsrelated.vicinity.page_source import back_half, forward_half, merge_by_site

STORE = graph_of(
    "https://p.org/1 -> https://u.org/ https://a.org/",
    "https://p.org/2 -> https://u.org/ https://a.org/ https://b.org/",
    "https://q.org/ -> https://b.org/ https://u.org/",
    "https://u.org/ -> https://c.org/ https://d.org/",
    "https://v.org/ -> https://d.org/ https://c.org/",
    "https://w.org/ -> https://c.org/",
).store
ASKED = Question.about(STORE, (STORE.page("https://u.org/"),), site="host")


def names(pages: np.ndarray) -> list[str]:
    return sorted(STORE.url(page) for page in pages.tolist())


def test_the_back_half_has_the_siblings_and_the_merged_parents_that_they_share() -> None:
    half = back_half(ASKED, 10, 10)
    assert names(half.pages) == ["https://a.org/", "https://b.org/"]
    assert names(half.neighbours) == ["https://p.org/1", "https://p.org/2", "https://q.org/"]
    assert half.width == 2  # p.org is one site
    degrees = {STORE.url(int(p)): int(d) for p, d in zip(half.pages, half.degrees(), strict=True)}
    assert degrees == {"https://a.org/": 1, "https://b.org/": 2}


def test_the_forward_half_has_pages_with_the_same_children() -> None:
    half = forward_half(ASKED, 10, 10)
    assert names(half.pages) == ["https://v.org/", "https://w.org/"]
    assert names(half.neighbours) == ["https://c.org/", "https://d.org/"]
    place = half.pages.tolist().index(STORE.page("https://w.org/"))
    assert len(half.shared(place)) == 1
    assert forward_half(ASKED, 0, 10).width == 0


def test_pages_of_one_site_are_one_neighbour() -> None:
    pages = [STORE.page(f"https://{name}") for name in ("p.org/1", "q.org/", "p.org/2")]
    first, other, second = merge_by_site(ASKED, np.array(pages, np.uint32)).tolist()
    assert first == second != other
