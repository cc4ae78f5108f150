"""Every topic has enough links for cocitation."""

from __future__ import annotations

import pytest

from tests.sample.web import TOPICS, cocited


@pytest.mark.parametrize("name", TOPICS)
def test_the_flagship_of_a_topic_has_siblings_enough_for_cocitation(name: str) -> None:
    flagship = TOPICS[name].sites[0].url
    assert sum(count >= 2 for count in cocited(flagship).values()) >= 15


@pytest.mark.parametrize("name", TOPICS)
def test_the_ten_pages_most_cocited_with_a_flagship_are_of_its_topic(name: str) -> None:
    sites = [site.url for site in TOPICS[name].sites]
    best = [url for url, _ in cocited(sites[0]).most_common(10)]
    assert [url for url in best if url not in sites] == []
