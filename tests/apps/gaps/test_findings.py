"""Findings as plain values."""

from __future__ import annotations

from whatsrelated.apps.gaps.findings import KINDS, BrokenLink, Gaps, by_target


def test_counts_and_values_have_every_kind() -> None:
    found = Gaps(pages=3, links=2, broken=[BrokenLink("a", None, "x")])
    assert found.counts() == {**dict.fromkeys(KINDS, 0), "broken": 1}
    assert found.as_dict()["broken"] == [{"page": "a", "line": None, "link": "x", "status": None}]


def test_unchecked_links_are_unknown() -> None:
    found = Gaps(pages=3, links=2, unchecked_pages=3)
    assert found.counts() == {**dict.fromkeys(KINDS, 0), "broken": None, "redirects": None}
    assert Gaps(pages=3, links=2, unchecked_pages=2).counts()["broken"] == 0


def test_links_are_grouped_by_target_the_most_frequent_first() -> None:
    links = [BrokenLink("a", 1, "x"), BrokenLink("a", 2, "y"), BrokenLink("b", None, "y")]
    assert by_target(links) == [[links[1], links[2]], [links[0]]]
