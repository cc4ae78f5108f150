"""A verb that writes and is ended by a signal leaves nothing unfinished behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

import whatsrelated
from tests.hostile.graphs import build_small
from tests.hostile.processes import RELATED
from tests.waiting import PATIENCE

VERBS = {
    "gaps": ("gaps", "web.graph", "--report", "o.html"),
    "evaluate": (
        *("evaluate", "web.graph", "--hold-out", "0.3", "--by", "cocitation,companion"),
        *("--report", "o.html", "--per-query", "o.csv", "--save-runs", "o"),
    ),
    "all": ("all", "web.graph", "-o", "o.jsonl"),
    "all parquet": ("all", "web.graph", "-o", "o.parquet"),
    "export": ("export", "-g", "web.graph", "-o", "o.jsonl"),
    "export npy": ("export", "-g", "web.graph", "-o", "o.npy"),
    "site": ("site", "site", "--graph", "web.graph", "--data", "o.json"),
    "build": ("build", "links.tsv", "-o", "o.graph"),
    "update": ("update", "web.graph", "links.tsv"),
    "rank": ("rank", "-g", "web.graph", "--by", "hits", "--parquet", "o.parquet"),
    "diff": ("diff", "web.graph", "web.graph", "--by", "cocitation", "--report", "o.html"),
}
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STATUSES = {0, 1, 130, *(128 + number for number in ENDINGS)}
EARLY = {-number for number in ENDINGS}
"""Before the command has begun, a signal does what it does by default."""


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_that_is_ended_leaves_nothing_unfinished(verb: str, tmp_path: Path) -> None:
    build_small(tmp_path / "web.graph", 600)
    (tmp_path / "links.tsv").write_text("".join(f"{i}\t{i * 7 % 999}\n" for i in range(50_000)))
    (tmp_path / "site").mkdir()
    for page in range(60):
        text = f"<title>{page}</title><a href={page * 7 % 60}.html>x</a>"
        (tmp_path / "site" / f"{page}.html").write_text(text)
    draw = Random(verb)
    for number in ENDINGS * 2:
        shutil.rmtree(tmp_path / "o.npy", ignore_errors=True)
        process = subprocess.Popen(
            [*RELATED, *VERBS[verb]],
            cwd=tmp_path,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        time.sleep(draw.uniform(0.2, 1.2))
        process.send_signal(number)
        said = process.communicate(timeout=PATIENCE)[1].decode()
        assert process.returncode in STATUSES | EARLY, said
        assert process.returncode in EARLY or "Traceback" not in said
        left = [path.name for path in tmp_path.rglob("*") if ".related-" in path.name]
        left += [path.name for path in tmp_path.rglob(".building-*")]
        assert left == []
    assert len(whatsrelated.open(tmp_path / "web.graph")) >= 600
