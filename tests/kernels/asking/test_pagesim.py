"""Pruned PageSim: the compiled loops agree with their twin, and lose no more than stated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels.asking.test_path_sums import NEVER, WHOLE, by_page, exact_scores, given_to
from tests.kernels.graphs import Arrays, arrays_of, graphs
from whatsrelated import kernels
from whatsrelated.kernels.asking import pagesim as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.pagesim.Scratch()
parts_lost = st.sampled_from([0.01, 0.05, 0.2, 0.5])


def bounds(graph: Arrays, radius: int, allowed: float, lost: float = 0.0) -> dict[str, Any]:
    return {
        "radius": radius,
        "allowed": allowed,
        "lost": lost,
        "most_parents": max(int(graph.degrees(to=True).max()), 1),
        "most_pages": 1 << 20,
        "halfway": NEVER,
        "deadline": NEVER,
    }


@compiled
@settings(max_examples=200)
@given(graphs(16, 90), st.data(), st.integers(1, 3), parts_lost)
def test_pruned_scores_equal_those_of_the_twin(
    graph: Arrays, data: st.DataObject, radius: int, allowed: float
) -> None:
    page = data.draw(st.integers(0, len(graph.rank) - 1))
    asked = (graph.rank, page, *given_to(graph, page, radius))
    bounded = bounds(graph, radius, allowed, 1e-4)
    ours = kernels.pagesim.similarities(scratch, graph.ours, *asked, **bounded)
    twin = plain.similarities(plain.Scratch(), graph.twin, *asked, **bounded)
    assert by_page(*ours[:2]) == pytest.approx(by_page(*twin[:2]))
    assert ours[2] == pytest.approx(twin[2])
    assert ours[3] == twin[3]


@settings(max_examples=200)
@given(graphs(16, 90), st.data(), st.integers(1, 3), parts_lost)
def test_no_score_loses_more_than_reported_or_allowed(
    graph: Arrays, data: st.DataObject, radius: int, allowed: float
) -> None:
    page = data.draw(st.integers(0, len(graph.rank) - 1))
    sources, amounts = given_to(graph, page, radius)
    whole = by_page(*exact_scores(graph, page, sources, amounts, radius)[:2])
    asked = (graph.rank, page, sources, amounts)
    pages, scores, lost, _, _, _ = kernels.pagesim.similarities(
        scratch, graph.ours, *asked, **bounds(graph, radius, allowed)
    )
    part = by_page(pages, scores)
    best = max(part.values(), default=0.0)
    assert sum(lost) <= allowed * best + 1e-12
    for other, score in whole.items():
        left_out = allowed * best / 100 if other not in part else 0.0
        assert -1e-12 <= score - part.get(other, 0.0) <= sum(lost) + left_out + 1e-12


def power_law(n: int, seed: int) -> Arrays:
    """A graph whose pages link mostly to a few, and some of which link to very many."""
    rng = np.random.default_rng(seed)
    degrees = np.minimum((rng.pareto(1.3, n) * 4).astype(int), n // 4)
    sources = np.repeat(np.arange(n), degrees)
    targets = (n * rng.random(len(sources)) ** 3).astype(int)
    return arrays_of(list(zip(sources.tolist(), targets.tolist(), strict=True)), n)


def test_on_a_large_graph_much_is_pruned_and_little_is_lost() -> None:
    graph = power_law(3000, 5)
    degrees = np.maximum(graph.degrees(), 1)
    in_degrees = graph.degrees(to=True)
    heavy_seen, shared = 0, []
    for page in np.argsort(-in_degrees, kind="stable")[[5, 50, 300, 900]].tolist():
        found, values, _, _ = kernels.path_sums.arrivals(
            graph.ours, page, 1.0, radius=3, rank=graph.rank, **WHOLE
        )
        sources = np.append(found, np.uint32(page))
        amounts = np.append(graph.rank[found] * values / degrees[found], graph.rank[page])
        order = np.argsort(-amounts, kind="stable")
        sources, amounts = sources[order], amounts[order]
        whole = by_page(*exact_scores(graph, page, sources, amounts, 3)[:2])
        pages, scores, lost, followed, _, _ = kernels.pagesim.similarities(
            scratch, graph.ours, graph.rank, page, sources, amounts, **bounds(graph, 3, 0.1)
        )
        part = by_page(pages, scores)
        best = max(part.values())
        assert followed < len(sources)
        assert sum(lost) <= 0.1 * best
        losses = [score - part[page] for page, score in whole.items() if page in part]
        assert min(losses) >= -1e-12
        assert max(losses) <= sum(lost)
        assert max(losses) > 0.05 * sum(lost)
        heavy_seen += max(losses) > 0
        top = sorted(whole, key=lambda page: (-whole[page], page))[:10]
        ours = sorted(part, key=lambda page: (-part[page], page))[:10]
        shared.append(len(set(top) & set(ours)))
    assert heavy_seen
    assert min(shared) >= 8
    assert sum(shared) >= 36
