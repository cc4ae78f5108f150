"""Patterns over names: globs, regular expressions and pieces."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from whatsrelated.errors import MissingExtra, OptionError, OutOfTime
from whatsrelated.kernels.scratch import keep_within, question_limits
from whatsrelated.query.patterns import Pattern, patterns

names = st.text("ab1./-_ B", min_size=1, max_size=12)


def glob_matches(parts: list[str], name: str) -> bool:
    """By the definition: each part of a glob takes one character, or any number of them."""
    if not parts:
        return not name
    first, *rest = parts
    if first == "*":
        return any(glob_matches(rest, name[taken:]) for taken in range(len(name) + 1))
    if not name:
        return False
    if first.startswith("["):
        taken = (name[0] in first.strip("[!]")) != first.startswith("[!")
    else:
        taken = first in ("?", name[0])
    return taken and glob_matches(rest, name[1:])


@given(
    st.lists(st.sampled_from(["a", "b", "/", ".", "-", "*", "?", "[ab]", "[!a]"]), max_size=8),
    names,
)
def test_a_glob_matches_as_in_the_shell(parts: list[str], name: str) -> None:
    parts = [*parts, "*"]
    assert Pattern("".join(parts), "only").matches(name) == glob_matches(parts, name)


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
        ("[]x]*", "]", True),
        ("re:^.{3}$", "чай", True),
        ("re:(?i)ЧАЙ", "чай", True),
        (r"re:^\w", "чай", False),
        (r"re:^\pL", "чай", True),
    ],
)
def test_what_a_pattern_means_for_a_name(text: str, name: str, matched: bool) -> None:
    assert Pattern(text, "only").matches(name) is matched


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("re:(", "the pattern of only is not a valid RE2 expression: missing ): ("),
        ("re:*a", "no argument for repetition operator: *"),
        ("re:" + "(" * 999, "longer than 1,000 characters"),
        (r"re:(a)\1", "uses a back reference, which RE2 does not support"),
        ("re:(?P<n>a)(?P=n)", "uses a back reference, which RE2 does not support"),
        ("re:(?=a)b", "uses a look-ahead, which RE2 does not support, got 're:(?=a)b'."),
        ("re:(?<!a)b", "uses a look-behind, which RE2 does not support"),
        ("re:(?>a)b", "uses an atomic group, which RE2 does not support"),
        ("re:a++b", "bad repetition operator: ++"),
        ("re:(?x)a b", "invalid perl operator: (?x"),
        ("re:(?:){400000000}", "invalid repetition size: {400000000}"),
        (r"re:\pL{1000}", "pattern too large"),
        ("re:a\udcff\\", "trailing \\"),
        ("*" * 1001, "longer than 1,000"),
    ],
)
def test_the_error_for_a_wrong_pattern_names_its_option_and_the_problem(
    text: str, said: str
) -> None:
    with pytest.raises(OptionError, match=re.escape(said)):
        Pattern(text, "only")


def test_every_line_is_a_pattern() -> None:
    assert [pattern.text for pattern in patterns(["a\n\nb*", "c"], "only")] == ["a", "b*", "c"]


@pytest.mark.parametrize("text", ["tea", "t*", "re:^t"])
def test_matching_ends_when_the_question_has_no_time_left(text: str) -> None:
    pattern = Pattern(text, "only")
    with keep_within(question_limits(0.0, 1 << 20)), pytest.raises(OutOfTime):
        pattern.matches("tea")


def test_without_the_extra_only_regular_expressions_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    graph = graph_of("a -> tea coffee", "b -> coffee tea")
    assert [one.url for one in graph.related("tea", by="cocitation", only="co*")] == ["coffee"]
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[regex\]'"):
        graph.related("tea", by="cocitation", only="re:co")


atoms = st.sampled_from(
    [
        *("a", "b", "B", "1", r"\.", "/", ".", "^", "$", r"\A", "", r"\x61", "(?P<n>b)"),
        *(r"\d", r"\w", r"\W", r"\s", r"\S", r"\D", r"\b", r"\B"),
        *("[ab]", "[^a/]", "[a-c1]", r"[\w.]", r"[^\d-]", "[]a]", "[^]a]"),
        *("(?i:B)", "(?i:[^a])", "(?i:(?-i:b))"),
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
            st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{1,}", "*?", "{2}?"]),
        ),
    ),
    max_leaves=6,
)


@given(expressions, names, st.booleans())
def test_a_regular_expression_matches_where_python_matches(
    expression: str, name: str, either_case: bool
) -> None:
    """The common syntax of both means the same for ASCII names."""
    expression = f"(?i){expression}" if either_case else expression
    found = Pattern(f"re:{expression}", "only").matches(name)
    try:
        wanted = re.search(expression, name) is not None
    except re.error:  # Python refuses a group name that is used twice
        return
    assert found == wanted
