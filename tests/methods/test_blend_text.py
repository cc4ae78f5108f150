"""The text part of blend against its definition, and its evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.test_blend import degree_of
from tests.methods.twins import Asked, same
from tests.reference.blend import blend
from tests.reference.graphs import questions
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.contract.sampling import draw
from whatsrelated.errors import OptionError
from whatsrelated.stream import Page

TEXTS = {
    "a": "green tea from China",
    "b": "black tea from India, tea from Ceylon",
    "c": "coffee from Brazil",
    "d": "roast coffee beans from Brazil",
    "e": "",
}
SHELF = [
    Page("oolong", ["shop"], text="Oolong is a tea between green tea and black tea."),
    Page("sencha", ["shop"], text="Sencha is a green tea from Japan."),
    Page("espresso", ["shop"], text="Espresso is a strong coffee."),
    Page("matcha", (), text="Matcha is powdered green tea."),
    Page("ristretto", (), text="Ristretto is a short coffee."),
    Page("shop", ["oolong", "sencha", "espresso"]),
]


@given(
    questions(),
    st.lists(st.sampled_from([*TEXTS.values(), "茶と珈琲", "茶"]), min_size=9, max_size=9),
    st.booleans(),
)
def test_text_counts_as_its_definition_says(asked: Asked, said: list[str], names: bool) -> None:
    lists, query, stop = asked
    texts = dict(zip(lists, said, strict=False))
    pages = (Page(page, links, text=texts.get(page)) for page, links in lists.items())
    graph = Graph.from_pages(pages, text=True)
    twin = PlainGraph(lists, draw=draw)
    walked = {
        result.url: result.score * degree_of(twin, result.url) ** (0.25 - 0.35)
        for result in graph.related(query, by="walk", restart=0.3, limit=1000, chop=False)
    }
    known = texts if any(texts.values()) else None
    scores = blend(twin, query, walked, stop=stop, names=names, texts=known)
    same(graph, twin, query, scores, by="blend", stop=stop, compare_names=names)


def test_text_raises_pages_and_finds_pages_without_links() -> None:
    graph = Graph.from_pages(SHELF, text=True)
    with_text, without = (graph.related("oolong", text=text) for text in ("auto", "off"))
    place = {result.url: place for place, result in enumerate(with_text)}
    assert place["sencha"] < place["espresso"]
    assert "matcha" in place
    assert "ristretto" not in place, "no word in common"
    assert "matcha" not in [result.url for result in without]


def test_the_evidence_lists_the_words_that_both_texts_have() -> None:
    graph = Graph.from_pages(SHELF, text=True)
    found = {result.url: result.evidence for result in graph.related("oolong")}
    (part,) = [part for part in found["sencha"]["parts"] if part["by"] == "text"]
    assert part["words"][:2] == ["tea", "green"]
    assert part["sentence"].startswith(
        "The texts of “oolong” and “sencha” share the words tea, green"
    )
    assert 0 < part["alike"] < 1
    assert found["matcha"]["sentence"].startswith("The texts of “oolong” and “matcha” share")
    assert sum(part["share"] for part in found["sencha"]["parts"]) == pytest.approx(1)


def test_pages_to_move_away_from_have_their_texts_subtracted() -> None:
    graph = Graph.from_pages(SHELF, text=True)
    towards = [result.url for result in graph.related({"oolong": 1, "espresso": 1})]
    away = [result.url for result in graph.related({"oolong": 1}, unlike=["espresso"])]
    assert "ristretto" in towards
    assert "ristretto" not in away
    assert "matcha" in away


def test_a_page_without_links_is_answered_from_its_text() -> None:
    graph = Graph.from_pages(SHELF, text=True)
    assert graph.related("ristretto")[0].url == "espresso"


def test_with_many_sites_text_does_not_count() -> None:
    sites = "https://a.com/", "https://b.com/", "https://c.com/"
    pages = [
        Page("https://list.org/", sites),
        Page("https://links.net/", sites),
        *(Page(site, ["https://list.org/"], text="tea from China") for site in sites),
    ]
    graph = Graph.from_pages(pages, text=True)
    answers = [graph.related("https://a.com/", text=text) for text in ("on", "off")]
    first, second = ([(one.url, one.score) for one in answer] for answer in answers)
    assert first == second


def test_text_needs_a_graph_with_text() -> None:
    graph = Graph.from_pages([Page("a", ["b"]), Page("b", ["a"])])
    assert len(graph.related("a"))
    with pytest.raises(OptionError, match="text=on needs the text of pages"):
        graph.related("a", text="on")
