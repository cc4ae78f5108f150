"""Spark in a hostile folder, and ended by a signal."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.hostile.graphs import build_small, copy_of
from tests.hostile.processes import RELATED, related
from tests.hostile.test_code_execution import noted, plant
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.needs_system("openjdk-17-jre-headless")
MODULES = ("pyspark", "py4j", "numpy", "pyarrow", "pandas", "whatsrelated", "msgspec", "scipy")
MODULES += ("cloudpickle", "sitecustomize", "usercustomize", "resource", "socket", "zlib")
VERBS = {
    "build": ("build", "links.tsv", "-o", "new.graph"),
    "rank": ("rank", "-g", "web.graph"),
    "all": ("all", "-g", "web.graph", "--by", "cocitation", "-o", "out.parquet"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_spark_imports_nothing_from_the_current_folder(
    verb: str, small_graph: Path, tmp_path: Path
) -> None:
    copy_of(small_graph, tmp_path / "web.graph")
    (tmp_path / "links.tsv").write_text("a\tb\nb\ta\n")
    plant(tmp_path, *MODULES)
    done = related(
        *("spark", *VERBS[verb], "--master", "local[1]"),
        cwd=tmp_path,
        environment={"PLANTED": str(tmp_path / "planted")},
    )
    assert noted(tmp_path / "planted") == set()
    assert done.status == 0, done


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_rank_that_is_ended_leaves_nothing_beside_the_graph(
    number: signal.Signals, small_graph: Path, tmp_path: Path
) -> None:
    copy_of(small_graph, tmp_path / "web.graph")
    words = ("spark", "rank", "-g", "web.graph", "--master", "local[1]")
    process = subprocess.Popen(
        [*RELATED, *words, "--damping", "0.9999", "--tolerance", "1e-15", "--max-rounds", "100000"],
        cwd=tmp_path,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
    )
    eventually(lambda: list(tmp_path.glob("related-*/*")))
    process.send_signal(number)
    said = process.communicate(timeout=PATIENCE)[1].decode()
    assert process.returncode == 128 + number, said
    assert [path.name for path in tmp_path.iterdir()] == ["web.graph"]


ENDED = {
    "all": ("all", "-g", "web.graph", "--by", "cocitation", "-o", "out.parquet"),
    "build": ("build", "links.tsv", "-o", "new.graph"),
}


@pytest.mark.parametrize(("verb", "number"), [("all", signal.SIGTERM)])
def test_an_interrupted_job_leaves_no_files_and_no_traceback(
    verb: str, number: signal.Signals, tmp_path: Path
) -> None:
    build_small(tmp_path / "web.graph", pages=2000)
    (tmp_path / "links.tsv").write_text("".join(f"a{i}\tb{i * 7 % 5000}\n" for i in range(99_999)))
    before = set(tmp_path.rglob("*"))
    process = subprocess.Popen(
        [*RELATED, "spark", *ENDED[verb], "--master", "local[1]"],
        cwd=tmp_path,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    eventually(lambda: set(tmp_path.rglob("*")) != before)
    process.send_signal(number)
    said = process.communicate(timeout=PATIENCE)[1].decode()
    assert process.returncode == 128 + number, said
    assert "Traceback" not in said
    files = {path for path in set(tmp_path.rglob("*")) - before if path.is_file()}
    assert {path.name for path in files} <= {"lock"}, files
