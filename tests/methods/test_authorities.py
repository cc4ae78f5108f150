"""Hubs and authorities: their evidence, and the note if they do not converge."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


MIRROR = " ".join(f"$t{i}.org/" for i in range(20))


def test_an_empty_answer_says_which_condition_failed() -> None:
    graph = web("$p.org/ -> $u.org/", "$r.org/", "$x.org/ -> $y.org/")
    only = graph.related("https://u.org/", by="companion")
    assert only.notes == ["no page around https://u.org/ but itself is linked from another site"]
    alone = graph.related("https://r.org/", by="companion")
    assert alone.notes == ["https://r.org/ has no links in either direction"]


def test_the_evidence_gives_the_hubs_the_shared_parents_and_the_mirrors() -> None:
    graph = web(
        f"$m0.org/ -> $u.org/ $v.org/ {MIRROR}",
        "$p.org/ -> $u.org/ $v.org/",
        "$q.org/1 -> $v.org/ $x.org/ $u.org/",
        "$q.org/2 -> $v.org/",
        f"$v.org/ -> {MIRROR}",
        f"$v.net/ -> {MIRROR}",
        "$q.org/1 -> $v.net/",
    )
    answer = graph.related("https://u.org/", by="companion")
    evidence = next(r for r in answer if r.url == "https://v.org/").evidence
    assert evidence["shared_parents"] == 3
    assert evidence["linked_from"] == 3
    assert evidence["sites"] == 3
    assert evidence["near_duplicates"] == ["https://v.net/"]
    assert [parent["url"] for parent in evidence["parents"]] == [
        "https://p.org/",
        "https://q.org/1",
        "https://m0.org/",
    ]
    assert [parent["distance"] for parent in evidence["parents"]] == [1, -2, 1]
    assert evidence["hubs"][0]["url"] == "https://m0.org/"
    assert sum(hub["share"] for hub in evidence["hubs"]) == pytest.approx(1)
    assert evidence["sentence"] == (
        "3 pages near “u.org”, especially “m0.org”, link to “v.org”. Each is on its own site."
    )


def test_an_iteration_that_does_not_converge_is_reported() -> None:
    graph = web("$p.org/ -> $u.org/ $v.org/", "$q.org/ -> $u.org/ $w.org/ $v.org/")
    answer = graph.related("https://u.org/", by="companion", max_rounds=2)
    assert any("did not converge in 2 iterations" in note for note in answer.notes)
    assert answer.details["rounds"] == 2
