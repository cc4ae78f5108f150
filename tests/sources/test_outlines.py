"""Bookmarks, OPML and sitemaps: a folder is a page that links to its contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, read, write
from whatsrelated.errors import ReadError

BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><A HREF="https://tea.org/?a=1&amp;b=2" ADD_DATE="1">All <b>tea</b></A>
    <DT><H3 ADD_DATE="2">News &amp; more</H3>
    <DL><p>
        <DT><A HREF="https://news.org/">News</A>
        <DT><A HREF="javascript:void(0)">Trick</A>
    </DL><p>
    <DT><A HREF="https://last.org/">Last</A>
</DL><p>
"""

OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Feeds</title></head><body>
<outline text="News"><outline text="N" type="rss" xmlUrl="https://n.org/f" htmlUrl="https://n.org/"/>
<outline text="M" xmlUrl="https://m.org/feed"/></outline>
<outline text="Alone" htmlUrl="https://alone.org/"/></body></opml>
"""

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc> https://a.org/ </loc><lastmod>2026-11-17</lastmod>
<xhtml:link rel="alternate" hreflang="de" href="https://a.org/de"/></url>
<url><loc>https://a.org/x?a=1&amp;b=2</loc></url></urlset>
"""


def test_bookmark_folders_link_to_their_contents(tmp_path: Path) -> None:
    source = read(write(tmp_path / "bookmarks.html", BOOKMARKS))
    pages = list(source)
    assert links_of(pages) == [
        ("Bookmarks", "https://tea.org/?a=1&b=2"),
        ("Bookmarks", "Bookmarks/News & more"),
        ("Bookmarks", "https://last.org/"),
        ("Bookmarks/News & more", "https://news.org/"),
    ]
    assert {page.url: page.title for page in pages}["https://tea.org/?a=1&b=2"] == "All tea"
    assert source.refused.counts == {"not a page": 1}


def test_subscriptions_are_sites_in_folders(tmp_path: Path) -> None:
    assert links_of(read(write(tmp_path / "x.opml", OPML))) == [
        ("x.opml", "x.opml/News"),
        ("x.opml", "https://alone.org/"),
        ("x.opml/News", "https://n.org/"),
        ("x.opml/News", "https://m.org/feed"),
    ]


def test_a_sitemap_links_to_the_pages_that_it_lists(tmp_path: Path) -> None:
    assert links_of(read(write(tmp_path / "sitemap.xml", SITEMAP))) == [
        ("sitemap.xml", "https://a.org/"),
        ("sitemap.xml", "https://a.org/x?a=1&b=2"),
        ("https://a.org/", "https://a.org/de"),
    ]
    index = "<sitemapindex><sitemap><loc>https://a.org/1.xml</loc></sitemap></sitemapindex>"
    assert links_of(read(write(tmp_path / "s.xml", index))) == [("s.xml", "https://a.org/1.xml")]


@pytest.mark.parametrize("text", [SITEMAP[:300], OPML[:200]])
def test_a_truncated_file_is_an_error(text: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="not XML, or cut short"):
        links_of(read(write(tmp_path / "x.xml", text)))


def test_outlines_that_are_nested_without_end_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="nested more than"):
        links_of(read(write(tmp_path / "x", "<opml>" + "<outline text='a'>" * 100)))
