"""A shard has the answers of the whole graph for its pages."""

from __future__ import annotations

from typing import Any

import pytest

import whatsrelated as wr
from tests.apps.spark.here import Here
from tests.apps.spark.test_building import write_lists
from whatsrelated.apps.spark.answers import GraphFiles, decoded
from whatsrelated.apps.spark.shards import Answering, Requesting, Shipping, require_shardable
from whatsrelated.apps.spark.vectors import even_bounds
from whatsrelated.errors import OptionError


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> wr.Graph:
    folder = tmp_path_factory.mktemp("shards")
    return wr.build(write_lists(folder, 6), folder / "one.graph")


def rows(batches: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for batch in batches:
        found += zip(*(column.to_pylist() for column in batch.columns), strict=True)
    return found


@pytest.mark.parametrize("shards", [1, 3, 40])
@pytest.mark.parametrize(
    ("by", "options"),
    [
        ("cocitation", {"chop": False}),
        ("cocitation", {"chop": False, "parents": 7, "seed": 3, "site": "host"}),
        ("cpa", {"parents": 5}),
    ],
)
def test_the_answers_of_shards_are_those_of_the_whole(
    graph: wr.Graph, by: str, options: dict[str, Any], shards: int
) -> None:
    pa = pytest.importorskip("pyarrow")
    batch = graph.batch(by, limit=6, **options)
    require_shardable(graph, batch)
    assert graph.store.path is not None
    files = GraphFiles(str(graph.store.path), graph.store.fingerprint)
    bounds = even_bounds(graph.store.in_offsets, shards)
    count = len(bounds) - 1
    here = Here()
    asked = Requesting(files, bounds, batch.method.parents, options.get("seed", 0))  # type: ignore[attr-defined]
    sent = here.first_stage(here, count, asked)
    sent = here.next_stage(sent, count, Shipping(files, bounds))
    sent = here.next_stage(sent, count, Answering(files, bounds, batch))
    blobs = pa.record_batch([pa.array([data for *_, data in sorted(sent)], pa.binary())], ["data"])
    found = rows(decoded(iter([blobs])))
    expected = rows(graph.related_all(by, limit=6, **options))
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
    assert len(expected) > 300


def test_a_query_that_reads_more_than_parents_is_rejected(graph: wr.Graph) -> None:
    for by, options, why in (
        ("companion", {}, "needs more than the parents' links"),
        ("cocitation", {}, "add --no-chop"),
        ("cpa", {"why": True}, "neither --why"),
    ):
        with pytest.raises(OptionError, match=why):
            require_shardable(graph, graph.batch(by, **options))  # type: ignore[arg-type]
