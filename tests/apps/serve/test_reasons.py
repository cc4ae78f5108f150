"""Evidence for the page: sentences with links, strips, lists."""

from __future__ import annotations

from tests.graphs import graph_of
from whatsrelated.apps.serve.reasons import pieces, reasons

GRAPH = graph_of("p -> x u a v", "q -> u v y", "u -> c", "v -> c")


def test_a_sentence_links_the_pages_that_it_names() -> None:
    evidence = {"sentence": "Both link to “tea”, e.g.", "named": [{"url": "tea", "title": None}]}
    assert pieces(evidence) == [("Both link to ", None), ("tea", "tea"), (", e.g.", None)]
    assert pieces({"sentence": "No “name”."}) == [("No “name”.", None)]
    assert pieces({}) == []


def test_a_page_that_links_to_both_is_a_strip_with_the_two_links_marked() -> None:
    result = next(
        r for r in GRAPH.related("u", by="cocitation", shared=1, enough=1) if r.url == "v"
    )
    (reason,) = reasons(GRAPH.store, ["u"], "v", result.evidence)
    assert [(s.url, s.links, s.query_at, s.result_at) for s in reason.strips] == [
        ("q", 3, 0.0, 33.33),
        ("p", 4, 25.0, 75.0),
    ]
    assert [s.remark for s in reason.strips] == [
        "side by side, of 3 links",
        "2 links apart, of 4 links",
    ]


def test_every_part_of_a_blend_is_one_reason() -> None:
    result = next(r for r in GRAPH.related("u") if r.url == "v")
    found = reasons(GRAPH.store, ["u"], "v", result.evidence)
    assert [reason.share for reason in found] == [
        part["share"] for part in result.evidence["parts"]
    ]
    for reason in found:
        assert "".join(text for text, _ in reason.pieces) not in result.evidence["sentence"] or (
            not reason.pieces
        )


def test_several_pages_have_a_reason_each() -> None:
    result = next(r for r in GRAPH.related(["u", "x"]) if r.url == "v")
    found = reasons(GRAPH.store, ["u", "x"], "v", result.evidence)
    assert [reason.of.url for reason in found if reason.of] == ["u", "x"]
