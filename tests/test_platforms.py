"""A system without fcntl, fork, resource and sched_getaffinity builds, opens and asks a graph."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# What Windows lacks, and macOS in part; NumPy and SciPy are loaded before it goes.
LITTLE = """
import os, sys
import numpy, scipy.sparse
for module in ("fcntl", "resource"):
    sys.modules[module] = None
for function in ("fork", "sched_getaffinity", "sysconf"):
    delattr(os, function)
"""
ASK = """
import whatsrelated as wr
pages = [wr.Page("a", ["tea", "milk"]), wr.Page("b", ["tea", "milk"]), wr.Page("c", ["tea", "jam"])]
wr.build(pages, sys.argv[1])
graph = wr.open(sys.argv[1])
for method in ("cocitation", "companion", "blend"):
    print(method, graph.related("tea", by=method).results[0].url)
"""
RUN = """
from whatsrelated.cli import main
sys.argv = ["related", "to", "tea", "--graph", sys.argv[1], "--by", "cocitation"]
main()
"""


def run(script: str, path: Path) -> str:
    command = [sys.executable, "-c", LITTLE + script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr
    assert done.returncode == 0
    return done.stdout


def test_a_graph_is_built_opened_and_asked_where_the_system_has_little(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    assert run(ASK, path).splitlines() == ["cocitation milk", "companion milk", "blend milk"]
    assert "milk" in run(RUN, path)
