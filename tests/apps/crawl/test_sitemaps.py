"""Sitemaps: XML, lines, packed, and lists of them."""

from __future__ import annotations

import gzip

from whatsrelated.apps.crawl.sitemaps import read_sitemap

XML = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://a.org/x?a=1&amp;b=2 </loc></url><url><loc><![CDATA[http://a.org/y]]></loc></url>
<url><loc>javascript:x</loc></url></urlset>"""


def test_addresses_are_read_from_xml_and_from_lines():
    expected = (False, ["http://a.org/x?a=1&b=2", "http://a.org/y"])
    assert read_sitemap(XML) == expected
    assert read_sitemap(gzip.compress(XML)) == expected
    assert read_sitemap(b"http://a.org/x?a=1&b=2\r\nhttp://a.org/y\r\ntea") == expected


def test_a_list_of_sitemaps_is_distinguished_from_one_of_pages():
    index = XML.replace(b"urlset", b"sitemapindex")
    assert read_sitemap(index)[0] is True


def test_nothing_grows_from_hostile_sitemaps():
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><loc>&b;</loc></urlset>'
    assert read_sitemap(bomb) == (False, [])
    assert read_sitemap(b"\x1f\x8bdamaged") == (False, [])
    assert read_sitemap(b"") == (False, [])
