"""What a question offers a method: sites, stop pages, parents, and the graph's ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.contract.question import Question, site_for

LINES = (
    "https://a.org/1 -> https://a.org/2 https://b.org/",
    "https://a.org/2 -> https://a.org/3",
    "https://c.org/ -> https://b.org/ https://a.org/1",
)


def test_auto_is_each_page_only_if_no_query_page_links_off_its_host() -> None:
    store = graph_of(*LINES).store
    inner, outer = store.page("https://a.org/3"), store.page("https://a.org/1")
    assert store.auto_site == "host"
    assert site_for(store, "auto", (inner,)) == "page"
    assert site_for(store, "auto", (outer,)) == "host"
    assert site_for(store, "auto", (inner, outer)) == "host"
    assert site_for(store, "domain", (inner,)) == "domain"


def test_a_question_numbers_the_sites_that_it_asks_for() -> None:
    store = graph_of(*LINES).store
    page = store.page("https://a.org/1")
    assert Question.about(store, (page,), site="page").sites is None
    assert Question.about(store, (page,), site="host").sites is store.hosts
    assert Question.about(store, (page,), site="domain").sites is store.domains


def test_the_stop_list_is_ignored_if_a_query_page_is_on_it() -> None:
    store = graph_of("p -> u v w").store
    u, v = store.page("u"), store.page("v")
    stop = np.array(sorted([u, v]), np.uint32)
    assert len(Question.about(store, (u,), stop=stop).stop) == 0
    asked = Question.about(store, (store.page("w"),), stop=stop)
    assert asked.stop.tolist() == stop.tolist()
    assert asked.without_stop(store.links_from(store.page("p"))).tolist() == [store.page("w")]
    assert asked.answerable(store.links_from(store.page("p"))).tolist() == [False, False, False]


def test_parents_are_sampled_by_the_seed_if_there_are_too_many() -> None:
    store = graph_of(*(f"p{i:02} -> u" for i in range(50))).store
    u = store.page("u")
    samples = {tuple(Question.about(store, (u,), seed=n).parents(u, 10)) for n in range(5)}
    assert {len(sample) for sample in samples} == {10}
    assert len(samples) > 1
    assert len(Question.about(store, (u,)).parents(u, 50)) == 50


class Recorded:
    """A rank service that records requests."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def ranking(self, by: Any, **options: Any) -> Any:
        self.asked.append((by, options))
        return "scores"


def test_a_rank_comes_from_the_service_in_the_question() -> None:
    service = Recorded()
    question = Question.about(graph_of("p -> u").store, (0,), ranks=service)
    assert question.rank("pagerank", damping=0.5) == "scores"
    assert service.asked == [("pagerank", {"damping": 0.5})]


def test_a_question_without_ranks_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        Question.about(graph_of("p -> u").store, (0,)).rank("pagerank")
