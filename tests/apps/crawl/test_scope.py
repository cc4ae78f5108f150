"""What belongs to a crawl, and crawler traps."""

from __future__ import annotations

import pytest

from whatsrelated.apps.crawl.scope import Scope, is_endless, page_address, pattern_of
from whatsrelated.names.canonical import BadName


@pytest.mark.parametrize(
    ("within", "url", "inside"),
    [
        ("host", "http://www.a.org/x", True),
        ("host", "http://a.org/x", False),
        ("host", "http://www.a.org:8080/x", False),
        ("domain", "https://b.a.org/", True),
        ("domain", "https://xa.org/", False),
        ("folder", "http://www.a.org/docs/y/z", True),
        ("folder", "http://www.a.org/docsy", False),
        ("folder", "http://www.a.org/", False),
    ],
)
def test_a_crawl_stays_within_its_hosts_domains_or_folders(within, url, inside):
    assert Scope(["http://www.a.org/docs/index.html?x=/"], within).has(url) is inside


def test_an_address_has_neither_fragment_nor_session():
    assert page_address("http://A.org/x;jsessionid=9F?PHPSESSID=1&b=2#y") == "http://a.org/x?b=2"
    assert page_address("http://a.org/?sid=3") == "http://a.org/"
    for url in ("mailto:x@a.org", "ftp://a.org/", "tea"):
        with pytest.raises(BadName):
            page_address(url)


def test_generated_addresses_share_one_pattern():
    first, second = ("http://a.org/cal/2020/01?day=3&v=m", "http://a.org/cal/1999/12?v=q&day=9")
    assert pattern_of(first) == pattern_of(second) == "a.org/cal/#/#?day&v"
    assert pattern_of("http://a.org/tea") != pattern_of("http://a.org/milk")


def test_a_repeating_address_is_endless():
    assert is_endless("http://a.org/" + "a/b/" * 4)
    assert is_endless("http://a.org/" + "/".join(map(str, range(30))))
    assert not is_endless("http://a.org/a/b/a/c/a")
