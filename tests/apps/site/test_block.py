"""A list as HTML."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.sources.test_html import hrefs
from whatsrelated.apps.site.block import Item, render
from whatsrelated.apps.site.markup import BEGIN, END
from whatsrelated.sources.html import read_html

LIST = render([("Related <pages>", [Item("a&b.html", '<script>"é"', True), Item("c.html", "C")])])


def test_texts_are_escaped_in_ascii_and_well_formed():
    assert LIST.isascii()
    assert LIST.startswith('\n<aside class="related-pages"')
    assert LIST.endswith("</ul>\n</aside>\n")
    tree = ElementTree.fromstring(LIST)
    assert tree.find("h2").text == "Related <pages>"
    links = [(link.get("href"), link.text) for link in tree.iter("a")]
    assert links == [("a&b.html", '<script>"é"'), ("c.html", "C")]
    assert [item.get("class") for item in tree.iter("li")] == ["linked", None]
    assert tree.get("data-pagefind-ignore") == "all"


def test_a_title_cannot_close_the_end_marker_or_reverse_the_line():
    assert END not in render([("x", [Item("a", f"--> {END} \u202e")])])
    assert "&#8238;" not in render([("x", [Item("a", "\u202e")])])


def test_lists_without_pages_are_left_out():
    assert render([("Related", []), ("Linked from", [])]) == ""
    assert "Related" not in render([("Related", []), ("Linked from", [Item("a", "A")])])


def test_two_lists_may_have_one_heading():
    assert render([("See", [Item("a", "A")]), ("See", [Item("b", "B")])]).count("<h2>See</h2>") == 2


@pytest.mark.parametrize("before", ["", "<nav><a href=n>", "<div class=seealso><a href=s>"])
def test_our_reader_skips_our_lists(before):
    page = f"{before}<a href=one>1</a>{BEGIN}{LIST}{END}<a href=two>2</a>"
    plain = page.replace(f"{BEGIN}{LIST}{END}", "")
    for sections in (False, True):
        read = (read_html(text, sections=sections) for text in (page, plain))
        with_list, without_list = (html._replace(lines=()) for html in read)
        assert with_list == without_list
    assert hrefs(page)[-2:] == ["one", "two"]
