"""What a build stores of a page: its title, the texts of its links, its words on request."""

from __future__ import annotations

from whatsrelated.graph.page_columns import broken_of, columns, navigation_of, title_of
from whatsrelated.names.naming import Naming
from whatsrelated.stream import Page


def test_a_title_is_one_line() -> None:
    assert title_of(Page("a", title=" Tea \n and  milk ")) == b"Tea and milk"
    assert title_of(Page("a")) is None


def test_the_text_of_a_link_stands_by_the_name_of_its_target() -> None:
    anchors = columns(Naming())["anchors"]
    page = Page("a", ["HTTP://B.org", "mailto:x@y", "c"], anchors=["the\tB", "write", ""])
    assert anchors(page) == b"http://b.org/\tthe B"
    assert anchors(Page("a", ["b"])) is None


def test_words_are_stored_on_request() -> None:
    always = {"titles", "anchors", "navigation", "broken"}
    assert set(columns(Naming())) == always
    assert set(columns(Naming(), text=True)) == {*always, "terms"}


def test_what_navigation_leads_here_and_which_links_are_broken_is_stored() -> None:
    page = Page("a", navigation=12, broken=[(7, "no\tpage"), (None, "gone")])
    assert navigation_of(page) == b"12"
    assert navigation_of(Page("a", navigation=0)) == b"0", "counted, and none"
    assert broken_of(page) == b"7\tno page\n\tgone"
    assert navigation_of(Page("a")) is broken_of(Page("a")) is None
