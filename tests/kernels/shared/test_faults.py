"""If a file is truncated while it is read, the command ends with a sentence, not a signal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import LINKS
from whatsrelated import api, kernels

SCRIPT = """
import os, sys
from whatsrelated.cli.parameters import GraphChoice
graph = GraphChoice(sys.argv[1]).open()
file = graph.store.path / "generation-000001" / "out.links.npy"
links = graph.store.out_links
os.truncate(file, 0)
print(links[-1])
"""


@pytest.mark.skipif(kernels.in_use() == "plain", reason="the twins cannot catch a signal")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cuts no mapped file short")
def test_a_command_whose_graph_is_truncated_exits_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text(LINKS)
    api.build([tmp_path / "links.tsv"], tmp_path / "web.graph")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "web.graph")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("related: a file of the graph was cut short")
    assert done.stderr.count("\n") == 1
