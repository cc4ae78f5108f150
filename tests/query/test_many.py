"""Answers for many pages are those for each alone, by every method, with every option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.graphs import LinkLists, questions
from whatsrelated import api
from whatsrelated.api import Graph
from whatsrelated.contract.blocks import AnswerBlock
from whatsrelated.contract.candidates import Candidates
from whatsrelated.contract.question import Question
from whatsrelated.methods import METHODS
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.query.many import ask_many
from whatsrelated.stream import Page

Asked = tuple[LinkLists, str, frozenset[str]]
Rows = list[tuple[str, list[str], list[float]]]


@pytest.fixture(scope="module")
def sample_web() -> Graph:
    return api.open("sample")


def rows_of(graph: Graph, block: AnswerBlock) -> Rows:
    ends = [0, *block.ends.tolist()]
    return [
        (
            graph.url(int(block.answered_for[i])),
            graph.store.urls(block.pages[ends[i] : ends[i + 1]]),
            block.scores[ends[i] : ends[i + 1]].tolist(),
        )
        for i in range(len(block.asked))
    ]


def one_by_one(graph: Graph, pages: list[int], **options: Any) -> Rows:
    answers = [graph.related(graph.url(page), **options) for page in pages]
    return [
        (one.answered_for[0], [result.url for result in one], [result.score for result in one])
        for one in answers
    ]


def assert_same(graph: Graph, pages: list[int], **options: Any) -> None:
    block = ask_many(graph.asker(**options), np.array(pages, np.uint32))
    assert rows_of(graph, block) == one_by_one(graph, pages, **options)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_page_of_the_sample_web_is_answered_as_alone(method: str, sample_web: Graph) -> None:
    step = {"simrank": 97, "pagesim": 23, "lli": 11}.get(method, 5)
    assert_same(sample_web, list(range(0, len(sample_web), step)), by=method)


@pytest.mark.parametrize("method", sorted(METHODS))
@settings(max_examples=10)
@given(asked=questions(), limit=st.integers(1, 4))
def test_random_graphs_are_answered_as_alone(method: str, asked: Asked, limit: int) -> None:
    lists, _, stop = asked
    graph = Graph.from_pages(Page(name, list(links)) for name, links in lists.items())
    pages = list(range(len(graph)))
    assert_same(graph, pages, by=method, limit=limit)
    assert_same(graph, pages, by=method, limit=limit, stop=sorted(stop), chop=False)


@pytest.mark.parametrize(
    "options",
    [
        {"by": "cocitation", "parents": 3, "siblings": "all", "count": "window", "seed": 7},
        {"by": "cocitation", "enough": 40},
        {"by": "cocitation", "chop": True, "enough": 3, "shared": 1},
        {"by": "cocitation", "stop": "auto:20"},
        {"by": "cocitation", "new": True, "limit": 3},
        {"by": "companion", "parents": 2, "site": "host", "merge": False},
        {"by": "companion", "site": "page", "weights": False, "limit": 1},
        {"by": "companion", "chop": True},
        {"by": "companion", "other_site": True, "distinct": True, "without": "*.org/*"},
        {"by": "walk", "only": "*.org/*", "limit": 5},
    ],
    ids=str,
)
def test_options_and_filters_are_those_of_one_answer(
    options: dict[str, Any], sample_web: Graph
) -> None:
    assert_same(sample_web, list(range(0, len(sample_web), 7)), **options)


def test_reasons_are_those_of_one_answer(sample_web: Graph) -> None:
    pages = np.arange(0, 40, dtype=np.uint32)
    block = ask_many(sample_web.asker("cocitation", limit=3), pages, why=True)
    alone = [
        result.evidence["sentence"]
        for page in pages.tolist()
        for result in sample_web.related(sample_web.url(page), by="cocitation", limit=3)
    ]
    assert block.reasons == alone


@pytest.mark.parametrize("options", [{"by": "cocitation"}, {"by": "walk", "new": True}], ids=str)
def test_pages_that_may_not_be_results_are_skipped(
    options: dict[str, Any], sample_web: Graph
) -> None:
    allowed = np.arange(len(sample_web)) % 3 == 0
    pages = list(range(0, len(sample_web), 50))
    asker = sample_web.asker(**options, limit=3)
    block = ask_many(asker, np.array(pages, np.uint32), allowed=allowed)
    everything = one_by_one(sample_web, pages, **options, limit=100_000)
    for (above, urls, scores), listed in zip(everything, block.lists(), strict=True):
        del above
        rows = [
            (page, score, "")
            for url, score in zip(urls, scores, strict=True)
            if allowed[page := sample_web.page(url)]
        ]
        assert listed == rows[:3]


def test_pages_may_come_in_any_order_and_twice(sample_web: Graph) -> None:
    assert_same(sample_web, [90, 3, 90, 700, 4], by="companion")


def test_no_page_has_no_answer(sample_web: Graph) -> None:
    block = ask_many(sample_web.asker("walk"), np.empty(0, np.uint32))
    assert (len(block.ends), len(block.pages), len(block.answered_for)) == (0, 0, 0)


@pytest.mark.parametrize("memory", [1 << 10, 60_000])
def test_each_question_has_its_own_small_memory_limit(memory: int, sample_web: Graph) -> None:
    pages = list(range(0, len(sample_web), 9))
    for by in ("cocitation", "companion"):
        block = ask_many(sample_web.asker(by), np.array(pages, np.uint32), memory=memory)
        rows = rows_of(sample_web, block)
        for page, row in zip(pages, rows, strict=True):
            if page in block.failed:
                assert "memory" in block.failed[page]
                assert row[1] == []
            else:
                assert row == one_by_one(sample_web, [page], by=by, memory=memory)[0]


def test_progress_ends_with_all_pages(sample_web: Graph) -> None:
    seen: list[int] = []
    ask_many(sample_web.asker("walk"), np.arange(40, dtype=np.uint32), progress=seen.append)
    assert seen == [16, 32, 40]


@dataclass(frozen=True)
class Backwards(Cocitation):
    """Another `find`, for which cocitation's loop must not be used."""

    name: ClassVar[str] = "backwards"

    def find(self, question: Question) -> Candidates:
        found = super().find(question)
        found.scores = 1 / found.scores
        return found


def test_a_method_made_from_another_is_not_answered_by_its_loop() -> None:
    graph = graph_of("a -> tea coffee milk", "b -> coffee tea", "c -> tea coffee milk")
    assert_same(graph, list(range(len(graph))), by=Backwards())
