"""Patterns match as Python's own matcher and the shell do, and never hang."""

from __future__ import annotations

import fnmatch
import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.errors import OptionError
from whatsrelated.query.automaton import MOST_WORK
from whatsrelated.query.patterns import Pattern, patterns

letters = st.text("ab1./-_ B", min_size=1, max_size=12)
atoms = st.sampled_from(
    [
        "a",
        "b",
        "B",
        "1",
        r"\.",
        "/",
        ".",
        r"\d",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        r"\D",
        "[ab]",
        "[^a/]",
        "[a-c1]",
        r"[\w.]",
        r"[^\d-]",
        "^",
        "$",
        r"\A",
        r"\Z",
        r"\b",
        r"\B",
        "(?i:B)",
        "(?i:[^a])",
        "(?i:(?-i:b))",
        "(?P<n>b)",
        r"\x61",
        r"[\u0062-]",
        "[]a]",
        "[^]a]",
        "a{",
        "{,",
        "",
    ]
)
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds(
            "({}){}".format,
            inner,
            st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{,2}", "{1,}", "*?", "{2}?"]),
        ),
    ),
    max_leaves=6,
)


@given(expressions, letters, st.booleans())
def test_a_regular_expression_is_found_where_python_finds_it(
    expression: str, name: str, either_case: bool
) -> None:
    expression = f"(?i){expression}" if either_case else expression
    found = Pattern(f"re:{expression}", "only").matches(name)
    assert found == (re.search(expression, name) is not None)


@given(st.lists(st.sampled_from([*r"ab1.*+?{}2,()[]^$|\wdbA-:iP<>=!#"]), max_size=9).map("".join))
def test_what_python_refuses_is_refused(expression: str) -> None:
    """And what is taken means the same, of the few names that tell expressions apart."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            python = re.compile(expression)
    except re.error:
        python = None
    try:
        ours = Pattern(f"re:{expression}", "only")
    except OptionError as error:
        assert python is None or "cannot have" in str(error)  # noqa: PT017
        return
    assert python is not None
    for name in ("", "a", "b", "ab", "1a", "{2}", "a{,}", "(a)", "[b]^", "aab1", "-:i"):
        assert ours.matches(name) == (python.search(name) is not None)


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


EXPLOSIVE = [
    r"(a+)+$",
    r"(a|aa)+$",
    r"(a*)*b",
    r"(.*a){12}$",
    r"(a?){60}a{60}$",
    r"(\w+\s?)*$!",
    r"((?:)*|a)*$",
]


def work_of(expression: str, length: int) -> int:
    pattern = Pattern(f"re:{expression}", "without")
    pattern.matches("".join("ab"[i.bit_count() % 2] for i in range(length)) + "!")
    assert pattern.automaton is not None
    return pattern.automaton.work


@pytest.mark.parametrize("expression", EXPLOSIVE)
def test_the_work_for_a_name_grows_no_faster_than_the_name(expression: str) -> None:
    assert work_of(expression, 2000) <= 2.2 * work_of(expression, 1000)


def test_an_expression_of_too_many_states_at_once_is_given_up_with_its_name() -> None:
    pattern = Pattern("re:(a|b)*a(a|b){900}c", "without")
    name = "".join("ab"[i.bit_count() % 2] for i in range(100_000))
    with pytest.raises(OptionError, match="pattern of without takes too long; use a simpler one"):
        pattern.matches(name)
    assert pattern.automaton is not None
    assert pattern.automaton.work <= MOST_WORK + 1


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(?:){400000000}", "more than 1,000 repeats"),
        ("(?:){999999999999}", "more than 1,000 repeats"),
        ("a{1,5000}", "more than 1,000 repeats"),
        ("(?:(?:){1000}){1000}", "more than 2,000 states"),
        ("(?:(?:|){0,1000}){0,1000}", "more than 2,000 states"),
        ("((a{99}){99}){99}", "more than 2,000 states"),
        ("(" * 400 + ")" * 400, "more than 50 groups inside one another"),
    ],
)
def test_a_repeat_of_nothing_counts_like_any_other(expression: str, said: str) -> None:
    with pytest.raises(OptionError, match=f"the pattern of only cannot have {said}"):
        Pattern(f"re:{expression}", "only")


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
