"""LLI against its definition, and on graphs worked by hand."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.against import assert_same, graph_from
from tests.methods.page_sources import SOURCE
from tests.methods.twins import Asked
from tests.reference.graphs import questions
from tests.reference.lli import lli
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.contract.sampling import draw


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


@given(
    questions(max_pages=26),
    st.fixed_dictionaries(
        {
            **SOURCE,
            "threshold": st.sampled_from([0.0, 0.5, 1.0]),
            "gap": st.sampled_from([0.0, 0.2, 0.5, 1.0]),
            "gap_forward": st.sampled_from([0.1, 0.5]),
            "min_rank": st.integers(1, 3),
            "union": st.sampled_from(["places", "similarity"]),
        }
    ),
)
def test_lli_is_what_its_definition_says(asked: Asked, options: dict[str, Any]) -> None:
    lists, query, stop = asked
    plain = PlainGraph(lists, draw=draw)
    options["threshold"] = max(0.0, options["threshold"] - 1e-7)
    wanted = lli(plain, query, stop=stop, **options)
    answer = graph_from(lists).related(
        query, by="lli", chop=False, limit=1000, stop=stop, **options
    )
    assert {result.url for result in answer} == set(wanted.scores)
    for result in answer:
        for name, half in (("back", wanted.back), ("forward", wanted.forward)):
            told = result.evidence[name]
            if told is None:
                assert result.url not in half.similarity
                continue
            assert (told["k"], told["r"]) == (half.k, half.r)
            assert told["similarity"] == pytest.approx(half.similarity[result.url], abs=1e-8)
            assert told["bcp"] == pytest.approx(half.bcp[result.url])
            assert told["dd"] == pytest.approx(half.dd[result.url])
    assert_same(answer, plain, wanted.scores, wanted.ties)


def test_lli_similarities_by_hand_on_two_parents() -> None:
    # A = [[1, 1], [1, 0]] (a, b) is of full rank, so R.u' = A (A'A)^(1/2) 1, and
    # (A'A)^(1/2) = [[3, 1], [1, 2]] / sqrt 5.
    graph = graph_of("p -> u a b", "q -> u a")
    answer = graph.related("u", by="lli")
    query = np.array([4.0, 3.0]) / sqrt(5)
    told = {result.url: result.evidence["back"] for result in answer}
    length = np.linalg.norm(query)
    assert told["a"]["similarity"] == pytest.approx(query.sum() / (sqrt(2) * length), abs=1e-12)
    assert told["b"]["similarity"] == pytest.approx(query[0] / length, abs=1e-12)
    assert [(told[page]["bcp"], told[page]["k"], told[page]["r"]) for page in "ab"] == [
        (1.0, 2, 2),
        (0.5, 2, 2),
    ]
    assert told["b"]["dd"] == pytest.approx(1 - 1 / 1.5)
    assert (
        answer[0].evidence["sentence"]
        == "“q” and “p”, the only two pages that link to “u”, also link to “a”."
    )


def test_lli_joins_its_halves_by_their_places() -> None:
    graph = graph_of("p -> u a b", "q -> u a", "u -> c d", "b -> c d", "e -> d")
    answer = graph.related("u", by="lli")
    assert [result.url for result in answer] == ["b", "a", "e"]
    assert answer[0].score == pytest.approx(1 / 62 + 1 / 61)


@pytest.mark.parametrize(
    "lines",
    [
        ("p -> u a",),  # rank 1: a single column
        ("p -> u a", "q -> u a", "r -> u a"),  # rank 1: equal columns
        ("p -> u", "q -> u b"),  # a column of nothing
    ],
)
def test_a_matrix_of_rank_one_answers(lines: tuple[str, ...]) -> None:
    answer = graph_of(*lines).related("u", by="lli")
    assert len(answer) == 1
    assert answer[0].evidence["back"]["k"] == answer[0].evidence["back"]["r"] == 1
    assert answer[0].evidence["back"]["similarity"] == pytest.approx(1)


def test_a_matrix_of_rank_zero_leaves_its_half_empty() -> None:
    graph = graph_of("p -> u", "q -> u", "u -> c", "v -> c")
    answer = graph.related("u", by="lli")
    assert [result.url for result in answer] == ["v"]
    assert answer.details["back_rank"] == {"k": 0, "r": 0}
    assert answer.details["forward_rank"] == {"k": 1, "r": 1}
    nothing = graph_of("p -> u").related("u", by="lli")
    assert nothing.details["back_rank"] == nothing.details["forward_rank"] == {"k": 0, "r": 0}
    assert nothing.notes == ["the pages that link to u link to no other page, and it has no links"]


def test_a_given_rank_is_at_most_that_of_the_matrix() -> None:
    graph = graph_of("p -> u a b", "q -> u a", "r -> u b c")
    for rank, k in ((1, 1), (2, 2), (9, 3)):
        answer = graph.related("u", by="lli", rank=rank)
        assert answer[0].evidence["back"]["k"] == k
    for result in graph.related("u", by="lli", rank=1):
        assert result.evidence["back"]["similarity"] == pytest.approx(1)
