"""What a build stores of a page: its title, the texts of its links, its words on request."""

from __future__ import annotations

from whatsrelated.graph.page_columns import columns, title_of
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
    assert set(columns(Naming())) == {"titles", "anchors"}
    assert set(columns(Naming(), text=True)) == {"titles", "anchors", "terms"}
