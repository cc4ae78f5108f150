"""Names and titles match however they are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.names.folding import elements, fold, label, words


def test_case_accents_and_escapes_are_folded() -> None:
    assert fold("ZÜRICH") == fold("Zu\u0308rich") == fold("z%C3%BCrich") == "zurich"
    assert fold("Straße") == "strasse"
    assert fold("한국어") == "한국어"


def test_a_label_has_no_blanks_underscores_and_hyphens() -> None:
    assert {label(text) for text in ("Isaac Newton", "isaac_newton", "Isaac-Newton")} == {
        "isaacnewton"
    }


def test_words_are_the_letters_and_digits_between_other_characters() -> None:
    assert words("https://www.a.org/Tea_time/2.html") == ["a", "org", "tea", "time", "2", "html"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("library/email.message.html", ["library", "email.message"]),
        ("./library/x.html#part", ["library", "x"]),
        ("en/Tea time/Callouts", ["en", "teatime", "callouts"]),
        ("https://www.a.org/x/index.html", ["a.org", "x"]),
        ("https://a.org/", ["a.org"]),
        ("https://a.md/", ["a.md"]),
        ("Isaac_Newton", ["isaacnewton"]),
        ("README.md", ["readme"]),
        ("", []),
    ],
)
def test_a_name_is_split_as_people_say_it(name: str, parts: list[str]) -> None:
    assert elements(name) == parts


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = label(text)
    if "%" not in once:
        assert label(once) == once
