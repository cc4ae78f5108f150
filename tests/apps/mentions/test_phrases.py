"""Phrases are found by longest match, at word boundaries of any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.mentions.phrases import PhraseTable
from whatsrelated.apps.mentions.scan import Span
from whatsrelated.apps.mentions.words import phrase_of


def matches(text: str, *phrases: str) -> list[str]:
    table = PhraseTable()
    for phrase in phrases:
        table.number(phrase)
    return [text[one.start : one.end] for one in table.find(text, [Span(0, len(text), 0)])]


@pytest.mark.parametrize(
    ("text", "phrases", "expected"),
    [
        ("Green tea and tea", ["tea", "green tea"], ["Green tea", "tea"]),
        ("steam teas tea_x", ["tea"], []),
        ("green\n  tea", ["green tea"], ["green\n  tea"]),
        ("C++ and C", ["C++"], ["C++"]),
        ("use .NET, not net", [".NET"], [".NET"]),
        ("node js node.js", ["Node.js"], ["node.js"]),
        ("我喜欢绿茶。", ["绿茶"], ["绿茶"]),
        ("हिन्दी हि", ["हि"], ["हि"]),
        ("ÄPFEL äpfel", ["Äpfel"], ["ÄPFEL", "äpfel"]),
        ("see tea(1), or tea", ["tea(1)"], ["tea(1)"]),
        ("read “Tea, hot” now", ["“Tea, hot”"], ["Tea, hot"]),
        ("read the “green” tea", ["the “green”"], ["the “green”"]),
        ("İstanbul tea", ["tea"], ["tea"]),
    ],
)
def test_the_longest_phrase_at_word_boundaries_is_found(
    text: str, phrases: list[str], expected: list[str]
) -> None:
    assert matches(text, *phrases) == expected


def test_a_code_span_matches_only_as_a_whole() -> None:
    table = PhraseTable()
    number = table.number("fetch()", code=True)
    found = [one.phrase for one in table.find("`fetch()` x", [Span(0, 9, 0, "fetch()")])]
    assert found == [number]
    assert not list(table.find("`fetch() x`", [Span(0, 11, 0, "fetch() x")]))


WORDS = st.lists(st.sampled_from(["a1", "b1", "c1", "d1"]), min_size=1, max_size=12)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=5))
def test_the_table_agrees_with_a_search_by_the_book(
    text: list[str], phrases: list[list[str]]
) -> None:
    known = {" ".join(phrase) for phrase in phrases}
    expected, i = [], 0
    while i < len(text):
        sizes = [n for n in range(12, 0, -1) if " ".join(text[i : i + n]) in known]
        fitting = [n for n in sizes if i + n <= len(text)]
        if fitting:
            expected.append(" ".join(text[i : i + fitting[0]]))
        i += fitting[0] if fitting else 1
    assert matches(" ".join(text), *known) == expected


def test_a_text_without_words_is_not_a_phrase() -> None:
    assert phrase_of("…") is None
    assert phrase_of("x " * 40) is None
