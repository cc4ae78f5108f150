"""A graph on disk for jobs of several parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatsrelated import api, sample
from whatsrelated.api import Graph


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return api.build(sample.pages(), tmp_path_factory.mktemp("web") / "web.graph")


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out"
