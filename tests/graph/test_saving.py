"""A graph in memory, written to disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.graph import saving


@pytest.mark.parametrize("piece", [saving.PIECE, 1000])
def test_a_saved_graph_is_the_one_that_a_build_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(saving, "PIECE", piece)
    made = wr.Graph.from_pages(sample.pages())
    saved = made.save(tmp_path / "saved")
    built = wr.build(sample.pages(), tmp_path / "built")
    assert saved.store.path == tmp_path / "saved"
    assert saved.store.check() is None
    assert saved.store.fingerprint == built.store.fingerprint == made.store.fingerprint
    assert saved.store.arrays.keys() == built.store.arrays.keys()
    for name, values in built.store.arrays.items():
        assert np.array_equal(saved.store.arrays[name], values), name


def test_a_graph_is_saved_in_the_place_of_another_and_of_itself(tmp_path: Path) -> None:
    wr.Graph.from_links([("a", "b")]).save(tmp_path / "web.graph")
    graph = wr.Graph.from_links([("c", "d")]).save(tmp_path / "web.graph")
    assert list(graph.save(tmp_path / "web.graph")) == ["c", "d"]
    assert len(wr.Graph.from_links([]).save(tmp_path / "empty.graph")) == 0


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(wr.BuildError, match="is not empty"):
        wr.Graph.from_links([("a", "b")]).save(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["letter.txt"]
