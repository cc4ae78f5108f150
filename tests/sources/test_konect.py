"""KONECT's lists: the first line says how to read the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, pages_of, read, write


def test_a_symmetric_list_has_links_in_both_directions(tmp_path: Path) -> None:
    source = read(write(tmp_path / "out.x", "% sym unweighted\n% 2 3 3\n1 2\n2 3\n"))
    assert sorted(links_of(source)) == [("1", "2"), ("2", "1"), ("2", "3"), ("3", "2")]


def test_the_two_sets_of_a_bipartite_list_are_different_pages(tmp_path: Path) -> None:
    source = read(write(tmp_path / "out.x", "% bip unweighted\n1 1\n1 2\n2 1\n"))
    expected = [("left 1", "right 1"), ("left 1", "right 2"), ("left 2", "right 1")]
    assert sorted(links_of(source)) == expected
    assert pages_of(source) == {"left 1", "left 2", "right 1", "right 2"}


@pytest.mark.parametrize("rest", ["", " 1", " 1 1077490800", "\t-1\t1.5e9"])
def test_weights_and_times_need_no_option(rest: str, tmp_path: Path) -> None:
    source = read(write(tmp_path / "out.x", f"% asym posweighted\n1 2{rest}\n3 2{rest}\n"))
    assert links_of(source) == [("1", "2"), ("3", "2")]
    assert not source.refused.counts


def test_a_bad_line_is_counted(tmp_path: Path) -> None:
    text = "% sym unweighted\n" + "1 2\n" * 300 + "5\n"
    source = read(write(tmp_path / "out.x", text))
    assert sorted(set(links_of(source))) == [("1", "2"), ("2", "1")]
    assert sum(source.refused.counts.values()) == 1


@pytest.mark.parametrize(
    "text",
    ["% asym\na b\nb c\n", "% a comment\n1 2\n2 3\n", "1 2\n% sym\n2 1\n", "% symbols\n1 2\n"],
)
def test_a_list_that_konect_did_not_write_is_read_as_columns(text: str, tmp_path: Path) -> None:
    source = read(write(tmp_path / "links", text))
    assert [type(reader).__name__ for _, reader in source.parts] == ["ColumnsReader"]
