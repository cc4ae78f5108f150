"""Sentences refer to pages by title."""

from __future__ import annotations

from whatsrelated.vicinity.wording import MOST_QUOTED, quote, sentence


def test_a_page_is_named_by_its_title_else_by_its_url_without_the_scheme() -> None:
    assert quote("https://a.org/", "Home") == "“Home”"
    assert quote("https://a.org/x", None) == "“a.org/x”"
    assert quote("https://a.org/", None) == "“a.org”"
    assert quote("a note", "") == "“a note”"
    assert len(quote("a", "x" * 500)) == MOST_QUOTED + 2
    assert quote("a", "x" * 500).endswith("x…”")


def test_a_sentence_has_a_capital_and_a_full_stop() -> None:
    assert sentence("all 3 pages") == "All 3 pages."
