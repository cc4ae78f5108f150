"""Gauss–Seidel: its bound, term by term, its groups, and what it saves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ranks.definitions import random_walk, web
from whatsrelated.api import Graph
from whatsrelated.ranks.convergence import Convergence
from whatsrelated.ranks.gauss_seidel import GaussSeidel, groups_of, solve, solve_error
from whatsrelated.ranks.operators import LinkMatrix, RandomWalk
from whatsrelated.ranks.parallel import Threads
from whatsrelated.stream import Page


def walk_on(graph: Graph, damping: float = 0.85, threads: int = 1) -> RandomWalk:
    return RandomWalk(LinkMatrix.of(graph.store, Threads(threads)), damping)


def degrees_of(walk: RandomWalk) -> Any:
    return np.maximum(walk.links.degrees(np.float64), 1)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", ["plain", "site", "hosts"])
def test_no_iteration_of_the_definition_changes_more_than_the_bound(
    kind: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.parallel.CHUNK", 64)
    graph = web(kind)
    walk = walk_on(graph, threads=threads)
    contributions = (walk.teleport(np.float32) / degrees_of(walk)).astype(np.float32)
    solver = GaussSeidel(walk, contributions)
    for _ in range(12):
        bound = solver.iterate()
        scores = contributions * degrees_of(walk)
        scores /= scores.sum()
        change = np.abs(random_walk(graph, scores, 1 / len(graph)) - scores).sum()
        assert bound / 20 < change < bound + 1e-7


def two_hosts(*links: tuple[int, int]) -> Graph:
    """The pages 0 to 3 on one host, 4 to 7 on another."""
    names = [f"http://h{page // 4}.org/{page}" for page in range(8)]
    targets = {page: [names[q] for p, q in links if p == page] for page in range(8)}
    return Graph.from_pages([Page(names[page], targets[page]) for page in range(8)])


# For each term of the bound a graph on which the others are not enough: what the definition
# changes is at least a fifth more than they make together.
TERMS = {
    "what has changed since it was read": (
        ((0, 2), (0, 6), (1, 7)),
        (0, 4, 2, 4, 3, 3, 0, 1),
        0.5,
    ),
    "what aggregation added after it was read": (
        ((1, 2), (2, 4), (2, 7), (3, 4), (4, 3), (6, 0), (6, 3)),
        (0, 7, 2, 0, 3, 6, 2, 8),
        0.85,
    ),
    "what aggregation added": (
        ((0, 4), (2, 3), (4, 5), (4, 7)),
        (0, 0, 3, 3, 1, 3, 3, 3),
        0.3,
    ),
    "what the jumps do not yet know": (
        ((3, 4),),
        (3, 1, 4, 4, 2, 3, 0, 3),
        0.3,
    ),
}


@pytest.mark.parametrize("term", TERMS)
def test_every_term_of_the_bound_is_needed(term: str) -> None:
    links, start, damping = TERMS[term]
    graph = two_hosts(*links)
    walk = walk_on(graph, damping)
    contributions = (np.array(start) / degrees_of(walk)).astype(np.float32)
    bound = GaussSeidel(walk, contributions).iterate()
    scores = contributions * degrees_of(walk)
    scores /= scores.sum()
    change = np.abs(random_walk(graph, scores, 1 / 8, damping) - scores).sum()
    assert 0.85 * bound < change < bound


def error_after(walk: RandomWalk, residual: Any, iterations: int) -> tuple[Any, float]:
    """The error after so many sweeps, as scores, and the residual that was recorded."""
    error = (residual / degrees_of(walk)).astype(np.float32)
    convergence = Convergence("any", 1e-3, iterations)
    solve_error(walk, error, 0.0, convergence)
    return error * degrees_of(walk), convergence.residual


def residual_of(graph: Graph, error: Any, residual: Any) -> float:
    """How far e is from d Lᵀ D⁻¹ e + r: without jumps, an iteration of the definition."""
    return float(np.abs(random_walk(graph, error, 0.0) + residual - error).sum())


@pytest.mark.parametrize("kind", ["plain", "hosts"])
def test_the_residual_of_a_correction_is_at_most_what_is_recorded(kind: str) -> None:
    graph = web(kind)
    residual = np.random.default_rng(4).normal(size=len(graph))
    for iterations in range(1, 9):
        error, recorded = error_after(walk_on(graph), residual, iterations)
        left = residual_of(graph, error, residual)
        assert recorded / 20 < left < recorded * (1 + 1e-4)


def test_the_residual_of_a_correction_is_what_is_recorded_where_every_read_is_outdated() -> None:
    chain = two_hosts(*((page, page + 1) for page in range(7)))
    residual = np.arange(1.0, 9.0)
    for iterations in range(1, 5):
        error, recorded = error_after(walk_on(chain), residual, iterations)
        assert recorded == pytest.approx(residual_of(chain, error, residual), rel=1e-5)
        assert recorded > 1


@pytest.mark.parametrize(
    ("hosts", "groups"),
    [
        (np.repeat([0, 1, 2], [4, 50, 6]), [0, 4, 54, 60]),  # the hosts
        (np.arange(130), [0, 64, 128, 130]),  # no host has several pages
        (np.repeat([0, 1], [10, 150]), [0, 10, 74, 138, 160]),  # a host is most of the graph
        (np.arange(0), [0]),
    ],
)
def test_groups_are_hosts_neither_too_small_nor_too_large(hosts: Any, groups: list[int]) -> None:
    assert groups_of(hosts).tolist() == groups


def test_it_ends_where_single_precision_gets_no_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whatsrelated.ranks.gauss_seidel.SINGLE", 0.0)
    convergence = Convergence("any", 1e-30, 10_000)
    solve(walk_on(web("hosts")), convergence)
    assert convergence.iterations < 1000
    assert convergence.residual < 1e-5


def test_aggregation_that_goes_too_far_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whatsrelated.ranks.gauss_seidel.OVERSHOOT", 1e6)
    monkeypatch.setattr("whatsrelated.ranks.gauss_seidel.MAX_GAIN", 1e6)
    convergence = Convergence("any", 1e-6, 10_000)
    solve(walk_on(web("hosts")), convergence)
    assert convergence.converged


def test_aggregation_saves_iterations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = web("hosts")
    rounds = graph.rank("pagerank", tolerance=1e-6, threads=1).rounds
    monkeypatch.setattr("whatsrelated.ranks.gauss_seidel.OVERSHOOT", 0.0)
    assert rounds < Graph(graph.store).rank("pagerank", tolerance=1e-6, threads=1).rounds - 2


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("kind", ["plain", "site", "hosts"])
@pytest.mark.parametrize("name", ["pagerank", "hubrank"])
def test_what_has_converged_satisfies_the_definition_in_half_of_the_iterations(
    name: str, kind: str, tolerance: float, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = web(kind)
    monkeypatch.setattr("whatsrelated.ranks.parallel.CHUNK", 64)
    ranking = graph.rank(name, tolerance=tolerance, threads=threads)
    scores = ranking.scores.astype(np.float64)
    degrees = graph.store.out_degree(np.arange(len(graph), dtype=np.uint32))
    teleport = 1 / len(graph) if name == "pagerank" else degrees / degrees.sum()
    after = random_walk(graph, scores, teleport)
    assert np.abs(after - scores).sum() < tolerance
    power_iteration = 1 + np.log(tolerance) / np.log(0.85)
    assert ranking.rounds < power_iteration / 2
