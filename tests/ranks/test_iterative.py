"""When an iteration ends, and what is reported about it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.errors import NotConverged
from whatsrelated.ranks.iterative import Convergence


@pytest.mark.parametrize(
    ("residual", "converged", "ended"), [(0.09, True, True), (0.1, False, False), (5, False, False)]
)
def test_it_converges_below_the_tolerance(residual: float, converged: bool, ended: bool) -> None:
    convergence = Convergence("any", tolerance=0.1, max_iterations=2)
    convergence.record(residual)
    assert (convergence.converged, convergence.ended) == (converged, ended)
    assert convergence.remaining == 1
    convergence.record(residual)
    assert convergence.remaining == 0
    assert convergence.ended


@pytest.mark.parametrize(("tolerance", "dtype"), [(1e-6, np.float32), (9e-7, np.float64)])
def test_single_precision_is_enough_for_a_millionth(tolerance: float, dtype: type) -> None:
    assert Convergence("any", tolerance, 1).dtype is dtype


def test_not_converging_is_an_error_with_the_last_change() -> None:
    graph = graph_of("a -> b c", "b -> c a", "c -> a")
    with pytest.raises(
        NotConverged, match=r"^pagerank: round 3 still .* accept the scores"
    ) as caught:
        graph.rank("pagerank", max_rounds=3)
    assert caught.value.rounds == 3
    assert caught.value.residual > 1e-10
    accepted = graph.rank("pagerank", max_rounds=3, accept=True)
    assert (accepted.rounds, accepted.residual) == (3, caught.value.residual)
    assert not accepted.converged
    assert "still change by" in accepted.notes[0]
    assert accepted.scores.sum() == pytest.approx(1)


def test_progress_reports_the_iterations_and_the_change() -> None:
    lines: list[tuple[str, int, int | None]] = []
    graph = graph_of("a -> b c", "b -> c")
    ranking = graph.rank("pagerank", progress=lambda *line: lines.append(line))
    assert [done for _, done, _ in lines] == list(range(1, ranking.rounds + 1))
    assert lines[-1][0] == f"pagerank, change {ranking.residual:.1e}, round"
