"""Pages related to all of several query pages."""

from __future__ import annotations

import numpy as np
import pytest

from whatsrelated.contract.found import Found
from whatsrelated.query.join import join


def found(scores: dict[int, float], reason: str = "") -> Found:
    return Found(
        np.array(list(scores), np.uint32),
        np.array(list(scores.values()), np.float64),
        notes=("same note",),
        evidence=lambda page: {"sentence": f"It is {page}."},
        reason=reason,
    )


def test_pages_in_more_lists_come_first_then_by_the_geometric_mean() -> None:
    joined = join([found({1: 4.0, 2: 2.0}), found({2: 10.0, 3: 1.0})], ["u", "v"])
    assert joined.pages.tolist() == [1, 2, 3]
    assert joined.groups is not None
    assert joined.groups.tolist() == [1, 2, 1]
    # By hand: a missing score is half of the smallest, each list divided by its largest.
    wanted = [(1.0 * 0.05) ** 0.5, (0.5 * 1.0) ** 0.5, (0.25 * 0.1) ** 0.5]
    assert joined.scores.tolist() == pytest.approx(wanted)
    assert joined.notes == ("same note",)


def test_the_evidence_names_the_lists_that_have_the_page() -> None:
    joined = join([found({1: 4.0}), found({1: 1.0, 3: 1.0})], ["u", "v"])
    assert joined.evidence(3) == {
        "sentence": "Related to 1 of the 2 pages.",
        "lists": [{"of": "v", "sentence": "It is 3."}],
    }
    assert [part["of"] for part in joined.evidence(1)["lists"]] == ["u", "v"]
    assert joined.evidence(1)["sentence"] == "Related to both pages."


def test_a_list_without_pages_is_not_counted_but_its_reason_is_kept() -> None:
    joined = join([found({1: 4.0}), found({}, "no page links to v")], ["u", "v"])
    assert joined.scores.tolist() == [1.0]
    assert joined.evidence(1)["sentence"].startswith("Related to 1 of the 2 pages.")
    assert joined.reason == "no page links to v"
