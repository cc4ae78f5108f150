"""HITS against its definition and networkx."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given

from tests.graphs import graph_of
from tests.ranks.definitions import assert_scores, built, scores_by_name, web
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists
from whatsrelated.ranks import hits
from whatsrelated.ranks.link_matrix import LinkMatrix
from whatsrelated.ranks.vectors import Floats


@pytest.mark.parametrize("tolerance", [1e-6, 1e-10])
@given(lists=link_lists())
def test_hits_is_its_definition(lists: LinkLists, tolerance: float) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("hits", tolerance=tolerance)
    assert_scores(graph, ranking, reference.hits(plain, 1e-13, 20_000), 100 * tolerance)


def test_hits_agrees_with_networkx() -> None:
    lines = ("a -> b c d", "b -> c", "d -> c a", "e -> d c", "f -> a e")
    graph = graph_of(*lines)
    whole = nx.DiGraph(
        (line[0], target) for line in lines for target in line.partition("->")[2].split()
    )
    hubs, authorities = nx.hits(whole, tol=1e-14)
    ranking = graph.rank("hits", tolerance=1e-12)
    for expected, scores in ((authorities, ranking.scores), (hubs, ranking.hubs)):
        length = math.sqrt(sum(score**2 for score in expected.values()))
        assert scores_by_name(graph, scores) == pytest.approx(
            {page: score / length for page, score in expected.items()}, abs=1e-8
        )


def test_parts_that_are_linked_as_densely_lose_nothing_early() -> None:
    # Three parts for which LᵀL has the eigenvalue 4, and one that converges slowly.
    graph, plain = built(
        {
            "h0": ["a0", "a1", "a2", "a3"],
            **{key: ["a4", "a5"] for key in ("h1", "h2")},
            **{key: ["a6"] for key in ("h3", "h4", "h5", "h6")},
            "s1": ["t1", "t7"],
            "s3": ["t3"],
            "s4": ["t0", "t1", "t4"],
            "s5": ["t2", "t3", "t8"],
            "s6": ["t2"],
            "s7": ["t1", "t5"],
            "s8": ["t8"],
            "s9": ["t8"],
        }
    )
    assert_scores(graph, graph.rank("hits"), reference.hits(plain, 1e-14), 1e-8)


def test_the_last_round_is_computed_from_the_scores_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    multiply, vectors = LinkMatrix.multiply, []

    def watched(links: LinkMatrix, x: Floats, out: Floats) -> None:
        vectors.append(x.copy())
        multiply(links, x, out)

    monkeypatch.setattr(LinkMatrix, "multiply", watched)
    monkeypatch.setattr(hits, "_remarks", lambda *_: [])
    ranking = web("plain").rank("hits")
    last, _, scores = vectors[-3:]  # two products in the last round, one for the hubs
    assert np.abs(scores - last).sum() == pytest.approx(ranking.residual)
    assert len(vectors) == 2 * ranking.rounds + 1


def test_parts_that_are_almost_as_dense_take_few_rounds() -> None:
    lists = {f"h{i}": [f"a{j}" for j in range(30)] for i in range(30)}
    lists |= {f"g{i}": [f"b{j}" for j in range(30)] for i in range(30)}
    lists["g0"].pop()
    ranking = built(lists)[0].rank("hits")
    assert ranking.rounds < 20  # power iteration takes more than 300
    assert ranking["b0"] < 1e-10 < ranking["a0"]


def test_equally_dense_parts_are_reported_as_not_unique() -> None:
    graph = graph_of("a -> x y", "b -> x y", "c -> p q", "d -> p q", "e -> z")
    for tolerance in (1e-3, 1e-6):
        assert "not unique" in graph.rank("hits", tolerance=tolerance).notes[0]
    unfinished = graph.rank("hits", max_rounds=1, accept=True)
    assert not any("not unique" in note for note in unfinished.notes)
    parts = graph.rank("hits")
    assert "not unique" in parts.notes[0]
    assert parts.notes[1].startswith(
        "Pages that have links to them but score below the tolerance: 1 of 5."
    )
    joined = graph_of("a -> x y", "b -> x y p", "c -> p q", "d -> p q").rank("hits")
    assert joined.notes == ()


def test_a_part_that_is_nearly_as_dense_leaves_the_scores_unique() -> None:
    lists = {f"h{i}": [f"a{j}" for j in range(30)] for i in range(30)}
    lists |= {f"g{i}": [f"b{j}" for j in range(30)] for i in range(30)}
    assert "not unique" in built(lists)[0].rank("hits").notes[0]
    lists["g0"].pop()
    notes = built(lists)[0].rank("hits").notes
    assert not any("not unique" in note for note in notes)


@given(lists=link_lists())
def test_scores_are_called_unique_if_the_largest_eigenvalue_is_simple(lists: LinkLists) -> None:
    graph, plain = built(lists)
    assume(graph.n_links)
    ranking = graph.rank("hits", max_rounds=3000, accept=True)
    assume(ranking.converged)
    first, second, *_ = reference.densities(plain)
    simple = first - second > 1e-6
    assume(simple or first - second < 1e-12 * first + 1e-12)
    assert any("not unique" in note for note in ranking.notes) != simple
