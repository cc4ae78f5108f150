"""A page of HTML: every link, in page order, and its kind."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import html5lib
import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources.html import (
    NAVIGATION,
    NOT_RECOMMENDED,
    SEE_ALSO,
    as_utf8,
    is_see_also,
    looks_like_html,
    read_html,
)

PYTHON_DOC = Path("/usr/share/doc/python3-doc/html")


def hrefs(markup, **options):
    return [href for href, _ in read_html(markup, **options).links]


def marked(markup, mark):
    return [href for href, marks in read_html(markup, sections=True).links if marks & mark]


def test_links_come_in_page_order_from_a_and_area():
    page = """<p><a href="one">1</a><a name="no"></a>
      <map><area href="two"></map><a href="three"><b>3</b></a><a href>4</a></p>"""
    assert hrefs(page) == ["one", "two", "three", ""]


def test_entities_are_decoded_and_spaces_kept():
    assert hrefs('<a href=" a?b=1&amp;c=2&eacute; ">x</a>') == [" a?b=1&c=2é "]


def test_links_in_broken_markup_are_placed_as_in_a_browser():
    assert hrefs("<table><a href=out><tr><td><a href=in></table>") == ["out", "in"]
    assert hrefs("<a href=one><a href=two><b><a href=three>") == ["one", "two", "three"]
    assert hrefs("<a href=one><p>inside</p></a>") == ["one"]
    assert hrefs("<!-- <a href=no> --><script>'<a href=no>'</script><a href=yes") == []
    assert hrefs("<noscript><a href=yes></noscript>") == ["yes"]


@pytest.mark.parametrize(
    "region",
    [
        "<nav>{}</nav>",
        "<header>{}</header>",
        "<footer><p>{}</footer>",
        "<aside>{}</aside>",
        "<div role=navigation>{}</div>",
        '<div role="Banner">{}</div>',
        '<ul role="none menubar">{}</ul>',
        "<div role=contentinfo><nav>{}</nav></div>",
        "<div role=complementary>{}</div>",
        "<form role=search>{}</form>",
    ],
)
def test_links_inside_navigation_are_distinguished_from_content(region):
    inside = region.format("<a href=in1>x</a><area href=in2>")
    page = f"<a href=before></a>{inside}<p><a href=between></a></p>{inside}<a href=after></a>"
    assert hrefs(page) == ["before", "in1", "in2", "between", "in1", "in2", "after"]
    assert marked(page, NAVIGATION) == ["in1", "in2", "in1", "in2"]


def test_other_roles_and_empty_navigation_change_nothing():
    page = "<nav></nav><main role=main><a href=a></a></main><div role=note><a href=b></a></div>"
    assert marked(page, NAVIGATION) == []


def test_rel_disowns_a_link():
    page = """<a href=a rel="external NoFollow">x</a><a href=b rel=ugc>x</a>
      <a href=c rel=sponsored>x</a><a href=d rel=noopener>x</a><a href=e>x</a>"""
    assert marked(page, NOT_RECOMMENDED) == ["a", "b", "c"]


@pytest.mark.parametrize("rel", ["prev", "NEXT", "noopener previous"])
def test_links_to_the_previous_and_next_page_are_navigation(rel):
    assert marked(f"<a rel='{rel}' href=a>A</a><a rel=author href=b>B</a>", NAVIGATION) == ["a"]


@pytest.mark.parametrize(
    ("url", "is_editor"),
    [
        ("https://github.com/tea/docs/edit/main/cups.md", True),
        ("https://codeberg.org/tea/docs/_edit/main/cups.md", True),
        ("https://gitlab.com/tea/pots/docs/-/edit/main/cups.md", True),
        ("https://github.com/tea/docs/tree/main/cups.md", False),
        ("https://tea.org/credit/edit/", False),
        ("edit/cups.html", False),
    ],
)
def test_links_to_the_editor_of_a_page_are_navigation(url, is_editor):
    assert marked(f"<a href={url}>Improve this page</a>", NAVIGATION) == [url] * is_editor


def test_an_aside_of_a_section_is_content_and_one_of_the_page_or_article_is_not():
    aside = "<aside><a href={}></a></aside>"
    page = f"{aside.format('a')}<article><section>{aside.format('b')}</section>{aside.format('c')}"
    assert marked(page, NAVIGATION) == ["a", "c"]


def test_the_place_of_a_link_is_the_same_on_pages_of_the_same_structure():
    def places(page):
        return read_html(page, places=True).places

    [menu] = places("<div><a href=a>A</a></div><p>x")
    assert places("<div><a href=b>A</a></div><p>y<p>z") == [menu]
    [moved] = places("<div></div><div><a href=a>A</a></div>")
    assert (moved[0] != menu[0], moved[1] == menu[1]) == (True, True), "only the kind is the same"
    [icon] = places("<div><a href=a aria-label=A></a></div>")
    assert icon == menu
    [renamed] = places("<div><a href=a>B</a></div>")
    assert (renamed[0] == menu[0], renamed[1] != menu[1]) == (True, True)
    assert places("<nav><a href=a>A</a></nav><div><a href=#top>A</a></div>") == [(0, 0), (0, 0)]
    [prose] = places("<p><a href=a>A</a></p>")
    assert prose[1] == 0, "a link in a paragraph is the author's, whatever its label"


@pytest.mark.parametrize("unit", ["<div><a href=x>y</a>", "<a href=x>y</a>", "<p><a href=x>y</a>"])
def test_deep_and_wide_pages_have_places_in_bounded_memory(unit):
    tracemalloc.start()
    try:
        page = read_html(unit * 20_000, places=True)
        assert len(page.places) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


def test_a_see_also_section_ends_at_a_heading_of_its_rank():
    page = """<h1>Tea</h1><a href=a></a><h2>See <i>also</i>:</h2><a href=b></a>
      <h3>Books</h3><a href=c></a><h2>Notes</h2><a href=d></a>
      <div class="admonition seealso"><p><a href=e></a></div><a href=f></a>"""
    assert marked(page, SEE_ALSO) == ["b", "c", "e"]
    assert [marks for _, marks in read_html(page).links] == [0] * 6


def test_headings_that_announce_related_pages():
    for heading in ("See also", "SEE ALSO", "Related", "Related topics", "Siehe auch", "関連項目"):
        assert is_see_also(f" {heading}:\n")
    for heading in ("See", "Related work in the field", "Not see also", "", "Unrelated"):
        assert not is_see_also(heading)


def test_the_metadata_of_a_page_is_read():
    page = read_html(
        """<title> Tea \n time</title><base href="/b/"><base href="/no/">
        <link rel="stylesheet" href=s><link rel="Canonical" href="c"><link rel=canonical href=no>
        <meta http-equiv=Refresh content="3; url='next'">
        <body><svg><title>Icon</title></svg><link rel=canonical href=no>"""
    )
    assert (page.title, page.base, page.canonical) == ("Tea time", "/b/", "c")
    assert (page.refresh, page.refresh_after) == ("next", 3.0)
    bad = read_html('<title>t</title><meta http-equiv=refresh content="0; url=http://[a/">')
    assert (bad.title, bad.refresh) == ("t", "")
    bare = read_html("<body><link rel=canonical href=no><svg><title>Icon</title></svg>")
    assert (bare.title, bare.canonical, bare.refresh) == ("", "", "")


def test_anchor_texts_and_words_are_kept_on_request():
    page = read_html(
        "<nav>Menu</nav><p>Tea <a href=x> green \n <b>tea</b></a><script>no</script>",
        anchors=True,
        text=True,
    )
    assert page.anchors == ["green tea"]
    assert page.text == "Tea green tea"
    assert read_html("<a href=x>y</a>").anchors == []


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=ü>".encode(),
        b"\xef\xbb\xbf" + "<a href=ü>".encode(),
        b'<meta charset="iso-8859-1"><a href=\xfc>',
        b"\xff\xfe" + "<a href=ü>".encode("utf-16-le"),
        b"\xfe\xff" + "<a href=ü>".encode("utf-16-be"),
        ("<html><body>" + "<a href=ü>").encode("utf-16-le"),
        ("<html><body>" + "<a href=ü>").encode("utf-16-be"),
        b'<meta charset="no such thing"><a href="\xc3\xbc">',
    ],
)
def test_the_encoding_is_found_out(markup):
    assert hrefs(as_utf8(markup)) == ["ü"]


def test_a_page_of_html_is_known_by_how_it_begins():
    for start in (
        b"<!DOCTYPE html>",
        b"\n<html>",
        b"<!-- x --><head>",
        b"<?xml version='1'?><html ",
    ):
        assert looks_like_html(start)
    assert looks_like_html("<html><body>".encode("utf-16-le"))
    for start in (b"", b"a\tb", b"{}", b"# Tea", b"<svg>", b"<rss>", b"\x89PNG\r\n"):
        assert not looks_like_html(start)


TAGS = "a href=x|a|/a|nav|/nav|p|table|tr|/table|b|/b|div role=navigation|/div|area href=y|form"
MARKUP = st.lists(st.sampled_from([f"<{tag}>" for tag in TAGS.split("|")])).map("".join)


@given(MARKUP)
def test_navigation_is_what_the_tree_has_below_a_nav(markup):
    tree = html5lib.parse(markup, namespaceHTMLElements=False)

    def walk(node, inside):
        inside = inside or node.tag == "nav" or node.get("role") == "navigation"
        for child in node:
            if not isinstance(child.tag, str):
                continue
            name = child.tag.rpartition("}")[2]
            if name in ("a", "area") and child.get("href") is not None:
                yield child.get("href"), int(inside)
            yield from walk(child, inside)

    assert read_html(markup).links == list(walk(tree, False))


def of_lxml(markup):
    tree = lxml.html.document_fromstring(markup, parser=lxml.html.HTMLParser())
    return [e.get("href") for e in tree.iter("a", "area") if e.get("href") is not None]


def of_html5lib(markup):
    tree = html5lib.parse(markup, namespaceHTMLElements=False)
    links = [e for e in tree.iter() if e.tag in ("a", "area")]
    return [e.get("href") for e in links if e.get("href") is not None]


@pytest.mark.needs_system("python3-doc")
def test_every_link_that_other_parsers_find_on_real_pages_is_found_in_order():
    pages = sorted(PYTHON_DOC.resolve().rglob("*.html"))
    assert len(pages) > 400
    for path in pages[::5]:
        assert hrefs(path.read_bytes()) == of_lxml(path.read_bytes()), path
    for path in [path for path in pages if path.stat().st_size < 20_000][::10]:
        assert hrefs(path.read_bytes()) == of_html5lib(path.read_bytes()), path
