"""From what people type to the pages that are asked for."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import PageNotFound
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.methods.companion import Companion
from whatsrelated.query.request import Request
from whatsrelated.query.resolve import find_page, list_attempts, pages_above

STORE = graph_of(
    "https://x.org/ -> https://h.org/ https://h.org/a https://h.org/a/b/c.html",
    "https://y.org/ -> https://h.org/a/b/c.html https://seen.org/",
    "https://h.org/deep -> https://h.org/",
).store


def names(pages: list[int]) -> list[str]:
    return [STORE.url(page) for page in pages]


def test_a_page_found_under_another_name_has_a_note() -> None:
    assert find_page(STORE, "https://h.org/a") == (STORE.page("https://h.org/a"), [])
    assert find_page(STORE, "h.org/a")[1] == ["Using https://h.org/a for h.org/a."]


def test_the_pages_above_are_those_in_the_graph_nearest_first() -> None:
    assert names(pages_above(STORE, ["https://h.org/a/b/c.html"])) == [
        "https://h.org/a",
        "https://h.org/",
    ]
    assert pages_above(STORE, ["Tea/Green"]) == []


def test_chopping_is_up_to_the_method_unless_the_request_says_so() -> None:
    asked, above = "https://h.org/a/b/c.html", ["https://h.org/a", "https://h.org/"]
    for method, chop, expected in (
        (Cocitation(), None, [asked, *above]),
        (Cocitation(), True, [asked, *above]),
        (Cocitation(), False, [asked]),
        (Companion(), None, [asked]),
        (Companion(), True, [asked, *above]),
    ):
        attempts = list_attempts(STORE, asked, method, Request(chop=chop))
        assert names(attempts.pages) == expected
    by_page = list_attempts(STORE, asked, Cocitation(), Request(site="page"))
    assert names(by_page.pages) == [asked]


def test_the_parent_folder_answers_for_a_missing_page_unless_that_is_off() -> None:
    attempts = list_attempts(STORE, "h.org/a/z", Companion(), Request())
    assert names(attempts.pages) == ["https://h.org/a", "https://h.org/"]
    assert attempts.notes == ["h.org/a/z is not in the graph; using https://h.org/a."]
    with pytest.raises(PageNotFound):
        list_attempts(STORE, "h.org/a/z", Companion(), Request(chop=False))
    with pytest.raises(PageNotFound):
        list_attempts(STORE, "https://nowhere.org/", Companion(), Request())


def test_chopping_goes_up_to_the_root_of_the_host() -> None:
    for deep in ("https://h.org/x/y/z.html", "https://h.org/1/2/3/4/5/6/z.html?v=1"):
        for chop in (None, True):
            attempts = list_attempts(STORE, deep, Cocitation(), Request(chop=chop))
            assert names(attempts.pages) == ["https://h.org/"]


def test_several_pages_that_may_be_meant_are_not_chopped() -> None:
    store = graph_of("https://h.org/ -> https://h.org/A_b/ https://h.org/a-B/").store
    with pytest.raises(PageNotFound, match="one of several pages"):
        list_attempts(store, "https://h.org/a_b/", Cocitation(), Request())


def test_an_unread_host_does_not_answer_for_a_missing_page() -> None:
    with pytest.raises(PageNotFound):
        list_attempts(STORE, "https://seen.org/a", Cocitation(), Request())
    forced = list_attempts(STORE, "https://seen.org/a", Cocitation(), Request(chop=True))
    assert names(forced.pages) == ["https://seen.org/"]
