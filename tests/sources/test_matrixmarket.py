"""MatrixMarket: an entry is a link, and any other file is an error."""

from __future__ import annotations

from pathlib import Path

import pytest
import scipy.io
import scipy.sparse

from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import ReadError


def test_files_written_by_scipy_are_read(tmp_path: Path) -> None:
    matrix = scipy.sparse.coo_array(([1.0, 2.0, 3.0], ([0, 2, 2], [1, 0, 1])), shape=(5, 4))
    scipy.io.mmwrite(tmp_path / "x.mtx", matrix)
    source = read(tmp_path / "x.mtx")
    assert not source.ordered
    assert set(links_of(source)) == {("1", "2"), ("3", "1"), ("3", "2")}
    assert pages_of(read(tmp_path / "x.mtx")) == {"1", "2", "3", "4", "5"}


def test_a_symmetric_matrix_links_both_ways(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate pattern symmetric\n% x\n3 3 2\n2 1\n3 1\n"
    links = links_of(read(write(tmp_path / "x", text)))
    assert set(links) == {("2", "1"), ("1", "2"), ("3", "1"), ("1", "3")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%%MatrixMarket matrix array real general\n2 2\n1\n", "only `matrix coordinate`"),
        ("%%MatrixMarket matrix coordinate pattern general\n", "size is missing"),
        ("%%MatrixMarket matrix coordinate pattern general\n2 x 1\n", "rows, columns and"),
        ("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n", "it has 1 of 3 entries"),
        ("%%MatrixMarket matrix coordinate pattern general\n9999999999 1 1\n", "a graph holds"),
    ],
)
def test_a_matrix_that_is_not_links_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=message):
        links_of(read(write(tmp_path / "x.mtx", text)))


def test_numbers_out_of_range_are_counted(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n0 3\n"
    source = read(write(tmp_path / "x", text))
    assert links_of(source) == [("1", "2")]
    assert source.refused.counts == {"number out of range": 1}
