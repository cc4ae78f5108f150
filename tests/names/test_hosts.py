"""The host of a URL, and its registrable domain."""

import pytest

from whatsrelated.names.hosts import EXACT, EXCEPTION, WILDCARD, domain_of, host_of, suffix_rules


def test_the_host_of_a_name():
    assert host_of("https://www.Example.com:8080/x@y") == "www.example.com:8080"
    assert host_of("http://anne:x@a.org?q") == "a.org"
    assert host_of("HTTP://A.org") == "a.org"
    assert host_of("http://[::1]:80/") == "[::1]:80"
    assert host_of("file:///x") == "localhost"
    assert host_of("Tea") is None
    assert host_of("www.example.com") is None


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.com", "example.com"),
        ("news.bbc.co.uk:8080", "bbc.co.uk"),
        ("co.uk", "co.uk"),
        ("anne.github.io", "anne.github.io"),
        ("a.b.nowhere", "b.nowhere"),
        ("10.0.0.1:80", "10.0.0.1"),
        ("[::1]:80", "[::1]"),
        ("localhost:8000", "localhost"),
    ],
)
def test_the_registrable_domain_of_a_host(host, domain):
    assert domain_of(host) == domain


def test_the_rules_are_those_of_the_public_suffix_list() -> None:
    rules = suffix_rules()
    assert rules[b"uk,co"] == EXACT
    assert rules[b"jp,kobe"] == WILDCARD
    assert rules[b"jp,kobe,city"] == EXCEPTION
    assert rules[b"xn--p1ai"] == EXACT
