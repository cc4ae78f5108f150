"""Pages of HTML from anywhere: bytes, an address and a charset are enough."""

from __future__ import annotations

import pytest

from whatsrelated.sources.html_pages import WebResolver, read_page
from whatsrelated.sources.page_reader import HtmlReader

URL = "https://a.org/docs/page.html"


def record(markup, **more):
    data = markup if isinstance(markup, bytes) else markup.encode()
    return read_page(data, URL, HtmlReader(), WebResolver(), **more)


def test_links_are_resolved_at_the_pages_address_and_at_its_base():
    links = '<a href="x.html#y"></a><a href="/z"></a><a href=" //b.org "></a><a href="#top"></a>'
    assert record(links).links == [
        "https://a.org/docs/x.html",
        "https://a.org/z",
        "https://b.org/",
    ]
    moved = '<base href=" http://c.org/d/e ">' + links
    assert record(moved).links == ["http://c.org/d/x.html", "http://c.org/z", "http://b.org/"]
    assert record('<base href="http://[">' + links).links == record(links).links


def test_a_page_never_links_to_itself_and_counts_what_it_leaves_out():
    page = record('<a href="page.html"></a><nav><a href="/n"></a></nav><a href="http://["></a>')
    assert page.links == []
    assert (page.left_out, page.refused) == ({"navigation": 1}, {"not a URL": 1})


@pytest.mark.parametrize(
    ("markup", "charset", "title"),
    [
        ("<title>Ж</title>".encode("koi8-r"), "koi8-r", "Ж"),
        ("<meta charset=latin1><title>Ж</title>".encode("koi8-r"), "KOI8-R", "Ж"),
        (b"\xef\xbb\xbf" + "<title>Ж</title>".encode(), "koi8-r", "Ж"),
        ("<meta charset=koi8-r><title>Ж</title>".encode("koi8-r"), "no such charset", "Ж"),
        ("<meta charset=koi8-r><title>Ж</title>".encode("koi8-r"), "", "Ж"),
        ("<title>Ж</title>".encode("utf-16"), "utf-8", "Ж"),
        ("<title>Ж</title>".encode("utf-16-le"), "utf-16le", "Ж"),
        ("<title>日本</title>".encode("shift_jis"), "Shift_JIS", "日本"),
    ],
)
def test_the_charset_is_that_of_the_mark_the_header_the_page(markup, charset, title):
    assert record(markup, charset=charset).title == title


def test_a_page_declares_what_it_is_a_copy_of():
    assert record('<link rel=canonical href="/c">').same_as == "https://a.org/c"
    assert record('<link rel=canonical href="page.html#x">').same_as == ""
    assert record('<meta http-equiv=refresh content="1; url=/r">').same_as == "https://a.org/r"


def test_a_separate_name_is_not_the_address():
    page = record('<a href="x.html">', name="Tea", path="file:9")
    assert (page.name, page.path, page.links) == ("Tea", "file:9", ["https://a.org/docs/x.html"])
