"""robots.txt by RFC 9309: fifteen cases, and what an answer's status means."""

from __future__ import annotations

import pytest

from whatsrelated.apps.crawl.robots import MAX_BYTES, MAX_DELAY, Robots

SITE = "http://a.org"
CASES = [
    (
        "group of our own",
        "User-agent: *\nDisallow: /\n\nUser-agent: whatsrelated\nAllow: /",
        "/x",
        True,
    ),
    ("any case", "user-AGENT: WhatsRelated\ndisallow: /x", "/x", False),
    ("several agents", "User-agent: other\nUser-agent: whatsrelated\nDisallow: /x", "/x/y", False),
    (
        "groups of one name are one",
        "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b",
        "/b",
        False,
    ),
    ("the longest match", "User-agent: *\nDisallow: /\nAllow: /x/", "/x/y", True),
    ("allow where as long", "User-agent: *\nDisallow: /x\nAllow: /x", "/x", True),
    ("wildcards", "User-agent: *\nDisallow: /*.gif", "/a/b.gif?c", False),
    ("an end", "User-agent: *\nDisallow: /*.gif$", "/a/b.gif?c", True),
    ("an empty rule", "User-agent: *\nDisallow:", "/x", True),
    ("comments", "# x\nUser-agent: * # all\nDisallow: /x # no", "/x", False),
    ("other records between", "User-agent: *\nSitemap: /s\nDisallow: /x", "/x", False),
    ("escapes", "User-agent: *\nDisallow: /a%3cd.html", "/a%3Cd.html", False),
    ("unicode", "User-agent: *\nDisallow: /ツ", "/%E3%83%84", False),
    ("a byte-order mark", "\ufeffUser-agent: *\nDisallow: /x", "/x", False),
    ("rules before any agent", "Disallow: /\nUser-agent: *\nAllow: /", "/x", True),
]


@pytest.mark.parametrize(
    ("text", "path", "allowed"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_rules_are_those_of_the_standard(text, path, allowed):
    assert Robots(200, text.encode()).allows(SITE + path) is allowed


@pytest.mark.parametrize(
    ("status", "allowed"), [(404, True), (403, True), (500, False), (503, False), (599, False)]
)
def test_no_rules_allow_all_and_no_answer_allows_nothing(status, allowed):
    robots = Robots(status, b"User-agent: *\nDisallow: /x")
    assert robots.allows(f"{SITE}/x") is allowed
    assert robots.answered is (status < 500)


def test_only_the_beginning_of_a_large_file_counts():
    large = b"User-agent: *\nDisallow: /a\n" + b"#" * MAX_BYTES + b"\nDisallow: /b"
    robots = Robots(200, large)
    assert not robots.allows(f"{SITE}/a")
    assert robots.allows(f"{SITE}/b")


def test_delay_and_sitemaps():
    robots = Robots(200, b"User-agent: *\nCrawl-delay: 2.5\nSitemap: http://a.org/s.xml")
    assert (robots.delay, robots.sitemaps) == (2.5, ["http://a.org/s.xml"])
    assert (Robots(404).delay, Robots(404).sitemaps) == (0.0, [])
    assert Robots(200, b"User-agent: *\nCrawl-delay: 1e300").delay == MAX_DELAY
