"""A system without fcntl, fork, resource and sched_getaffinity builds, opens and asks a graph."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx

from tests.waiting import PATIENCE

# What Windows, and partly macOS, lacks; NumPy and SciPy are loaded first.
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
SERVE = """
from whatsrelated.cli import main
sys.argv = ["related", "serve", sys.argv[1], "--port", "0", *sys.argv[2:]]
main()
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


def test_a_graph_is_built_opened_and_queried_on_a_minimal_system(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    assert run(ASK, path).splitlines() == ["cocitation milk", "companion milk", "blend milk"]
    assert "milk" in run(RUN, path)


def test_a_graph_is_served_on_a_minimal_system(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    run(ASK, path)
    command = [sys.executable, "-c", LITTLE + SERVE, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        reply = httpx.get(f"{address}api/related", params={"url": "tea"}, timeout=PATIENCE).json()
        process.terminate()
        process.communicate()
    assert reply["results"][0]["url"] == "milk"
    more = subprocess.run([*command, "--workers", "2"], capture_output=True, text=True, check=False)
    assert more.returncode == 2
    assert "workers must be 1 on a system without fork, got 2" in more.stderr
