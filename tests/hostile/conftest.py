"""What the hostile tests share: small graphs, and a process that runs commands in forks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.graphs import build_small
from tests.hostile.processes import Forks


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Runs many commands in forks of one process."""
    running = Forks()
    yield running
    running.close()


@pytest.fixture(scope="session")
def small_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph with titles, anchors, words and cached ranks; copy it, never change it."""
    return build_small(tmp_path_factory.mktemp("small") / "web.graph")
