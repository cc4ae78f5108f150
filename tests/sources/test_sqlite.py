"""Rows of a database are links, and the database is only read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.sources import links_of, read, write
from whatsrelated.errors import OptionError, ReadError


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as made:
        made.executescript(
            """CREATE TABLE links (source TEXT, target TEXT, kind TEXT);
            INSERT INTO links VALUES ('a', 'b', 'x'), ('a', 'c', 'y');
            INSERT INTO links VALUES ('b', NULL, 'x'), (7, 8, 'x');
            CREATE TABLE pages (id INTEGER, name TEXT);
            INSERT INTO pages VALUES (1, 'a');"""
        )
    made.close()
    return path


def test_the_table_with_links_is_found_by_its_columns(database: Path) -> None:
    source = read(database)
    assert links_of(source) == [("a", "b"), ("a", "c"), ("7", "8")]
    assert source.refused.counts == {"empty name": 1}
    some = read(database, options={"where": "kind=x"})
    assert links_of(some) == [("a", "b"), ("7", "8")]


def test_a_table_and_columns_or_a_query_may_be_given(database: Path) -> None:
    back = read(database, options={"table": "links", "columns": "target,source"})
    assert links_of(back)[0] == ("b", "a")
    options = {"query": "SELECT source, target, 'T ' || source FROM links WHERE kind = 'y'"}
    (page,) = read(database, options=options)
    assert (page.url, page.links, page.title) == ("a", ("c",), "T a")


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"table": "nothing"}, ReadError, "has no table 'nothing'; it has: links"),
        ({"table": "pages"}, None, ""),
        ({"query": "DELETE FROM links"}, ReadError, "not authorized|readonly"),
        ({"query": "ATTACH DATABASE '/tmp/evil.db' AS e"}, ReadError, "not authorized"),
        ({"query": "PRAGMA writable_schema = 1"}, ReadError, "not authorized"),
        ({"query": "SELECT load_extension('x'), 1"}, ReadError, "not authorized"),
        ({"query": "SELECT 1"}, OptionError, "must select at least two columns"),
        ({"query": "SELEC"}, ReadError, "syntax error"),
    ],
)
def test_nothing_but_reading_is_allowed(
    database: Path, options: dict[str, str], error: type[Exception] | None, reason: str
) -> None:
    before = database.read_bytes()
    if error is None:
        assert links_of(read(database, options=options)) == [("1", "a")]
    else:
        with pytest.raises(error, match=reason):
            links_of(read(database, options=options))
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == ["x.db"]


def test_without_a_likely_table_the_tables_are_listed(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "y.db") as made:
        made.execute("CREATE TABLE t (x, y)")
    made.close()
    with pytest.raises(ReadError, match=r"name the table .* it has: t \(x, y\)"):
        links_of(read(tmp_path / "y.db"))


def test_a_damaged_database_is_an_error(database: Path, tmp_path: Path) -> None:
    whole = database.read_bytes()
    for cut in (20, 100, 600, len(whole) // 2):
        with pytest.raises(ReadError):
            links_of(read(write(tmp_path / "cut.db", whole[:cut])))
    crafted = whole[:100] + bytes(b ^ 0x55 for b in whole[100:])
    with pytest.raises(ReadError):
        links_of(read(write(tmp_path / "odd.db", crafted)))
