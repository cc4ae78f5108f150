"""`related spark`: its commands, with tasks that run here instead of on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import MagicMock, patch

import pytest
from click.testing import CliRunner

import whatsrelated as wr
from tests.apps.spark.here import Here, no_cluster
from tests.apps.spark.test_building import require_equal, write_lists
from whatsrelated.apps.spark.verb import command
from whatsrelated.errors import OptionError
from whatsrelated.ranks import cache
from whatsrelated.ranks.hubrank import HubRank


@contextmanager
def session(master: str | None, settings: dict[str, str]) -> Iterator[Here]:
    assert (master, settings) == ("local[2]", {"spark.executor.memory": "1g"})
    with no_cluster() as here:
        here.setLogLevel = MagicMock()  # type: ignore[attr-defined]
        yield here


def spark(*words: object) -> str:
    where = ("--master", "local[2]", "--conf", "spark.executor.memory=1g")
    with patch("whatsrelated.apps.spark.session", session):
        told = CliRunner().invoke(
            command, [str(word) for word in (*words, *where)], catch_exceptions=False
        )
    return told.stdout


def test_a_build_and_a_rank_report_their_results(tmp_path: Path) -> None:
    paths = write_lists(tmp_path, 5, files=2)
    graph = wr.build(paths, tmp_path / "one.graph")
    said = spark("build", *paths, "-o", tmp_path / "many.graph", "--partitions", 3)
    assert f"many.graph: {len(graph):,} pages, {graph.n_links:,} links" in said
    require_equal(tmp_path / "one.graph", tmp_path / "many.graph")
    said = spark("rank", "-g", tmp_path / "many.graph", "--by", "hubrank", "--tolerance", "0.001")
    assert "hubrank: " in said
    assert "related rank --by hubrank" in said
    many = wr.open(tmp_path / "many.graph")
    assert cache.read(many.store, HubRank(tolerance=0.001)) is not None


def test_a_setting_without_a_value_is_refused(tmp_path: Path) -> None:
    paths = write_lists(tmp_path, 5, files=1)
    with pytest.raises(OptionError, match=r"--conf must be NAME=VALUE, got 'spark\.x'"):
        spark("build", *paths, "-o", tmp_path / "many.graph", "--conf", "spark.x")
