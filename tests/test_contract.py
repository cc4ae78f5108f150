"""The contract of every method, ours or not: one line in the table adds a method to the tests."""

from __future__ import annotations

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.graphs import LinkLists, questions
from whatsrelated import api, sample
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.methods import METHODS, Method
from whatsrelated.options import declared_options
from whatsrelated.stream import Page
from whatsrelated.vicinity.quoting import quote

every_method = pytest.mark.parametrize("name", sorted(METHODS))


def graph_from(lists: LinkLists, *, backwards: bool = False) -> Graph:
    pages = [Page(page, links) for page, links in lists.items()]
    return Graph.from_pages(reversed(pages) if backwards else pages)


def listed(graph: Graph, query: str, name: str, **options: Any) -> list[tuple[str, float]]:
    answer = graph.related(query, by=name, chop=False, limit=1000, **options)
    return [(result.url, result.score) for result in answer]


@pytest.fixture(scope="module")
def sample_web() -> Graph:
    return Graph.from_pages(sample.pages())


@every_method
@settings(max_examples=25)
@given(question=questions())
def test_an_answer_is_sorted_without_repeats_and_without_the_query(
    name: str, question: tuple[LinkLists, str, frozenset[str]]
) -> None:
    lists, query, _ = question
    found = listed(graph_from(lists), query, name)
    pages = [page for page, _ in found]
    scores = [score for _, score in found]
    assert query not in pages
    assert len(set(pages)) == len(pages)
    largest = max(scores, default=1.0)
    assert all(a >= b - 1e-9 * largest for a, b in pairwise(scores))
    assert all(score == score and score >= 0 for score in scores)


@every_method
@settings(max_examples=25)
@given(question=questions())
def test_the_same_question_has_the_same_answer_in_whatever_order_pages_were_read(
    name: str, question: tuple[LinkLists, str, frozenset[str]]
) -> None:
    lists, query, _ = question
    graph = graph_from(lists)
    first = listed(graph, query, name)
    assert listed(graph, query, name) == first
    other = listed(graph_from(lists, backwards=True), query, name)
    assert [page for page, _ in other] == [page for page, _ in first]
    assert [score for _, score in other] == pytest.approx([score for _, score in first])


@every_method
@settings(max_examples=15)
@given(question=questions(), limit=st.integers(1, 4))
def test_a_shorter_answer_is_the_head_of_a_longer_one(
    name: str, question: tuple[LinkLists, str, frozenset[str]], limit: int
) -> None:
    lists, query, _ = question
    graph = graph_from(lists)
    answer = graph.related(query, by=name, chop=False, limit=limit)
    whole = listed(graph, query, name)
    assert [(result.url, result.score) for result in answer] == whole[:limit]


@every_method
def test_a_page_alone_has_an_empty_answer_with_its_reason(name: str) -> None:
    answer = graph_of("tea -> coffee", "alone").related("alone", by=name)
    assert len(answer) == 0
    assert answer.notes
    assert "alone" in " ".join(answer.notes)


@every_method
def test_a_graph_on_disk_answers_as_the_one_in_memory(
    name: str, sample_web: Graph, tmp_path: Path
) -> None:
    on_disk = api.build(sample.pages(), tmp_path / "web.graph")
    for query in ("https://www.nytimes.com/", "https://www.toyota.com/"):
        assert listed(on_disk, query, name) == listed(sample_web, query, name)


@every_method
def test_concurrent_threads_get_the_same_answers_as_one(name: str, sample_web: Graph) -> None:
    queries = list(map(sample_web.url, range(0, len(sample_web), 50)))
    alone = [listed(sample_web, query, name) for query in queries]
    with ThreadPoolExecutor(4) as pool:
        for turn in range(4):  # each from a different place, so that none follows another
            asked = queries[turn * 5 :] + queries[: turn * 5]
            together = pool.map(lambda query: listed(sample_web, query, name), asked)
            assert dict(zip(asked, together, strict=True)) == dict(zip(queries, alone, strict=True))


@every_method
def test_every_result_gives_its_reasons_in_a_sentence(name: str, sample_web: Graph) -> None:
    answer = sample_web.related("https://www.nytimes.com/", by=name)
    assert len(answer) == 10
    for result in answer:
        sentence = result.evidence["sentence"]
        assert sentence.endswith(".")
        assert "“The New York Times”" in sentence
        assert quote(result.url, result.title) in sentence
        assert "%" not in sentence
        named = [page["url"] for page in result.evidence["named"]]
        assert {"https://www.nytimes.com/", result.url} <= set(named)
    told = answer.as_dict(why=True)
    grade = ["grade"] if name == "blend" else []
    assert list(told["results"][0]) == ["url", "title", "score", *grade, "evidence"]
    assert json.loads(json.dumps(told))["details"] == answer.details


@every_method
def test_several_pages_are_answered_for_together(name: str, sample_web: Graph) -> None:
    asked = ["https://www.nytimes.com/", "https://www.theguardian.com/"]
    answer = sample_web.related(asked, by=name)
    assert answer.answered_for == asked
    assert len(answer) == 10
    assert not {result.url for result in answer} & set(asked)
    assert answer[0].evidence["sentence"]


@every_method
def test_every_bound_of_every_option_is_enforced(name: str) -> None:
    method = METHODS[name]
    for field, told in declared_options(method).items():
        for wrong in out_of_bounds(told):
            with pytest.raises(OptionError, match=f"^{name}: {field} must be "):
                method(**{field: wrong})


def out_of_bounds(told: Any) -> list[Any]:
    wrong: list[Any] = [object()]
    if told.choices or told.kind is bool or told.kind in (int, float):
        wrong.append("no such value")
    if told.low is not None:
        wrong.append(told.low - 1)
    if told.open_low:
        wrong.append(told.low)
    if told.high is not None:
        wrong.append(told.high + 1)
    if told.kind in (int, float):
        wrong += [float("nan"), float("inf"), True]
    if told.kind is int:
        wrong.append(1.5)
    return wrong


@every_method
def test_a_method_is_a_value(name: str) -> None:
    method = METHODS[name]
    made = method()
    assert made == method()
    assert hash(made) == hash(method())
    assert made.name == name
    assert dataclasses.replace(made) == made
    assert eval(repr(made), {method.__name__: method}) == made


@every_method
def test_an_unknown_option_lists_the_known_ones(name: str) -> None:
    graph = graph_of("a -> b c")
    with pytest.raises(OptionError, match=f"^{name} has no option 'colour'; it has: "):
        graph.related("b", by=name, colour="red")


def test_an_unknown_method_lists_the_known_ones() -> None:
    with pytest.raises(OptionError, match=r"No method 'magic'; choose from .*cocitation"):
        graph_of("a -> b c").related("b", by="magic")


def test_an_unknown_page_is_an_error_that_names_the_closest() -> None:
    graph = Graph.from_links([("https://example.org/", "https://example.com/tea")])
    with pytest.raises(PageNotFound, match=r"No page https://example.net/ .* the nearest is http"):
        graph.related("https://example.net/", by="cocitation")


def test_options_belong_to_the_name_or_to_the_value_not_to_both() -> None:
    graph = graph_of("a -> b c")
    value: Method = METHODS["cocitation"](parents=3)  # type: ignore[call-arg]
    assert [result.url for result in graph.related("b", by=value)] == ["c"]
    with pytest.raises(OptionError, match="already has its options"):
        graph.related("b", by=value, siblings=2)


@pytest.mark.parametrize(
    "asked", ["", " ", "\0", "x" * 10_000, "javascript:alert(1)", "https://", "http://[", "\ud800"]
)
def test_a_name_that_no_page_can_have_is_not_found(asked: str) -> None:
    with pytest.raises(PageNotFound, match=r"^No page "):
        graph_of("a -> b c").related(asked)


@pytest.mark.parametrize(
    ("asked", "said"), [(5, "got 5"), ([], "at least one"), ([b"a"], "got b'a'")]
)
def test_text_that_is_not_a_name_is_rejected(asked: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        graph_of("a -> b c").related(asked)


def test_an_absurd_number_is_rejected() -> None:
    with pytest.raises(OptionError, match="parents must be at most 9,007,199,254,740,992"):
        graph_of("a -> b c").related("b", by="cocitation", parents=10**30)
    assert len(graph_of("a -> b c").related("b", by="cocitation", stop="auto:0")) == 1
