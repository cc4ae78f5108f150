"""Numbers get the names that a names file gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import ReadError


def test_every_name_is_a_page(tmp_path: Path) -> None:
    names = write(tmp_path / "names", "a\nb\nc\nd\n")
    assert pages_of(read(write(tmp_path / "e", "0 1\n"), names_file=names)) == {"a", "b", "c", "d"}


def test_the_links_show_whether_names_start_at_0_or_1(tmp_path: Path) -> None:
    names = write(tmp_path / "names", "a\nb\nc\n")
    for text, links in [
        ("0 1\n", [("a", "b")]),
        ("3 1\n", [("c", "a")]),
        ("1 2\n2 0\n", [("b", "c"), ("c", "a")]),
    ]:
        assert links_of(read(write(tmp_path / "e", text), names_file=names)) == links
    undecided = write(tmp_path / "e", "1 2\n2 1\n")
    with pytest.raises(ReadError, match="do not show whether the first of 3 names is number 0 or"):
        links_of(read(undecided, names_file=names))
    assert links_of(read(undecided, names_file=names, options={"first_number": "1"}))[0] == (
        "a",
        "b",
    )
    assert links_of(read(undecided, names_file=names, options={"first_number": "0"}))[0] == (
        "b",
        "c",
    )


def test_a_format_that_knows_its_first_number_needs_no_hint(tmp_path: Path) -> None:
    names = write(tmp_path / "names", "a\nb\nc\n")
    matrix = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 1\n"
    path = write(tmp_path / "x.mtx", matrix)
    assert links_of(read(path, names_file=names)) == [("a", "b"), ("b", "a")]


def test_a_number_without_a_name_is_counted(tmp_path: Path) -> None:
    names = write(tmp_path / "names", "0\ta\n5\tb\n")
    source = read(
        write(tmp_path / "e", "0 5\n5 1\nx 0\n99 0\n"), names_file=names, format="columns"
    )
    assert links_of(source) == [("a", "b")]
    assert source.refused.counts == {"not a number": 1, "a number without a name": 2}


def test_two_pages_of_one_name_stay_two(tmp_path: Path) -> None:
    names = write(tmp_path / "names", "0\tHome\n1\tHome\n2\tb\n")
    source = read(write(tmp_path / "e", "0 2\n1 2\n"), names_file=names)
    assert links_of(source) == [("Home", "b"), ("Home#1", "b")]


def test_several_files_are_one_list(tmp_path: Path) -> None:
    parts = [
        write(tmp_path / "1", "id\tname\ttitle\n0\ta\tA\n1\tb\tB\n"),
        write(tmp_path / "2", "id\tname\ttitle\n2\tc\tC\n"),
    ]
    (batch,) = read(write(tmp_path / "e", "0 2\n"), names_file=parts)
    assert links_of([batch]) == [("a", "c")]
    assert batch.titles == {0: "A", 1: "B", 2: "C"}
    with pytest.raises(ReadError, match="Some names files have numbers"):
        read(write(tmp_path / "e", "0 2\n"), names_file=[parts[0], write(tmp_path / "3", "x\n")])
