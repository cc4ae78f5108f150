"""Pieces between two marks, and those that nothing closes."""

from __future__ import annotations

import re

from whatsrelated.sources.spans import spans, without_spans

COMMENT = re.compile("<!--|%%")


def closing(mark: re.Match[str]) -> str:
    return {"<!--": "-->", "%%": "%%"}[mark[0]]


def inside(text: str) -> list[str]:
    return [text[start:end] for _, start, end, _ in spans(text, COMMENT, closing)]


def test_the_text_between_two_marks_is_found() -> None:
    assert inside("a <!-- b --> c %%d%% <!--e-->") == [" b ", "d", "e"]


def test_an_unclosed_piece_is_skipped() -> None:
    assert inside("<!-- a %%b%% <!-- c") == ["b"]


def test_a_mark_inside_a_piece_opens_nothing() -> None:
    assert inside("<!-- %% --> a <!-- %% -->") == [" %% ", " %% "]


def test_a_complete_element_needs_no_closing_mark() -> None:
    found = list(spans("a `b` c", re.compile("`[^`]*`"), lambda _: ""))
    assert found == [(2, 5, 5, 5)]


def test_the_remaining_spans_keep_their_positions() -> None:
    assert without_spans("a<!--b-->c %% d", COMMENT, closing) == "a        c %% d"
