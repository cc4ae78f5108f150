"""Every reason names both pages in one sentence, with the right grammar for one and many."""

# ruff: noqa: E501 - a table of sentences

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.stream import Page
from whatsrelated.vicinity.wording import FollowUp, Wording, listing, sentence

STORE = graph_of("Tea -> Milk Cup Pot", "Coffee -> Milk Cup Pot").store
TEA, COFFEE, MILK, CUP, POT = map(STORE.page, ("Tea", "Coffee", "Milk", "Cup", "Pot"))
SAY = Wording(STORE, [TEA], COFFEE)
BOTH = Wording(STORE, [TEA, MILK], COFFEE)
THEN = FollowUp(STORE, [TEA], COFFEE)


def test_a_sentence_has_a_capital_and_a_full_stop() -> None:
    assert sentence("all 3 pages") == "All 3 pages."
    assert [listing(list("abc")[:size]) for size in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_pages_of_the_same_title_are_named_by_their_addresses() -> None:
    urls = ("https://a.org/1", "https://a.org/2", "https://a.org/3")
    store = Graph.from_pages(Page(url, [], title="Home") for url in urls).store
    say = Wording(store, [store.page(urls[0])], store.page(urls[1]))
    assert say.both == "“a.org/1” and “a.org/2”"
    assert say(store.page(urls[2])) == "“Home”"


def test_the_pages_are_listed_in_the_order_of_the_sentence() -> None:
    evidence = SAY.evidence(SAY.shared_children(2, [MILK, CUP]))
    assert evidence["sentence"] == "“Tea” and “Coffee” both link to “Milk” and “Cup”."
    assert [page["url"] for page in evidence["named"]] == ["Tea", "Coffee", "Milk", "Cup"]


@pytest.mark.parametrize(
    ("count", "total", "distances", "text"),
    [
        (1, 1, (), "“Milk”, the only page that links to “Tea”, also links to “Coffee”."),
        (1, 9, (1,), "“Milk”, one of the 9 pages that link to “Tea”, also links to “Coffee”, and the two links are side by side."),
        (1, 9, (7,), "“Milk”, one of the 9 pages that link to “Tea”, also links to “Coffee”."),
        (1, 9, (5,), "“Milk”, one of the 9 pages that link to “Tea”, also links to “Coffee”, and the two links are close together."),
        (2, 2, (), "“Milk” and “Cup”, the only two pages that link to “Tea”, also link to “Coffee”."),
        (3, 3, (1, 1, 2), "All 3 pages that link to “Tea” also link to “Coffee”, side by side, for example “Milk”."),
        (26, 1234, (1, 9), "26 of the 1,234 pages that link to “Tea” also link to “Coffee”, often side by side, for example “Milk”."),
        (3, 9, (1, 9, 9), "3 of the 9 pages that link to “Tea” also link to “Coffee”, sometimes side by side, for example “Milk”."),
        (3, 9, (6, 9, 9), "3 of the 9 pages that link to “Tea” also link to “Coffee”, for example “Milk”."),
        (3, 9, (5, 9, 9), "3 of the 9 pages that link to “Tea” also link to “Coffee”, sometimes close together, for example “Milk”."),
    ],
)  # fmt: skip
def test_shared_parents_in_words(
    count: int, total: int, distances: tuple[int, ...], text: str
) -> None:
    assert SAY.shared_parents(count, total, [MILK, CUP], distances=distances) == text


def test_a_sample_of_parents_is_called_a_sample() -> None:
    assert SAY.shared_parents(200, 200, [MILK, CUP], sampled=True) == (
        "200 of 200 sampled pages that link to “Tea” also link to “Coffee”, for example “Milk”."
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (SAY.shared_children(1, [MILK]), "“Tea” and “Coffee” both link to “Milk”."),
        (SAY.shared_children(9, [MILK, CUP]), "“Tea” and “Coffee” both link to “Milk” and 8 other pages."),
        (SAY.similar_pages(1, 1, [MILK], all_read=True), "“Milk”, the only page that shares links with “Tea”, links to “Coffee”."),
        (SAY.similar_pages(4, 9, [MILK], all_read=True), "4 of the 9 pages that share links with “Tea” link to “Coffee”, for example “Milk”."),
        (SAY.similar_pages(1, 100, [MILK], all_read=False), "“Milk”, one of the 100 pages whose links are most similar to those of “Tea”, links to “Coffee”."),
        (SAY.paths(True, False, 0, []), "“Tea” links to “Coffee”."),
        (SAY.paths(False, True, 1, [MILK]), "“Coffee” links to “Tea” and is also connected to it through “Milk”."),
        (SAY.paths(True, True, 3, [MILK, CUP]), "“Tea” and “Coffee” link to each other and are also connected through any of 3 pages, for example “Milk”."),
        (SAY.paths(False, False, 2, [MILK, CUP]), "“Tea” and “Coffee” are two links apart, through either “Milk” or “Cup”."),
        (SAY.paths(False, False, 0, []), "“Tea” and “Coffee” are connected only by paths of three or more links."),
        (SAY.found_by([(TEA, False), (COFFEE, True)], 1), "“Coffee” links to “Tea”."),
        (SAY.found_by([(TEA, False), (MILK, False), (COFFEE, False)], 0), "“Coffee”, which links to no other page, is 2 links away from “Tea”, through “Milk”."),
        (SAY.found_by([(TEA, False), (COFFEE, True)], 3), "“Coffee” links to “Tea” and 2 other pages."),
        (SAY.found_by([(TEA, False), (COFFEE, False)], 3), "“Tea” links to “Coffee”, which links to 3 pages."),
        (SAY.shared_neighbours((1, 1), None, "page", examples=[MILK]), "“Milk”, the only page that links to “Tea”, also links to “Coffee”."),
        (SAY.shared_neighbours((1, 3), None, "site", examples=[MILK]), "One of the 3 sites that link to “Tea” also links to “Coffee”, for example on “Milk”."),
        (SAY.shared_neighbours((2, 2), (1, 7), "site", examples=[MILK, CUP]), "Both sites that link to “Tea” also link to “Coffee”, for example on “Milk”. “Coffee” also links to one of the 7 sites that “Tea” links to."),
        (SAY.shared_neighbours(None, (5, 5), "page"), "“Coffee” links to all 5 pages that “Tea” links to."),
        (SAY.shared_neighbours((3, 200), None, "page", examples=[MILK], sampled=True), "3 of 200 sampled pages that link to “Tea” also link to “Coffee”, for example “Milk”."),
        (SAY.shared_neighbours(None, (7, 40), "page", all_children=False), "“Coffee” links to 7 of the first 40 pages that “Tea” links to."),
        (SAY.hubs([TEA], 1), "“Tea” links to “Coffee”."),
        (SAY.hubs([POT], 1), "“Pot”, a page near “Tea”, links to “Coffee”."),
        (Wording(STORE, [MILK], CUP).hubs([TEA], 1), "“Tea” links to both “Milk” and “Cup”."),
        (SAY.hubs([TEA, MILK], 2), "“Tea” and “Milk”, a page near it, link to “Coffee”."),
        (SAY.hubs([TEA, MILK, CUP], 1), "“Tea” and 2 pages near it, especially “Milk”, link to “Coffee”."),
        (SAY.hubs([MILK, CUP], 2), "“Milk” and “Cup”, two pages near “Tea”, link to “Coffee”."),
        (SAY.hubs([MILK, CUP, POT], 2), "3 pages near “Tea”, especially “Milk”, link to “Coffee”. They are on 2 sites."),
        (SAY.hubs([MILK, CUP, POT], 3), "3 pages near “Tea”, especially “Milk”, link to “Coffee”. Each is on its own site."),
        (BOTH.hubs([CUP, POT], 1), "“Cup” and “Pot”, two pages near “Tea” and “Milk”, link to “Coffee”."),
        (BOTH.hubs([TEA, MILK], 1), "“Tea” and “Milk” link to “Coffee”."),
        (SAY.sources([TEA]), "You can get from “Tea” to “Coffee” by following links."),
        (SAY.sources([COFFEE, TEA]), "You can get from “Coffee” to “Tea” and back by following links."),
        (SAY.sources([TEA, MILK]), "You can reach both “Tea” and “Coffee” from “Milk” by following links."),
        (SAY.sources([MILK, CUP, POT]), "You can reach both “Tea” and “Coffee” from “Milk” and 2 other pages by following links."),
        (SAY.similar_parents([MILK], ()), "“Milk” links to both “Tea” and “Coffee”."),
        (SAY.similar_parents([MILK, CUP], ()), "2 pages link to both “Tea” and “Coffee”, for example “Milk”."),
        (SAY.similar_parents([], [MILK, CUP]), "Pages that link to “Tea” are similar to pages that link to “Coffee”, for example “Milk” and “Cup”."),
        (BOTH.related_to([TEA, MILK]), "“Coffee” is related to both “Tea” and “Milk”."),
        (BOTH.related_to([MILK]), "“Coffee” is related to only one of the two pages you asked about, “Milk”."),
        (Wording(STORE, [TEA, MILK, CUP], COFFEE).related_to([TEA, CUP]), "“Coffee” is related to 2 of the 3 pages you asked about, for example “Tea”."),
        (Wording(STORE, [TEA, MILK, CUP, POT], COFFEE).related_to([TEA, MILK, CUP, POT]), "“Coffee” is related to “Tea”, “Milk” and 2 other pages."),
        (THEN.shared_parents(1, 9, [MILK], distances=[1]), "“Milk” links to both, side by side."),
        (THEN.shared_parents(4, 9, [MILK, CUP]), "4 pages link to both, for example “Milk”."),
        (THEN.shared_children(2, [MILK, CUP]), "Both also link to “Milk” and “Cup”."),
        (THEN.link_between(True, True), "The two also link to each other."),
        (THEN.link_between(False, True), "“Coffee” also links to “Tea”."),
    ],
)  # fmt: skip
def test_reasons_in_words(text: str, wanted: str) -> None:
    assert text == wanted


@pytest.mark.parametrize(
    ("own", "its", "words"),
    [
        ("HTMLImageElement/height", "HTMLVideoElement/height", "“height” in their addresses"),
        ("library/email.parser.html", "library/email.policy.html", "“email” in their addresses"),
        ("First World War", "second world war", "“World” and “War” in their names"),
        ("tea/getElementById", "tea/ElementList", "“Element” in their addresses"),
        ("distrib/packages", "languages.html", ""),
        ("tea 1999", "cup 1999", ""),
    ],
)
def test_similar_names_share_a_whole_word_or_are_not_mentioned(
    own: str, its: str, words: str
) -> None:
    store = Graph.from_pages([Page(own, [its])]).store
    say = Wording(store, [store.page(own)], store.page(its))
    assert say.similar_names() == (f"“{own}” and “{its}” both have {words}." if words else "")
