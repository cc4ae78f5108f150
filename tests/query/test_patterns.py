"""Patterns over names: globs, regular expressions and pieces."""

from __future__ import annotations

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.errors import OptionError
from whatsrelated.query.patterns import Pattern, patterns

letters = st.text("ab1./-_ B", min_size=1, max_size=12)


@given(
    st.lists(st.sampled_from(["a", "b", "/", ".", "*", "?", "[ab]", "[!a]", "[", "]", "-"])),
    letters,
)
def test_a_glob_matches_as_in_the_shell(parts: list[str], name: str) -> None:
    glob = "".join(parts) + "*"
    assert Pattern(glob, "only").matches(name) == fnmatch.fnmatchcase(name, glob)


@pytest.mark.parametrize(
    ("text", "name", "matched"),
    [
        ("wikipedia", "https://en.wikipedia.org/wiki/Tea", True),
        ("wikipedia", "https://tea.org/", False),
        ("*.wikipedia.org/*", "https://en.wikipedia.org/wiki/Tea", True),
        ("en.wikipedia.org/*", "https://en.wikipedia.org/wiki/Tea", True),
        ("http://*", "https://en.wikipedia.org/", False),
        ("wiki/*", "https://en.wikipedia.org/wiki/Tea", False),
        ("re:^en", "https://en.wikipedia.org/", False),
        (r"re:\.(edu|ac)\b", "https://www.mit.edu/", True),
        (r"re:\.(edu|ac)\b", "https://www.education.org/", False),
        ("[docs", "a [docs] b", True),
        ("[docs*", "[docs] b", True),
    ],
)
def test_what_a_pattern_means_on_an_address(text: str, name: str, matched: bool) -> None:
    assert Pattern(text, "only").matches(name) is matched


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("re:(", "the pattern of only is no regular expression"),
        ("re:*a", "nothing to repeat"),
        ("re:" + "(" * 999, "longer than 1,000"),
        (r"re:(a)\1", "cannot have a back reference"),
        ("re:(?P<n>a)(?P=n)", "cannot have a back reference"),
        ("re:(?=a)b", "cannot have a look ahead"),
        ("re:(?<!a)b", "cannot have a look behind"),
        ("re:(?>a)b", "cannot have an atomic group"),
        ("re:a++b", "cannot have a possessive repeat"),
        ("re:(?x)a b", "cannot have the flag x"),
        ("*" * 1001, "longer than 1,000"),
    ],
)
def test_a_wrong_pattern_names_its_option_and_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(OptionError, match=re.escape(said)):
        Pattern(text, "only")


def test_every_line_is_a_pattern() -> None:
    assert [pattern.text for pattern in patterns(["a\n\nb*", "c"], "only")] == ["a", "b*", "c"]
