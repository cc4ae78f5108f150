"""Link pages, mirrors and a page without a topic are as the methods need them."""

from __future__ import annotations

import pytest

from tests.sample.web import PAGES, PARENTS, TOPICS, host, near_duplicates
from whatsrelated.api import Graph


@pytest.mark.parametrize("name", TOPICS)
def test_mirrors_are_near_duplicates_on_another_host(name: str) -> None:
    assert TOPICS[name].mirrors
    for mirror, _, original in TOPICS[name].mirrors:
        assert near_duplicates(mirror, original)
        assert host(mirror) != host(original)


def test_link_pages_of_one_topic_are_not_near_duplicates() -> None:
    for topic in TOPICS.values():
        hubs = [url for url, _, _ in topic.hubs]
        alike = [(a, b) for a in hubs for b in hubs if a < b and near_duplicates(a, b)]
        assert [pair for pair in alike if not _both_list_all(pair, topic.hubs)] == []


def _both_list_all(pair: tuple[str, str], hubs: list[tuple[str, str, str]]) -> bool:
    return all(rule in ("all", "a-z") for url, _, rule in hubs if url in pair)


def test_one_page_without_a_topic_is_linked_from_every_category() -> None:
    hubs = {url: topic.name for topic in TOPICS.values() for url, _, _ in topic.hubs}
    counted = {hubs[url] for url in PARENTS["https://visitor-counter.example/"] if url in hubs}
    assert len(counted) >= len(TOPICS) / 2


@pytest.mark.parametrize(
    ("by", "about_jaguar"),
    [("cocitation", 0), ("extended-cocitation", 4), ("companion", 0), ("lli", 7)],
)
def test_methods_that_read_links_out_find_pages_about_jaguar_as_in_hz03(
    by: str, about_jaguar: int
) -> None:
    answer = Graph.from_pages(PAGES).related("https://www.jaguar.com/", by=by)
    clubs = [
        result
        for result in answer
        if result.url.endswith(".example/") or "Jaguar" in str(result.title)
    ]
    assert len(clubs) == about_jaguar
