"""A look-up tries variants of a name; chopping goes up to the root."""

import re
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.names.strategies import NAMES
from tests.waiting import PATIENCE
from whatsrelated.names.canonical import canonical
from whatsrelated.names.lookup import ancestors, is_host_like, likely_names, slash_twin


def test_a_look_up_tries_other_forms_of_the_name():
    assert list(likely_names("www.nytimes.com"))[:5] == [
        "www.nytimes.com",
        "https://www.nytimes.com/",
        "http://www.nytimes.com/",
        "https://nytimes.com/",
        "http://nytimes.com/",
    ]
    assert list(likely_names("https://A.org/x"))[:8] == [
        "https://a.org/x",
        "http://a.org/x",
        "https://www.a.org/x",
        "https://a.org/x/",
        "http://www.a.org/x",
        "http://a.org/x/",
        "https://www.a.org/x/",
        "http://www.a.org/x/",
    ]
    assert list(likely_names("nytimes.com/x"))[:3] == [
        "nytimes.com/x",
        "https://nytimes.com/x",
        "http://nytimes.com/x",
    ]
    assert list(likely_names("10.0.0.1:80"))[:3] == [
        "10.0.0.1:80",
        "https://10.0.0.1:80/",
        "http://10.0.0.1/",
    ]
    assert list(likely_names("mailto:anne@example.org"))[:1] != ["mailto:anne@example.org"]
    assert list(likely_names("")) == []


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("https://a.org/x#part", "https://a.org/x"),
        ("https://a.org/x/index.html", "https://a.org/x/"),
        ("https://a.org/x/", "https://a.org/x/index.html"),
        ("https://a.org/x", "https://www.a.org/x.html"),
        ("https://a.org/x.html", "http://a.org/x"),
        ("https://a.org/%7Ex", "https://a.org/~x"),
        ("drinks/Tea time.md", "drinks/Tea time"),
        ("drinks/Tea time", "drinks/Tea time.md"),
        ("drinks/Tea%20time.md", "drinks/Tea time"),
        ("tea.MD", "tea"),
        ("./library/x.html", "library/x.html"),
        ("library/x.html#part", "library/x.html"),
        ("library/x", "library/x.html"),
        ("library", "library/index.html"),
        ("git-rebase", "git-rebase.html"),
    ],
)
def test_a_name_has_other_spellings(typed, name):
    assert name in list(likely_names(typed))


@given(NAMES)
def test_look_ups_and_ancestors_are_canonical_and_distinct(raw):
    for names in (list(likely_names(raw)), list(ancestors(next(likely_names(raw), "")))):
        assert len(set(names)) == len(names)
        assert [canonical(name) for name in names] == names


def test_chopping_goes_up_to_the_root():
    assert list(ancestors("https://a.org/x/y/z.html?q=1/2")) == [
        "https://a.org/x/y/z.html",
        "https://a.org/x/y/",
        "https://a.org/x/",
        "https://a.org/",
    ]
    assert list(ancestors("https://a.org/x//y/")) == [
        "https://a.org/x//",
        "https://a.org/x/",
        "https://a.org/",
    ]
    assert list(ancestors("https://a.org/?q")) == ["https://a.org/"]
    assert list(ancestors("http://a.org?q")) == ["http://a.org/"]
    assert list(ancestors("https://a.org/")) == []
    assert list(ancestors("file:///a/b")) == ["file:///a/", "file:///"]
    assert list(ancestors("Tea/Green")) == []


def test_a_trailing_slash_has_a_twin():
    assert slash_twin("https://a.org/x") == "https://a.org/x/"
    assert slash_twin("https://a.org/x/") == "https://a.org/x"
    assert slash_twin("https://a.org/x?q=/") == "https://a.org/x/?q=/"
    assert slash_twin("https://a.org/") is None
    assert slash_twin("https://a.org/?q") is None
    assert slash_twin("Tea") is None


OLD = re.compile(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*\.?(?::[0-9]+)?(?:[/?#].*)?", re.S)
"""The same with one regular expression, which backtracks: for short texts only."""


@given(st.text("ab1.-_:/?# é\n", max_size=9))
@example("a.b.:80/x")
def test_a_host_has_two_labels_and_a_letter_in_the_last(text: str) -> None:
    assert is_host_like(text) == (OLD.fullmatch(text) is not None)


@pytest.mark.parametrize("text", ["a" * 400_000, "a." * 200_000, "1." * 200_000, "a-1_" * 100_000])
def test_a_long_text_is_distinguished_from_a_host_in_linear_time(text: str) -> None:
    """In its own process, since an expression that backtracks would take days."""
    code = (
        "import sys; from whatsrelated.names.lookup import is_host_like, likely_names\n"
        "text = sys.stdin.read(); print(is_host_like(text), len(list(likely_names(text))))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert int(run.stdout.split()[1]) <= 1
