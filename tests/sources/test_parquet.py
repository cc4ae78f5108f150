"""Parquet: links in two columns, or pages with lists of links."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sources import links_of, read
from whatsrelated.errors import MissingExtra, ReadError


def write_table(tmp_path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), tmp_path / "x.parquet", row_group_size=2)
    return tmp_path / "x.parquet"


def test_names_stand_in_two_columns(tmp_path: Path) -> None:
    path = write_table(
        tmp_path,
        src=["a", "b", None, "c", "a"],
        kind=["x", "y", "x", "x", "x"],
        dst=["é", "a", "b", "a", "b"],
    )
    source = read(path)
    assert links_of(source) == [("a", "é"), ("b", "a"), ("c", "a"), ("a", "b")]
    assert source.refused.counts == {"empty name": 1}
    small = read(path, memory=10, options={"where": "kind=x", "columns": "dst,src"})
    assert links_of(small) == [("é", "a"), ("a", "c"), ("b", "a")]


def test_whole_numbers_are_numbers(tmp_path: Path) -> None:
    path = write_table(tmp_path, a=np.array([1, -1, 3]), b=pa.array([2, 3, 4], pa.uint8()))
    source = read(path)
    assert links_of(source) == [("1", "2"), ("3", "4")]
    assert source.refused.counts == {"negative number": 1}


@pytest.mark.parametrize("ids", [[1, 2], ["x", "y"]])
def test_two_columns_with_other_names_are_not_links(ids: list[object], tmp_path: Path) -> None:
    path = write_table(tmp_path, id=ids, text=["Tea is hot.", "Milk is cold."])
    with pytest.raises(ReadError, match=r"columns id and text, .* --columns id,text"):
        links_of(read(path))
    assert len(links_of(read(path, options={"columns": "id,text"}))) == 2


def test_two_columns_of_addresses_are_links(tmp_path: Path) -> None:
    path = write_table(tmp_path, page=["https://a/"], hyperlink=["https://b/"])
    assert links_of(read(path)) == [("https://a/", "https://b/")]


def test_pages_have_lists_of_links(tmp_path: Path) -> None:
    path = write_table(
        tmp_path, url=["a", "b", "c"], links=[["b", "c"], None, ["a"]], title=["A", None, ""]
    )
    items = list(read(path))
    assert links_of(items) == [("a", "b"), ("a", "c"), ("c", "a")]
    assert [item.titles for item in items] == [{0: "A"}]


def test_missing_columns_are_named_with_the_existing_ones(tmp_path: Path) -> None:
    path = write_table(tmp_path, one=["a"], two=["b"], three=["c"])
    with pytest.raises(ReadError, match=r"no column 'src'; it has: one, two, three"):
        links_of(read(path, options={"columns": "src,dst"}))
    with pytest.raises(ReadError, match=r"has 3 columns \(one, two, three\); name the two"):
        links_of(read(path))
    with pytest.raises(ReadError, match="column x holds double"):
        links_of(read(write_table(tmp_path, x=[0.5], y=["a"])))


def test_a_cut_file_is_an_error(tmp_path: Path) -> None:
    path = write_table(tmp_path, src=["a"] * 1000, dst=["b"] * 1000)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ReadError, match="damaged or cut short"):
        links_of(read(path))


def test_without_its_package_it_names_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_table(tmp_path, src=["a"], dst=["b"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[parquet\]'"):
        links_of(read(path))


def test_a_folder_of_parquet_files_is_read_part_by_part(tmp_path: Path) -> None:
    folder = tmp_path / "links.parquet"
    (folder / "day=1").mkdir(parents=True)
    for name, source in {"part-1.parquet": "a", "day=1/part-0.parquet": "b"}.items():
        pq.write_table(pa.table({"source": [source], "target": ["c"]}), folder / name)
    (folder / "_SUCCESS").touch()
    (folder / "._SUCCESS.crc").touch()
    source = read(folder)
    assert sorted(links_of(source)) == [("a", "c"), ("b", "c")]
