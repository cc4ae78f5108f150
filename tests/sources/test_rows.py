"""One page's links per line: rows that name their page, and bare rows."""

from __future__ import annotations

from pathlib import Path

from tests.sources import links_of, pages_of, read, write


def test_each_row_names_its_page(tmp_path: Path) -> None:
    path = write(tmp_path / "adj_list", "0: 5 2 -1\n1: -1\n2: 0\n9: -1\n4: 4 -1\n")
    source = read(path)
    assert [type(reader).__name__ for _, reader in source.parts] == ["RowsReader"]
    assert links_of(source) == [("0", "5"), ("0", "2"), ("2", "0")]
    assert pages_of(read(path)) == {"0", "1", "2", "4", "5", "9"}


def test_a_sparse_matrix_has_a_header(tmp_path: Path) -> None:
    path = write(tmp_path / "x.dat", "SparseMatrix: 3 by 3\nrow 0: 2 1 -1\nrow 1: -1\n")
    assert links_of(read(path)) == [("0", "2"), ("0", "1")]


def test_a_bare_row_is_the_page_of_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", "1 2 3\n\n0\n\n\n")
    assert links_of(read(path)) == [("0", "1"), ("0", "2"), ("0", "3"), ("2", "0")]
    assert pages_of(read(path)) == {"0", "1", "2", "3", "4"}


def test_a_tab_divides_a_page_from_its_links(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", "7\t1 2 3\n8\t\n1\t7\n" * 3)
    source = read(path)
    assert source.parts[0][1].about(source.parts[0][0]) == "each line names its page"
    assert links_of(source)[:4] == [("7", "1"), ("7", "2"), ("7", "3"), ("1", "7")]
    pairs = write(tmp_path / "y.txt", "7\t1\n8\t2\n")
    assert read(pairs).parts[0][1].name == "columns"


def test_a_bad_row_keeps_its_number(tmp_path: Path) -> None:
    source = read(write(tmp_path / "x.txt", "1 2 3\n1 x\n\n0\n"), format="rows")
    assert links_of(source) == [("0", "1"), ("0", "2"), ("0", "3"), ("3", "0")]
    assert source.refused.counts == {"not a number": 1}
