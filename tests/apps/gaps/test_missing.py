"""Missing links are ordered over the whole site, each with its reason."""

from __future__ import annotations

from tests.graphs import graph_of
from whatsrelated.apps.gaps.missing import explain, missing_links
from whatsrelated.apps.gaps.structure import SiteStructure

WIKI = graph_of(
    "green -> tea china kettle",
    "black -> tea china kettle milk",
    "oolong -> tea china kettle",
    "milk -> tea",
    "kettle -> tea oolong",
    "tea -> green",
    "china -> tea",
)


def test_the_best_suggestion_of_all_pages_comes_first_with_its_reason() -> None:
    site = SiteStructure(WIKI.store)
    ranked = list(missing_links(site, range(len(WIKI)), site.is_page))
    assert [score for score, _, _ in ranked] == sorted((s for s, _, _ in ranked), reverse=True)
    pairs = [(WIKI.url(page), WIKI.url(target)) for _, page, target in ranked]
    assert len(pairs) == len(set(pairs))
    assert not any(t in WIKI[s].links for s, t in pairs)
    assert ("green", "milk") in pairs
    link = explain(site, WIKI.page("green"), WIKI.page("milk"), 0.5)
    similar = "“black”, one of the 5 pages most similar to “green”, links to “milk”."
    assert link.reason == similar
    assert (link.peers_linking, link.links_back, link.examples) == (1, False, ("black",))


def test_a_link_to_the_page_is_a_reason() -> None:
    site = SiteStructure(BACK.store)
    link = explain(site, BACK.page("a"), BACK.page("r"), 0.5)
    assert link.reason.endswith(" links to “r”. “r” already links to “a”.")
    assert link.links_back


BACK = graph_of("a -> x y", "b -> x y s", "c -> x y r", "r -> a", "s -> x", "x -> y", "y -> x")
