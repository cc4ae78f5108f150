"""Plain links joined: the compiled loop, its plain twin, and the URL standard."""

from __future__ import annotations

from contextlib import suppress

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.reading import url_joins as plain

BASES = [
    "https://a.org/",
    "https://a.org/b/c.html?x=/y/",
    "http://a.org:81/b//c/d#e?/f",
    "http://[::1]/x//",
    "https://xn--bcher-kva.example/a/b/c/d/e",
    "ftp://h.org/x/y",
    "file:///x/y",
    "data:text/plain,x",
]
LONGEST = 40
PIECES = st.sampled_from(
    [
        *"abZ19_-~!$&'()*+,;=@:/?#.%\\ |\"<>^`{}[]é\t\n\0",
        *("..", "../", "./", "/./", "/../", "//", "///", "%2e", "%2E%2e", "%20", "%", "?a=b"),
        *("http://", "https://", "http:", "HTTP://", "https:/", "x.org", "X.org", "a.b-c.de/"),
        *("xn--a", ".xn--b", "127.1", "0x7f.1", "1.2.3.4", "a.1", "u@", ":80", "_x.y"),
        *("a..b", "a."),
    ]
)
HREFS = st.lists(PIECES, max_size=8).map("".join)


@settings(max_examples=1500)
@given(st.sampled_from(BASES), HREFS)
def test_both_join_the_same_links_as_the_standard_does(base: str, href: str) -> None:
    joined = kernels.url_joins.Base(base, LONGEST).join(href)
    assert plain.Base(base, LONGEST).join(href) == joined
    if joined is not None:
        assert joined == ada_url.join_url(base, href)


@pytest.mark.parametrize(
    ("href", "joined"),
    [
        ("x.html", "https://a.org/b/c/x.html"),
        (".", "https://a.org/b/c/"),
        ("..", "https://a.org/b/"),
        ("./../x/.", "https://a.org/b/x/"),
        ("../../../../x", "https://a.org/x"),
        ("x//../y", "https://a.org/b/c/x/y"),
        ("x/y:z", "https://a.org/b/c/x/y:z"),
        ("?q=1", "https://a.org/b/c/d?q=1"),
        ("/", "https://a.org/"),
        ("/x/../y#z", "https://a.org/y#z"),
        ("//b.org/../x", "https://b.org/x"),
        ("http://b-c.org", "http://b-c.org/"),
        ("http://b.org/x:y/./?z=/../", "http://b.org/x:y/?z=/../"),
    ],
)
def test_plain_links_need_no_parser(href: str, joined: str) -> None:
    for module in kernels.url_joins, plain:
        assert module.Base("https://a.org/b/c/d?e", 100).join(href) == joined
        assert module.Base("https://a.org/b/c/d?e", len(href) - 1).join(href) is None
    assert ada_url.join_url("https://a.org/b/c/d?e", href) == joined


@pytest.mark.parametrize(
    "href",
    [
        *("", "#x", " x", "x y", "é", "x\ty", "\\x", "mailto:x", "x:y", "http:x", "https:/x"),
        *(
            "HTTP://b.org/",
            "http://B.org/",
            "http://b.org:80/",
            "http://u@b.org/",
            "http://b.org?x",
        ),
        *(
            "http://1.2.3.4/",
            "http://b.0x1/",
            "http://xn--b.org/",
            "http://b.org./",
            "http://b..c/",
        ),
        *("%2e%2e/x", "x/%2E/y", "x?'", 'x?y"', "x#`", "http://", "//", "///x"),
    ],
)
def test_others_are_left_to_one(href: str) -> None:
    for module in kernels.url_joins, plain:
        assert module.Base("https://a.org/b/c/d?e", 100).join(href) is None


def test_any_length_is_handled() -> None:
    base = f"https://a.org/{'x' * 700}/y"
    for href in ("z" * 2000, "../" * 300 + "z", "/" * 3 + "z" * 600, "//b.org/" + "y/../" * 200):
        for module in kernels.url_joins, plain:
            joined = module.Base(base, 4000).join(href)
            with suppress(ValueError):
                assert joined in (None, ada_url.join_url(base, href))
