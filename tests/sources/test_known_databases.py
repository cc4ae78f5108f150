"""Databases of known programs; the examples are made by hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.sources import links_of, read
from whatsrelated.errors import ReadError

ORG_ROAM = """
CREATE TABLE files (file UNIQUE PRIMARY KEY, title, hash NOT NULL, atime NOT NULL, mtime NOT NULL);
CREATE TABLE nodes (id NOT NULL PRIMARY KEY, file NOT NULL, level NOT NULL, pos NOT NULL, todo,
  priority, scheduled text, deadline text, title, properties, olp);
CREATE TABLE aliases (node_id NOT NULL, alias);
CREATE TABLE links (pos NOT NULL, source NOT NULL, dest NOT NULL, type NOT NULL, properties);
"""


def org_roam(path: Path) -> Path:
    database = sqlite3.connect(path)
    database.executescript(ORG_ROAM)
    nodes = [("1", "Tea"), ("2", 'Milk \\"hot\\"'), ("3", "Same"), ("4", "Same")]
    for number, title in nodes:
        row = f'"{number}"', f'"{title}"'
        database.execute(
            "INSERT INTO nodes (id, file, level, pos, title) VALUES (?, '', 0, 1, ?)", row
        )
    links = [
        (30, "1", "3", "id"),
        (20, "1", "2", "id"),
        (40, "1", "//tea.example/x", "https"),
        (50, "1", "gone", "id"),
        (60, "1", "roe01", "cite"),
        (10, "2", "1", "id"),
        (10, "9", "1", "id"),
    ]
    for place, source, target, kind in links:
        row = place, f'"{source}"', f'"{target}"', f'"{kind}"'
        database.execute("INSERT INTO links (pos, source, dest, type) VALUES (?, ?, ?, ?)", row)
    database.commit()
    database.close()
    return path


def test_an_org_roam_database_is_read_without_options(tmp_path: Path) -> None:
    source = read(org_roam(tmp_path / "org-roam.db"))
    pages = list(source)
    assert links_of(pages) == [
        ("Tea", 'Milk "hot"'),
        ("Tea", "3"),
        ("Tea", "https://tea.example/x"),
        ("Tea", "gone"),
        ('Milk "hot"', "Tea"),
    ]
    assert pages[0].title == "Tea"
    assert source.counts["org-roam"]["links that do not lead to pages left out"] == 2


def test_a_database_of_apple_notes_is_named(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "NoteStore.sqlite")
    database.execute("CREATE TABLE ZICCLOUDSYNCINGOBJECT (source, target)")
    database.execute("CREATE TABLE ZICNOTEDATA (ZDATA)")
    database.commit()
    database.close()
    with pytest.raises(ReadError, match=r"Apple Notes.*has not published; export them"):
        list(read(tmp_path / "NoteStore.sqlite"))
