"""Names have one canonical spelling, and invalid names are rejected."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.names.strategies import NAMES
from whatsrelated.names import canonical as canonical_module
from whatsrelated.names.canonical import BadName, as_host, canonical, storable


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("https://www.example.com/a?b", "https://www.example.com/a?b"),
        ("  HTTP://WWW.Example.COM:80/a/./b/../c#here ", "http://www.example.com/a/c"),
        ("https://example.org", "https://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("ftp://example.org:21/x", "ftp://example.org/x"),
        ("https://anne:secret@example.org/", "https://example.org/"),
        ("https://example.org./x", "https://example.org/x"),
        ("https://example.org/%7Eanne/%c3%bc%2fx", "https://example.org/~anne/%C3%BC%2Fx"),
        ("https://example.org/ü und ö", "https://example.org/%C3%BC%20und%20%C3%B6"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/%%34%31", "https://example.org/%2541"),
        ("https://example.org/a%2Ehtml", "https://example.org/a.html"),
        ("https://example.org/a/%2e%2E/b", "https://example.org/b"),
        ("https://example.org/?", "https://example.org/"),
        ("https://example.org/?utm_source=x&UTM_Medium=y", "https://example.org/"),
        ("https://example.org/?a=1&gclid=2&b=3&fbclid", "https://example.org/?a=1&b=3"),
        ("https://example.org/?utm%5Fsource=x&a", "https://example.org/?a"),
        ("https://example.org/?gclidx=1&putm_=2", "https://example.org/?gclidx=1&putm_=2"),
        ("https://example.org/?a=1&&b", "https://example.org/?a=1&&b"),
        ("https://münchen.de/", "https://xn--mnchen-3ya.de/"),
        ("https://ex_ample.org/", "https://ex_ample.org/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]:8080/x", "http://[::1]:8080/x"),
        ("https:\\\\example.org\\x", "https:\\\\example.org\\x"),
        ("https://example.org\\x", "https://example.org/x"),
        ("file:///home/anne/notes.html", "file:///home/anne/notes.html"),
        ("file://localhost/x", "file:///x"),
        ("  Tea ceremony ", "Tea ceremony"),
        ("C++: the language", "C++: the language"),
        ("Data: a history", "Data: a history"),
        ("File:Tea.jpg", "File:Tea.jpg"),
        ("0042", "0042"),
        ("www.example.com", "www.example.com"),
    ],
)
def test_a_name_has_one_spelling(raw, name):
    assert canonical(raw) == name
    assert canonical(name) == name


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("mailto:anne@example.org", "not http"),
        ("JavaScript:void(0)", "not http"),
        ("data:text/html;base64,AAAA", "not http"),
        ("data:,x", "not http"),
        ("tel:+49-30", "not http"),
        ("gopher://example.org/", "not http"),
        ("chrome-extension://abc/x", "not http"),
        ("tea\x00coffee", "control character"),
        ("https://example.org/a\nb", "control character"),
        ("del\x7f", "control character"),
        ("x" * 8193, "too long"),
        ("ü" * 4097, "too long"),
        ("https://example.org/" + "ü" * 4000, "too long"),
        ("\ud800", "not Unicode"),
        ("https://example.org/\ud800", "not Unicode"),
        ("https://", "not a URL"),
        ("https://exa mple.org/", "not a URL"),
        ("https://example.org:99999/", "not a URL"),
        ("https://[::1/", "not a URL"),
        ("https://1.2.3.256/", "not a URL"),
        ("https://a!b.org/", "odd host"),
        ("https://./", "odd host"),
    ],
)
def test_an_impossible_page_name_is_rejected_with_a_reason(raw, reason):
    with pytest.raises(BadName) as refused:
        canonical(raw)
    assert refused.value.reason == reason
    assert isinstance(refused.value, ValueError)


def test_the_longest_name_is_taken():
    assert canonical("x" * 8192) == "x" * 8192
    longest = "https://example.org/" + "x" * (8192 - 20)
    assert canonical(longest) == longest


def test_http_and_https_are_one_page_on_request():
    assert canonical("http://example.org/a") == "http://example.org/a"
    assert canonical("http://example.org/a", merge_scheme=True) == "https://example.org/a"
    assert canonical("http://example.org:80/%7e", merge_scheme=True) == "https://example.org/~"
    assert canonical("http://example.org:443/", merge_scheme=True) == "https://example.org/"
    assert canonical("http://example.org:8080/", merge_scheme=True) == "https://example.org:8080/"
    assert canonical("ftp://example.org/", merge_scheme=True) == "ftp://example.org/"
    assert canonical("http", merge_scheme=True) == "http"


def test_kept_names_are_rejected_only_if_they_cannot_be_stored():
    assert storable("HTTP://A.org:80/#x") == "HTTP://A.org:80/#x"
    assert storable(" tea ") == " tea "
    assert storable("mailto:anne@example.org") == "mailto:anne@example.org"
    for raw in ("", "  ", "a\tb", "x" * 8193, "ü" * 4097, "\udfff"):
        with pytest.raises(BadName):
            storable(raw)


def test_a_bare_host_is_a_page_if_hosts_are_expected():
    assert as_host("Example.org") == "http://example.org/"
    assert as_host("40ozblog.blogspot.com/x") == "http://40ozblog.blogspot.com/x"
    assert as_host("//example.org/x") == "http://example.org/x"
    assert as_host("localhost:8000") == "http://localhost:8000/"
    assert as_host("https://example.org") == "https://example.org/"
    assert as_host("example.org", merge_scheme=True) == "https://example.org/"
    for raw, reason in [("", "empty"), ("1234", "odd host"), ("tea time", "not a URL")]:
        with pytest.raises(BadName) as refused:
            as_host(raw)
        assert refused.value.reason == reason


@given(NAMES, st.booleans())
def test_a_canonical_name_is_its_own_canonical_name(raw, merge):
    try:
        name = canonical(raw, merge_scheme=merge)
    except BadName:
        assume(False)
    assert canonical(name, merge_scheme=merge) == name
    assert storable(name) == name


@given(NAMES, st.booleans())
def test_a_name_proved_canonical_is_unchanged_by_the_parser(raw, merge):
    def outcome(spell):
        try:
            return spell()
        except BadName as refused:
            return refused.reason

    fast = outcome(lambda: canonical(raw, merge_scheme=merge))
    assert fast == outcome(lambda: canonical_module._canonical(raw, merge))


def test_ordinary_urls_are_proved_canonical_without_the_parser(monkeypatch):
    def parser():
        raise AssertionError("the parser was asked")

    monkeypatch.setattr(canonical_module, "_ada", parser)
    for url in (
        "https://developer.mozilla.org/en-US/docs/Web/API/Document/createElement",
        "http://www.example.com/index.php?title=Tea&oldid=12",
        "https://a_b.example.org/~anne/x,y;z=(1)/a.b..html",
    ):
        assert canonical(url) == url
    for url in ("https://a.org/../x", "https://xn--a.org/", "https://1.2.3/", "https://a.org"):
        with pytest.raises(AssertionError):
            canonical(url)
