"""Pages related to all of several query pages."""

from __future__ import annotations

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.contract.candidates import Candidates
from whatsrelated.query.join import join

STORE = graph_of("a -> b c d e").store


def found(scores: dict[str, float], reason: str = "") -> Candidates:
    return Candidates(
        np.array([STORE.page(name) for name in scores], np.uint32),
        np.array(list(scores.values()), np.float64),
        notes=("same note",),
        evidence=lambda page: {"sentence": f"It is {STORE.url(page)}."},
        reason=reason,
    )


def joined(*founds: Candidates) -> Candidates:
    return join(founds, [STORE.page(name) for name in "de"], STORE)


def test_pages_in_more_lists_come_first_then_by_the_geometric_mean() -> None:
    both = joined(found({"a": 4.0, "b": 2.0}), found({"b": 10.0, "c": 1.0}))
    assert [STORE.url(page) for page in both.pages.tolist()] == ["a", "b", "c"]
    assert both.groups is not None
    assert both.groups.tolist() == [1, 2, 1]
    # By hand: a missing score is half of the smallest, each list divided by its largest.
    wanted = [(1.0 * 0.05) ** 0.5, (0.5 * 1.0) ** 0.5, (0.25 * 0.1) ** 0.5]
    assert both.scores.tolist() == pytest.approx(wanted)
    assert both.notes == ("same note",)


def test_the_evidence_names_the_lists_that_have_the_page() -> None:
    both = joined(found({"a": 4.0}), found({"a": 1.0, "c": 1.0}))
    only = both.evidence(STORE.page("c"))
    assert only["sentence"] == (
        "“c” is related to only one of the two pages you asked about, “e”. It is c."
    )
    assert only["lists"] == [{"of": "e", "sentence": "It is c."}]
    assert [page["url"] for page in only["named"]] == ["c", "e"]
    every = both.evidence(STORE.page("a"))
    assert [part["of"] for part in every["lists"]] == ["d", "e"]
    assert every["sentence"] == "It is a. It is a."


def test_a_list_without_pages_is_not_counted_but_its_reason_is_kept() -> None:
    one = joined(found({"a": 4.0}), found({}, "no page links to v"))
    assert one.scores.tolist() == [1.0]
    assert one.evidence(STORE.page("a"))["sentence"].startswith("“a” is related to only one")
    assert one.reason == "no page links to v"
