"""Databases of known programs, which are read without naming a table or a query.

org-roam keeps its values as Emacs Lisp prints them, strings in double quotes. A node is named by
its title, or by its id if several nodes have that title; `[[id:…]]` and addresses are links.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

_BARE = "substr({0}, 2, length({0}) - 2)"
"""SQL for a value without its quotes."""
_TEXT = f"replace(replace({_BARE}, '\\\"', '\"'), '\\\\', '\\')"
"""SQL for a string without its quotes and escapes."""


def _title(node: str) -> str:
    """SQL for the name of a node."""
    same = f"(SELECT count(*) FROM nodes AS other WHERE other.title = {node}.title)"
    title, number = _TEXT.format(f"{node}.title"), _BARE.format(f"{node}.id")
    return f"CASE {same} WHEN 1 THEN {title} ELSE {number} END"


class KnownDatabase(NamedTuple):
    """A program's database: the tables by which it is recognised, and its links or advice."""

    program: str
    tables: frozenset[str]
    query: str = ""
    """A SELECT of pages, the pages they link to, and the titles of the first."""
    left_out: str = ""
    """A SELECT of the number of links that are not pages."""
    advice: str = ""
    """Advice for a database that cannot be read."""


KNOWN = (
    KnownDatabase(
        "org-roam",
        frozenset({"nodes", "links", "files", "aliases"}),
        f"""
        SELECT {_title("source")},
               CASE trim(links.type, '"')
                   WHEN 'id' THEN coalesce({_title("target")}, {_BARE.format("links.dest")})
                   ELSE trim(links.type, '"') || ':' || {_TEXT.format("links.dest")} END,
               {_TEXT.format("source.title")}
        FROM links JOIN nodes AS source ON source.id = links.source
        LEFT JOIN nodes AS target ON target.id = links.dest
        WHERE trim(links.type, '"') IN ('id', 'http', 'https')
        ORDER BY links.source, links.pos
        """,
        """
        SELECT count(*) FROM links WHERE trim(type, '"') NOT IN ('id', 'http', 'https')
        OR source NOT IN (SELECT id FROM nodes)
        """,
    ),
    KnownDatabase(
        "Apple Notes",
        frozenset({"ZICCLOUDSYNCINGOBJECT", "ZICNOTEDATA"}),
        advice="keeps the notes in a format that Apple has not published; export them as "
        "Markdown or HTML from Notes, and build that folder",
    ),
)
"""The databases, in the order in which they are tried."""


def known_database(tables: Collection[str]) -> KnownDatabase | None:
    """The program whose database has these tables."""
    return next((known for known in KNOWN if known.tables <= set(tables)), None)
