"""SQLite: the rows of a table or query are links.

1. `--query` is a SELECT whose first two columns are a page and the page it links to. An optional
   third column is the title of the first page.
2. Without one, the database of a known program (`known_databases`) is read without options.
3. Otherwise, `--table` and `--columns` select the links. Without them, we read the only table with
   column names that indicate links (`source`, `target` …).

The file is opened read-only, without extensions. Nothing in the database or the query can write.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.options import option
from whatsrelated.sources.known_databases import KnownDatabase, known_database
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import starts
from whatsrelated.sources.tables import TableReader, columns_by_words, describe_filters
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}


@dataclass(frozen=True)
class SqliteReader(TableReader):
    """One link per row of a table or query."""

    name = "sqlite"
    sentence = "an SQLite database: one link per row of a table or query, or that of org-roam"
    contents = starts(b"SQLite format 3\0")

    table: str | None = option(None, "table that holds the links")
    query: str | None = option(
        None, "a SELECT of pages and the pages they link to, instead of a table"
    )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        if file.is_stream or file.packing:
            raise ReadError(
                f"{file.label}: a database can only be read from an uncompressed file; "
                "unpack it first."
            )
        try:
            with _connect(file) as connection:
                yield from self._links(file, connection, context)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's messages quote the file
            raise ReadError(f"{file.label} cannot be read as SQLite: {error!s:.160}.") from error

    def _links(
        self, file: File, connection: sqlite3.Connection, context: ReadContext
    ) -> Iterator[Item]:
        if self.query:
            rows = connection.execute(self.query)
            if not rows.description or len(rows.description) < 2:
                raise OptionError(
                    "sqlite: query must select at least two columns: the page and "
                    "the page it links to."
                )
        elif known := self._known(file, connection):
            counts = context.counter(known.program)
            (counts["links that do not lead to pages left out"],) = connection.execute(
                known.left_out
            ).fetchone()
            rows = connection.execute(known.query)
        else:
            rows = connection.execute(*self._select(file, connection, context))
        for number, row in enumerate(rows, 1):
            source, target = map(_text, row[:2])
            if not source or not target:
                context.refuse("empty name", f"{file.label}: row {number:,}")
                continue
            yield Page(source, (target,), _text(row[2]) or None if len(row) > 2 else None)

    def _known(self, file: File, connection: sqlite3.Connection) -> KnownDatabase | None:
        """The program that wrote the database, unless the options choose a table."""
        if self.table is not None or self.columns is not None:
            return None
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        known = known_database([name for (name,) in names])
        if known is not None and known.advice:
            raise ReadError(f"{file.label} is a database of {known.program}, which {known.advice}.")
        return known

    def _select(
        self, file: File, connection: sqlite3.Connection, context: ReadContext
    ) -> tuple[str, list[str]]:
        """The query for the links of a table, and its parameters."""
        tables = {
            name: [column[1] for column in connection.execute(f"PRAGMA table_info({_name(name)})")]
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("sqlite_")
        }
        listed = "; ".join(f"{name} ({', '.join(columns)})" for name, columns in tables.items())
        table = self.table
        if table is None:
            likely = [name for name, columns in tables.items() if columns_by_words(columns)]
            if len(likely) != 1:
                raise ReadError(
                    f"{file.label}: name the table that holds the links, with --table and "
                    f"--columns; it has: {listed[:400]}."
                )
            table = likely[0]
        if table not in tables:
            raise ReadError(f"{file.label} has no table {table!r:.80}; it has: {listed[:400]}.")
        header = tables[table]
        source, target = self.link_columns(f"{file.label}: {table}", header, len(header))
        filters = self.row_filters(f"{file.label}: {table}", header, len(header))
        conditions = [f"CAST({_name(header[place])} AS TEXT) = ?" for place, _ in filters]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows, parameters = f"FROM {_name(table)}", [value.decode() for _, value in filters]
        if filters:
            count = f"SELECT (SELECT count(*) {rows}) - count(*) {rows}{where}"
            (excluded,) = connection.execute(count, parameters).fetchone()
            context.counter(self.name)[describe_filters(header, filters)] += excluded
        ends = f"{_name(header[source])}, {_name(header[target])}"
        return f"SELECT {ends} {rows}{where}", parameters


def _connect(file: File) -> sqlite3.Connection:
    """Open the database read-only."""
    path = quote(str(file.path.absolute()))
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.set_authorizer(_authorize)
    return connection


def _authorize(action: int, first: str | None, second: str | None, *_: Any) -> int:
    if action == sqlite3.SQLITE_PRAGMA and first == "table_info":
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and second == "load_extension":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def _name(identifier: str) -> str:
    """The quoted name of a table or column."""
    return '"' + identifier.replace('"', '""') + '"'


def _text(value: Any) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
