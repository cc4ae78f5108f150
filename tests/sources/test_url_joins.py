"""Joining links: concatenated if that suffices, and always the same as ada's result."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whatsrelated.names.canonical import MAX_BYTES, BadName
from whatsrelated.sources import url_joins
from whatsrelated.sources.url_joins import UrlBase, absolute_url

BASES = [
    "https://a.org/",
    "https://a.org/b/c.html?x=/y/",
    "http://a.org:81/b/../c/",
    "https://a.org/b/%2e%2e/c/d#e/f",
    "HTTPS://A.org./b/c",
    "https://[::1]/x/y/z",
    "http://127.0.0.1/x",
    "https://xn--bcher-kva.example/a/",
    "ftp://h.org/x/y",
    "file:///x/y",
]
PIECES = st.sampled_from(
    [
        *"aB1~'\"<[]|^{&=;@-_?#:% \t\\é/.",
        *("..", "./", "../", "//", "/.", "/..", "%2e", "%2E", "%20", "%zz", "?a=b", "?a='"),
        *("http:", "https://", "HTTP://", "mailto:", "x.org", "x.org/", "127.1", "0x7f"),
        *("xn--a", "XN--", "a_b.c", "a.b.", ":80", ":443", "u@"),
    ]
)


def outcome(join, *arguments):
    try:
        return str(join(*arguments))
    except ValueError:
        return "refused"


@settings(max_examples=3000)
@given(st.sampled_from(BASES), st.lists(PIECES, max_size=7).map("".join))
def test_every_link_is_joined_as_ada_joins_it(base, href):
    expected = outcome(ada_url.join_url, base, href)
    assert outcome(UrlBase(base).join, href) == expected


@given(st.sampled_from(BASES), st.text(max_size=12))
def test_any_text_is_joined_as_ada_joins_it(base, href):
    assert outcome(UrlBase(base).join, href) == outcome(ada_url.join_url, base, href)


@pytest.mark.parametrize(
    "href",
    [
        "x.html",
        "x/y.html?z=1",
        "/x/%C3%A9",
        "../x",
        "../../x.html",
        "https://b.org",
        "http://b.org/x:y",
    ],
)
def test_plain_links_are_joined_without_ada(monkeypatch, href):
    base = UrlBase("https://a.org/b/c/d.html")
    expected = ada_url.join_url(base.url, href)
    monkeypatch.setattr(url_joins, "join_url", None)
    assert base.join(href) == expected


def test_text_that_is_not_a_url_is_rejected():
    for href, reason in [("http://[", "not a URL"), ("x" * (MAX_BYTES + 1), "too long")]:
        with pytest.raises(BadName) as refused:
            UrlBase("https://a.org/").join(href)
        assert refused.value.reason == reason
    with pytest.raises(BadName):
        absolute_url("x")
    assert absolute_url("HTTP://A.org/x#y") == "http://a.org/x"


def test_the_links_of_real_archives_are_joined_as_ada_joins_them(shared):
    from whatsrelated.sources.archive.records import ArchiveSlice, Position, Record, RecordReader
    from whatsrelated.sources.html import read_html

    joined = 0
    for path in sorted((shared / "data" / "warc").glob("*.warc.gz")):
        part = ArchiveSlice(str(path), 0, path.stat().st_size, "gzip")
        for record in RecordReader(part).read(Position(0), part.end):
            if not isinstance(record, Record) or b"<a " not in bytes(record.content):
                continue
            base = UrlBase(record.head["warc-target-uri"])
            for href in {href for href, _ in read_html(bytes(record.content)).links}:
                plain = base.join_plain(href)
                if plain is not None:
                    assert plain == ada_url.join_url(base.url, href)
                    joined += 1
    assert joined > 20_000
