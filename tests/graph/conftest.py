"""A small graph on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph import PAGES
from whatsrelated import api


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The folder of a graph of five pages."""
    folder = tmp_path / "web.graph"
    api.build(PAGES, folder)
    return folder
