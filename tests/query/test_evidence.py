"""Any evidence becomes an outline, whatever the method."""

from __future__ import annotations

from whatsrelated.query.evidence import outline, short


def test_plain_values_are_one_line_and_the_sentence_is_left_out() -> None:
    evidence = {"sentence": "Why.", "shared_parents": 1234, "share": 0.256, "score": 0.123456}
    assert list(outline(evidence)) == ["shared parents 1,234, share 26%, score 0.1235"]


def test_empty_parts_are_not_mentioned() -> None:
    assert list(outline({"sentence": "Why.", "hubs": [], "back": None, "more": {}})) == []


def test_a_list_has_a_heading_and_its_first_items() -> None:
    parents = [{"url": f"p{i}", "links": i, "distance": -1} for i in range(5)]
    assert list(outline({"parents": parents})) == [
        "parents:",
        "  p0 (links 0, distance -1)",
        "  p1 (links 1, distance -1)",
        "  p2 (links 2, distance -1)",
        "  and 2 more",
    ]


def test_every_item_is_shown_with_its_sentence() -> None:
    parts = [{"sentence": f"Because {i}.", "by": f"m{i}", "share": 0.25, "n": i} for i in range(4)]
    assert list(outline({"parts": parts}))[1:] == [f"  m{i}, 25%: Because {i}." for i in range(4)]
    assert list(outline({"lists": [{"of": "u", "sentence": "Yes."}]})) == ["lists: u: Yes."]


def test_a_mapping_is_a_separate_line_with_its_numbers() -> None:
    back = {"degree": 2, "bd": [0.25, 0.5, 0.75, 1.0]}
    assert list(outline({"back": back})) == ["back: degree 2, bd 0.25 0.5 0.75 …"]


def test_lists_inside_a_list_are_below_their_item_one_of_each() -> None:
    paths = [{"urls": ["a", "b"], "carries": 0.5}, {"urls": ["c"], "carries": 0.1}]
    source = {"url": "s", "share": 0.5, "paths": paths}
    assert list(outline({"sources": [source, source]})) == [
        "sources:",
        *2 * ["  s (share 50%)", "    paths: a, b (carries 0.5), and 1 more"],
    ]


def test_an_item_that_begins_with_a_number_is_its_pairs() -> None:
    steps = [{"distance": 1, "new": 37}, {"distance": 2, "new": 186}]
    assert list(outline({"steps": steps})) == [
        "steps:",
        "  distance 1, new 37",
        "  distance 2, new 186",
    ]


def test_a_value_is_short() -> None:
    assert [short(value) for value in (True, False, 1234567, 1e-9, "x")] == [
        "yes",
        "no",
        "1,234,567",
        "1e-09",
        "x",
    ]
