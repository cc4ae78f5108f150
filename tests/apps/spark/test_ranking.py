"""Ranks computed range by range are those of one machine, to its tolerance."""

from __future__ import annotations

import numpy as np
import pytest

import whatsrelated as wr
from tests.apps.spark.here import no_cluster
from tests.apps.spark.test_building import write_lists
from whatsrelated.apps import spark
from whatsrelated.errors import NotConverged, OptionError
from whatsrelated.ranks import RANKS, cache

TOLERANCE = 1e-8


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> wr.Graph:
    folder = tmp_path_factory.mktemp("rank")
    return wr.build(write_lists(folder, 4), folder / "one.graph")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pagerank", {}),
        ("pagerank", {"damping": 0.6, "teleport": ("Name 1", "Name 2")}),
        ("hubrank", {}),
        ("hubrank", {"bias": "in", "matrix": "transposed"}),
        ("mbcc", {}),
        ("hits", {}),
    ],
)
def test_scores_are_those_of_one_machine(
    graph: wr.Graph, name: str, options: dict[str, object]
) -> None:
    one = RANKS[name](**options, tolerance=TOLERANCE).compute(graph.store)
    with no_cluster() as session:
        many = spark.rank(
            session,
            graph,
            name,
            partitions=5,
            tolerance=TOLERANCE,
            **options,  # type: ignore[arg-type]
        )
    assert np.abs(one.scores - many.scores).sum() < 20 * TOLERANCE
    if one.hubs is not None:
        assert many.hubs is not None
        assert np.abs(one.hubs - many.hubs).sum() < 20 * TOLERANCE
    assert cache.read(graph.store, many.by) is not None


def test_scores_that_do_not_converge_are_an_error_and_are_not_stored(graph: wr.Graph) -> None:
    with no_cluster() as session:
        with pytest.raises(NotConverged, match="round 2 still"):
            spark.rank(session, graph, "pagerank", max_rounds=2)
        accepted = spark.rank(session, graph, "pagerank", max_rounds=2, accept=True)
    assert accepted.notes
    assert accepted.scores.sum() == pytest.approx(1, abs=0.2)
    assert cache.read(graph.store, accepted.by) is None


def test_a_rank_of_one_machine_is_named_as_such(graph: wr.Graph) -> None:
    with no_cluster() as session, pytest.raises(OptionError, match="in-degree does not run"):
        spark.rank(session, graph, "in-degree")
