"""A folder of plain arrays is read in its order; other tests cover damage."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.sources import links_of, read
from whatsrelated.errors import ReadError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """tea -> milk, tea -> jam, jam -> tea."""
    np.save(tmp_path / "offsets.npy", np.array([0, 2, 2, 3]))
    np.save(tmp_path / "links.npy", np.array([1, 2, 0], np.uint32))
    (tmp_path / "names.txt").write_text("tea\nmilk\njam\n")
    (tmp_path / "titles.txt").write_text("Tea\n\nJam\n")
    return tmp_path


@pytest.mark.parametrize("memory", [1, 1 << 20])
def test_arrays_are_links_with_names_and_titles(folder: Path, memory: int) -> None:
    batches = list(read(folder, memory=memory))
    assert links_of(batches) == [("tea", "milk"), ("tea", "jam"), ("jam", "tea")]
    assert len(batches) == (3 if memory == 1 else 1)
    assert batches[0].titles == {0: "Tea", 2: "Jam"}
    assert all(batch.titles == {} for batch in batches[1:])


def test_the_folder_records_whether_its_links_are_in_page_order(folder: Path) -> None:
    assert read(folder).ordered
    (folder / "graph.json").write_text(json.dumps({"ordered": False}))
    assert not read(folder).ordered


def test_names_are_needed(folder: Path) -> None:
    (folder / "names.txt").unlink()
    with pytest.raises(
        ReadError, match=r"names\.txt, which must accompany the arrays, cannot be read"
    ):
        list(read(folder))


@pytest.mark.parametrize("link", [-1, 3])
def test_a_link_to_a_page_that_does_not_exist_is_refused(folder: Path, link: int) -> None:
    np.save(folder / "links.npy", np.full_like(np.load(folder / "links.npy"), link, np.int64))
    with pytest.raises(ReadError, match="a link or an offset is out of range"):
        list(read(folder))


def test_more_titles_than_pages_are_refused(folder: Path) -> None:
    (folder / "titles.txt").write_text("Tea\n\nJam\nCup\n")
    with pytest.raises(ReadError, match=r"titles\.txt has 4 titles for 3 pages\."):
        list(read(folder))
