"""A displayed name is only text."""

from __future__ import annotations

import csv
import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.names.display import cell, escape_json, harmless

BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = {"\u200e", "\u200f", "\u061c"}


def is_harmful(letter: str) -> bool:
    kind = unicodedata.category(letter)
    turns = unicodedata.bidirectional(letter) in BIDIRECTIONAL or letter in MARKS
    return turns or kind in ("Cc", "Zl", "Zp", "Cs")


def is_tag(letter: str) -> bool:
    return 0xE0000 <= ord(letter) <= 0xE007F


TAGS = st.characters(min_codepoint=0xE0000, max_codepoint=0xE007F)


@given(st.text(st.characters(exclude_categories=()) | TAGS))
def test_nothing_harmful_is_left_and_nothing_else_is_changed(text: str) -> None:
    shown = harmless(text)
    assert not any(map(is_harmful, shown))
    assert not any(map(is_tag, shown))
    kept = [letter for letter in text if letter not in MARKS and not is_tag(letter)]
    assert len(shown) == len(kept)
    for before, after in zip(kept, shown, strict=True):
        assert after == ("\ufffd" if is_harmful(before) else before)


@given(st.text())
def test_json_means_the_same_when_it_is_escaped(text: str) -> None:
    written = json.dumps(text, ensure_ascii=False)
    assert json.loads(escape_json(written)) == text
    assert not any(map(is_harmful, escape_json(written)))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2+3", "@SUM(A1)", "'quoted", "plain", ""])
def test_a_cell_is_not_a_formula_and_can_be_read_back(text: str) -> None:
    file = io.StringIO()
    csv.writer(file).writerow([cell(text)])
    read = next(csv.reader(io.StringIO(file.getvalue())))[0] if text else ""
    assert not read.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert read.removeprefix("'") == text


@pytest.mark.parametrize(
    "lead",
    [
        *("", " ", "\u200b", "\ufeff", "\u00a0", "\u2060", '"', "\u200b \ufeff"),
        *("\u00ad", "\u034f", "\u180e", "\u2061", "\u3164", "\ufe0f"),
    ],
)
@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b")
def test_no_cell_is_a_formula_even_after_invisible_characters(lead: str, sign: str) -> None:
    assert cell(f"{lead}{sign}1").startswith("'")
