"""A real cluster: a master and two workers as processes, a job submitted, machines killed.

One job builds, ranks and answers, while an executor and then a worker are killed; the tests
compare what it left with what one machine gives.  RELATED_SPARK_KILLS=20 builds so many more
graphs by `related spark build`, and kills an executor in the middle of each.
"""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whatsrelated as wr
from tests.apps.spark import cluster as clusters
from tests.apps.spark.job import ANSWERS
from tests.apps.spark.test_building import require_equal, write_lists
from whatsrelated.apps.spark.answers import require_new
from whatsrelated.apps.spark.session import reason, require_java, require_master
from whatsrelated.errors import OptionError, SparkError
from whatsrelated.ranks import cache
from whatsrelated.ranks.pagerank import PageRank

needs_java = pytest.mark.needs_system("openjdk-17-jre-headless")
KILLS = int(os.environ.get("RELATED_SPARK_KILLS") or 0)
MAIN = Path(wr.__file__).parent / "__main__.py"
JOB = Path(__file__).parent / "job.py"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[clusters.Cluster]:
    with clusters.running(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def done(cluster: clusters.Cluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the job has done its work, though machines were lost."""
    folder = tmp_path_factory.mktemp("job")
    paths = write_lists(folder, 1)
    wr.build(paths, folder / "one.graph")
    with clusters.submitted(cluster, folder, JOB, folder, *paths) as job:
        clusters.eventually("runs should be left", partial(left, folder / "many.graph", "001", job))
        for pid in cluster.executors()[:1]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        clusters.eventually("keys should be left", partial(left, folder / "many.graph", "002", job))
        cluster.workers[0].kill()
        job.finish()
    return folder


def left(graph: Path, kind: str, job: clusters.Process) -> str | None:
    """Whether a build has left a file of a kind, or ended."""
    found = next(graph.glob(f".building-*/related-*/{kind}*.run"), None)
    built = (graph.parent / "built").exists() or (graph / "current").exists()
    return "found" if found or built or job.process.poll() is not None else None


@needs_java
def test_a_build_is_equal_though_an_executor_and_a_worker_are_killed(done: Path) -> None:
    require_equal(done / "one.graph", done / "many.graph")
    assert not list((done / "many.graph").glob(".building-*"))


@needs_java
def test_a_rank_is_that_of_one_machine_to_its_tolerance(done: Path) -> None:
    many = cache.read(wr.open(done / "many.graph").store, PageRank(tolerance=1e-3))
    assert many is not None
    one = PageRank(tolerance=1e-12).compute(wr.open(done / "one.graph").store)
    # What is left of the error after a change below the tolerance: d / (1 - d) of it at most.
    assert np.abs(many.scores - one.scores).sum() < 1e-3 * 0.85 / 0.15
    assert np.argmax(many.scores) == np.argmax(one.scores)


@needs_java
@pytest.mark.parametrize(
    ("file", "by", "options"),
    [
        ("shipped.parquet", "cocitation", {}),
        ("shards.parquet", "cocitation", {"chop": False}),
        ("why.jsonl", "companion", {"why": True}),
    ],
)
def test_every_answer_is_that_of_one_machine(
    done: Path, file: str, by: str, options: dict[str, Any]
) -> None:
    assert file in ANSWERS
    graph = wr.open(done / "one.graph")
    expected: list[dict[str, Any]] = []
    for batch in graph.related_all(by, limit=5, **options):
        expected += batch.to_pylist()
    assert len(expected) > 500
    assert (done / file / "_SUCCESS").exists()
    found = sorted(map(repr, rows_of(done / file)))
    assert found == sorted(repr(drop_none(row)) for row in expected)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a folder that Spark has written."""
    if folder.suffix == ".jsonl":
        lines = [line for part in folder.glob("part-*") for line in part.read_text().splitlines()]
        return [json.loads(line) for line in lines]
    parquet = pytest.importorskip("pyarrow.parquet")
    return [drop_none(row) for row in parquet.read_table(folder).to_pylist()]


def drop_none(row: dict[str, Any]) -> dict[str, Any]:
    """A row as in JSON: without missing values."""
    return {name: value for name, value in row.items() if value is not None}


@needs_java
@pytest.mark.skipif(not KILLS, reason="RELATED_SPARK_KILLS says how often")
def test_no_kill_of_an_executor_changes_a_byte(cluster: clusters.Cluster, tmp_path: Path) -> None:
    paths = write_lists(tmp_path, 2)
    wr.build(paths, tmp_path / "one.graph")
    if len(cluster.workers) - sum(one.process.poll() is not None for one in cluster.workers) < 2:
        cluster.add_worker()
    for number in range(KILLS):
        graph = tmp_path / f"many-{number}.graph"
        words = ("spark", "build", *paths, "-o", graph, "--partitions", 1 + number % 5)
        with clusters.submitted(cluster, tmp_path, MAIN, *words) as job:
            kind = f"00{1 + number % 7}"
            clusters.eventually(f"{kind} should be left", partial(left, graph, kind, job))
            for pid in cluster.executors()[:1]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            job.finish()
        require_equal(tmp_path / "one.graph", graph)


@needs_java
@pytest.mark.skipif(not KILLS, reason="RELATED_SPARK_KILLS says how often")
def test_a_lost_cluster_is_one_sentence_and_leaves_the_old_graph(tmp_path: Path) -> None:
    paths = write_lists(tmp_path, 3)
    graph = tmp_path / "web.graph"
    before = wr.build(paths[:1], graph).store.fingerprint
    with clusters.running(tmp_path) as lost:
        words = ("spark", "build", *paths, "-o", graph)
        with clusters.submitted(lost, tmp_path, MAIN, *words) as job:
            clusters.eventually("runs should be left", partial(begun, graph, job))
            assert lost.master is not None
            for process in (lost.master, *lost.workers):
                process.kill()
            assert job.process.wait(clusters.DEADLINE) == 2
            said = job.log.read_text(errors="replace")
    assert said.rstrip().endswith("the cluster's master and executors were lost; start it again.")
    assert "Traceback" not in said
    assert wr.open(graph).store.fingerprint == before


def begun(graph: Path, job: clusters.Process) -> str | None:
    """Whether a build has left its first file, or ended."""
    found = next(graph.glob(".building-*/related-*/001*.run"), None)
    return "found" if found or job.process.poll() is not None else None


def test_an_unreachable_master_is_one_sentence() -> None:
    with socket.socket() as bound:  # a port on which nothing listens
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(SparkError, match=rf"No Spark master at spark://127.0.0.1:{port}"):
            require_master(f"spark://127.0.0.1:{port}")
    with pytest.raises(SparkError, match="'mesos' is not a Spark master; use local"):
        require_master("mesos")


def test_a_missing_or_old_java_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkError, match="no Java was found in JAVA_HOME"):
        require_java()
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_392\"' >&2\n")
    java.chmod(0o755)
    with pytest.raises(SparkError, match=r"needs Java 17, but .*java is version 1\.8\.0_392"):
        require_java()


def test_an_existing_output_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").mkdir()
    with pytest.raises(OptionError, match="already exists"):
        require_new(tmp_path / "a.parquet")
    with pytest.raises(OptionError, match="the output must end in"):
        require_new(tmp_path / "a.xml")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            "An error occurred while calling o60.collectToPython.\n: org.apache.spark."
            "SparkException: Job aborted due to stage failure: Task 0 failed 4 times\n"
            "Caused by: java.io.IOException: No space left on device\n\tat x",
            "No space left on device",
        ),
        (
            "An exception was thrown from the Python worker.\nTraceback (most recent call last):\n"
            '  File "x.py", line 1\nOSError: [Errno 5] Input/output error: /shared/x\n',
            "[Errno 5] Input/output error: /shared/x",
        ),
    ],
)
def test_an_error_of_spark_becomes_its_cause(said: str, why: str) -> None:
    assert reason(RuntimeError(said)) == why
