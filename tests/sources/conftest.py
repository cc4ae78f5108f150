"""Real Markdown folders, unpacked once from the archives beside the project; a list of links."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
import zstandard

from tests.conftest import SHARED
from tests.sources import write


def unpacked(archive: Path, folder: Path) -> Path:
    if not archive.exists():
        pytest.skip(f"needs {archive.name}")
    with zstandard.open(archive, "rb") as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # not before 3.11.4
        tar.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Obsidian's own help, a vault of 173 notes."""
    archive = SHARED / "data" / "obsidian_help" / "obsidian_help_en_markdown.tar.zst"
    return unpacked(archive, tmp_path_factory.mktemp("vault")) / "en"


@pytest.fixture(scope="session")
def mdn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MDN's content, 14,593 pages."""
    archive = SHARED / "data" / "mdn" / "mdn_content_en-us_markdown.tar.zst"
    return unpacked(archive, tmp_path_factory.mktemp("mdn")) / "files" / "en-us"


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    """Links between the numbers 1, 2 and 3."""
    return write(tmp_path / "edges.tsv", "src\tdst\n1\t2\n3\t1\n")
