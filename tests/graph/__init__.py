"""The small graph that the tests of disk and generations build, and its files."""

from __future__ import annotations

from pathlib import Path

from whatsrelated.stream import Page

PAGES = [
    Page("https://a.org/", ["https://b.org/", "https://c.org/x"], title="A"),
    Page("https://b.org/", ["https://c.org/x"]),
    Page("Tea", ["https://a.org/", "7"]),
]


def files_of(path: Path) -> list[Path]:
    """The files of a graph, without its lock."""
    return [file for file in sorted(path.rglob("*")) if file.is_file() and file.name != "lock"]
