"""A folder of data files is read file by file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from tests.sources import links_of, read, write
from whatsrelated.errors import ReadError


def formats_of(source: Any) -> list[str]:
    return source.provenance["formats"]


def test_the_parts_that_spark_writes_are_one_source(tmp_path: Path) -> None:
    folder = tmp_path / "links.csv"
    folder.mkdir()
    write(folder / "_SUCCESS", "")
    write(folder / "part-00000-ab.csv", "src,dst\na,b\n")
    write(folder / "part-00001-ab.csv", "src,dst\nb,c\n")
    source = read(folder)
    assert links_of(source) == [("a", "b"), ("b", "c")]
    assert formats_of(source) == ["columns"]
    assert links_of(read(folder, format="columns", options={"columns": "dst,src"}))[0] == ("b", "a")


def test_a_data_set_of_hugging_face_is_not_a_folder_of_notes(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "README.md", "---\nlicense: mit\n---\n# Set\n")
    for part in range(2):
        table = pyarrow.table({"url": [f"https://a/{part}"], "links": [[f"https://b/{part}"]]})
        parquet.write_table(table, tmp_path / f"data/train-0000{part}-of-00002.parquet")
    source = read(tmp_path)
    assert links_of(source) == [("https://a/0", "https://b/0"), ("https://a/1", "https://b/1")]
    assert formats_of(source) == ["parquet"]


def test_a_snapshot_of_papers_has_compressed_parts_and_a_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "works" / "updated_date=2026-01-01"
    folder.mkdir(parents=True)
    write(tmp_path / "works" / "manifest", "{}")
    work = {"id": "https://openalex.org/W1", "referenced_works": ["https://openalex.org/W2"]}
    write(folder / "part_000.gz", gzip.compress(json.dumps(work).encode()))
    assert links_of(read(tmp_path)) == [("https://openalex.org/W1", "https://openalex.org/W2")]


def test_files_without_links_are_counted(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", "src,dst\na,b\n")
    write(tmp_path / "b.json", '{"version": 1}')
    write(tmp_path / "c.csv", "src,dst\n")
    source = read(tmp_path)
    assert links_of(source) == [("a", "b")]
    assert source.refused.counts == {"files without links": 2}


def test_a_folder_with_other_files_is_not_a_folder_of_data(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", "src,dst\na,b\n")
    write(tmp_path / "b.py", "print()\n")
    with pytest.raises(ReadError, match="has no pages or notes"):
        read(tmp_path)
