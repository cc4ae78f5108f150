"""A damaged or crafted file that an option names, or that was saved earlier, does no harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.saved_files import SavedFiles


@pytest.fixture(scope="module")
def saved(small_graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SavedFiles]:
    files = SavedFiles(small_graph, tmp_path_factory.mktemp("saved"))
    yield files
    files.close()


def test_every_kind_of_file_is_there(saved: SavedFiles) -> None:
    assert saved.missing == set()


def test_no_mutation_of_a_saved_file_does_harm(saved: SavedFiles) -> None:
    wrong = [f"{what}: {run}" for what, run in saved.runs(1) if not run.is_tidy]
    assert not wrong, "\n".join(wrong[:5])
