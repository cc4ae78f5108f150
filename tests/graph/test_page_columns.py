"""What a build stores for a page: its title, the texts of its links, its words on request."""

from __future__ import annotations

from whatsrelated.graph.page_columns import (
    broken_of,
    columns,
    file_of,
    navigation_of,
    redirects_of,
    title_of,
    unchecked_of,
)
from whatsrelated.names.naming import Naming
from whatsrelated.stream import CheckedLinks, DeadLink, Page, RedirectedLink


def test_a_title_is_one_line() -> None:
    assert title_of(Page("a", title=" Tea \n and  milk ")) == b"Tea and milk"
    assert title_of(Page("a")) is None


def test_the_text_of_a_link_is_shown_beside_its_target() -> None:
    anchors = columns(Naming())["anchors"]
    page = Page("a", ["HTTP://B.org", "mailto:x@y", "c"], anchors=["the\tB", "write", ""])
    assert anchors(page) == b"http://b.org/\tthe B"
    assert anchors(Page("a", ["b"])) is None


def test_words_are_stored_on_request() -> None:
    always = {"titles", "anchors", "navigation", "broken", "redirects", "unchecked", "files"}
    assert set(columns(Naming())) == always
    assert set(columns(Naming(), text=True)) == {*always, "terms"}


def test_facts_about_links_from_a_source_are_stored() -> None:
    dead = [DeadLink(7, "no\tpage"), DeadLink(None, "gone", 404)]
    redirects = [RedirectedLink("old", "new", 2), RedirectedLink("loop", "", 0, 31)]
    page = Page("a", navigation=12, checked=CheckedLinks(dead, redirects, 3))
    assert navigation_of(page) == b"12"
    assert broken_of(page) == b"7\tno page\t\n\tgone\t404"
    assert redirects_of(page) == b"old\tnew\t2\t\nloop\t\t0\t31"
    assert unchecked_of(page) == b"3"
    assert file_of(Page("a", file="a.md")) == b"a.md"
    assert file_of(Page("a.md", file="a.md")) is file_of(page) is None
    assert unchecked_of(Page("a", checked=CheckedLinks())) == b"0"
    assert navigation_of(Page("a")) is broken_of(Page("a")) is unchecked_of(Page("a")) is None
