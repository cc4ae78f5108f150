"""An expression means what it means to Python, or is refused."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.errors import OptionError
from whatsrelated.query.patterns import Pattern

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
