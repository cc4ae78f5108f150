"""The shapes of JSON replies: what was not requested is omitted."""

from __future__ import annotations

import json

from tests.graphs import graph_of
from whatsrelated.contract.replies import ScoredPage

GRAPH = graph_of("p -> u v", "q -> v u")


def test_evidence_and_details_are_included_only_on_request() -> None:
    answer = GRAPH.related("u", by="cocitation")
    plain, why = answer.as_dict(), answer.as_dict(why=True)
    assert "details" not in plain
    assert "evidence" not in plain["results"][0]
    assert why["details"]["sampled"] == 2
    assert why["results"][0]["evidence"]["shared_parents"] == 2
    assert {**why, "results": []} == {**plain, "results": [], "details": why["details"]}


def test_a_function_among_the_options_is_given_by_name() -> None:
    answer = GRAPH.related("u", by="hubfinder", criterion=abs, min_out=False, steps=0)
    assert json.loads(json.dumps(answer.as_dict()))["options"]["criterion"] == "abs"


def test_every_reply_says_its_version_and_a_part_does_not() -> None:
    assert GRAPH.similarity(["u", "v"], by="cocitation").as_dict()["version"] == 1
    part = ScoredPage(url="u", title=None, score=1.0).as_dict()
    assert part == {"url": "u", "title": None, "score": 1.0}
