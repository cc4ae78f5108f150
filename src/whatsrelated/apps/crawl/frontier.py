"""The state of a crawl in one SQLite file: which pages to fetch, and which were fetched.

One transaction commits a fetched page, its links, and the length of the WARC file after it. A
killed crawl resumes from the last transaction: it cuts the WARC file to that length and fetches
only the pages in flight again. While a crawl is running, no other can open its state.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from whatsrelated.errors import ReadError

_SCHEMA = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'page',
    state TEXT NOT NULL DEFAULT 'queued',
    tries INTEGER NOT NULL DEFAULT 0,
    status INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    etag TEXT NOT NULL DEFAULT '',
    modified TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT '',
    date TEXT NOT NULL DEFAULT ''
);
CREATE INDEX queue ON pages (host, depth, id) WHERE state = 'queued';
CREATE INDEX digests ON pages (digest) WHERE digest != '';
CREATE TABLE robots (host TEXT PRIMARY KEY, status INTEGER, body BLOB, time REAL);
CREATE TABLE patterns (pattern TEXT PRIMARY KEY, pages INTEGER);
CREATE TABLE facts (name TEXT PRIMARY KEY, value);
"""


class QueuedPage(NamedTuple):
    """A page to fetch, with the results of an earlier visit, if any."""

    id: int
    url: str
    host: str
    depth: int
    hops: int
    kind: str
    tries: int
    etag: str
    modified: str
    digest: str
    date: str


class Frontier:
    """The pages of a crawl."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._base = sqlite3.connect(path, isolation_level=None, timeout=0.2)
        except sqlite3.OperationalError as error:
            raise ReadError(f"{path} cannot be opened: {error}.") from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        path = self.path
        try:
            self._base.text_factory = lambda text: text.decode("utf-8", "replace")
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")
            with self:
                if not self._base.execute("SELECT 1 FROM sqlite_master").fetchone():
                    for statement in _SCHEMA.split(";"):
                        self._base.execute(statement)
                self._check()
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise ReadError(f"{path} is in use by another crawl; wait until it ends.") from None
            raise ReadError(f"{path} cannot be opened: {error}.") from None
        except (sqlite3.DatabaseError, UnicodeDecodeError):  # a message may quote the file
            raise ReadError(
                f"{path} is damaged or not the state of a crawl; remove it to start again."
            ) from None

    def _check(self) -> None:
        """Raise DatabaseError unless the file is intact and holds our tables with valid values."""
        statements = (statement.strip() for statement in _SCHEMA.split(";"))
        schema = self._base.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        if {sql for (sql,) in schema} != set(filter(None, statements)):
            raise sqlite3.DatabaseError("its tables are not those of a crawl")
        if self._base.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("its pages are damaged")
        for table in ("pages", "robots", "patterns", "facts"):
            wrong = "value NOT BETWEEN 0 AND 1e15" if table == "facts" else "FALSE"
            for _, column, kind, *_ in self._base.execute(f"PRAGMA table_info({table})").fetchall():
                if kind:
                    wrong += f" OR typeof({column}) != '{kind.lower()}'"
            if self._base.execute(f"SELECT 1 FROM {table} WHERE {wrong}").fetchone():
                raise sqlite3.DatabaseError(f"its table {table} has values of other types")

    def close(self) -> None:
        self._base.close()

    def __enter__(self) -> Frontier:
        """Begin a transaction: everything in it is stored, or nothing."""
        self._base.execute("BEGIN IMMEDIATE")
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._base.execute("COMMIT" if kind is None else "ROLLBACK")

    def fact(self, name: str, default: float = 0) -> float:
        """A number stored with the crawl."""
        row = self._base.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else default

    def remember(self, **facts: float) -> None:
        self._base.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    def add(self, url: str, host: str, depth: int, hops: int = 0, kind: str = "page") -> None:
        """Queue a page, unless it is already known."""
        self._base.execute(
            "INSERT OR IGNORE INTO pages (url, host, depth, hops, kind) VALUES (?, ?, ?, ?, ?)",
            (url, host, depth, hops, kind),
        )

    def starts(self) -> list[str]:
        """The pages that the crawl started from."""
        rows = self._base.execute("SELECT url FROM pages WHERE depth = 0 AND hops = 0 ORDER BY id")
        return [url for (url,) in rows]

    def is_known(self, url: str) -> bool:
        return bool(self._base.execute("SELECT 1 FROM pages WHERE url = ?", (url,)).fetchone())

    def counted(self, pattern: str, max_pages: int) -> bool:
        """Count one more page for a pattern; return False if the pattern has reached its limit."""
        query = "SELECT pages FROM patterns WHERE pattern = ?"
        row = self._base.execute(query, (pattern,)).fetchone()
        if row and row[0] >= max_pages:
            return False
        self._base.execute(
            "INSERT INTO patterns VALUES (?, 1) ON CONFLICT DO UPDATE SET pages = pages + 1",
            (pattern,),
        )
        return True

    def waiting_hosts(self) -> list[str]:
        """The hosts that have queued pages."""
        rows = self._base.execute("SELECT DISTINCT host FROM pages WHERE state = 'queued'")
        return [host for (host,) in rows]

    def next_page(self, host: str) -> QueuedPage | None:
        """The next page of a host; pages closer to the start come first."""
        row = self._base.execute(
            "SELECT id, url, host, depth, hops, kind, tries, etag, modified, digest, date"
            " FROM pages WHERE state = 'queued' AND host = ? ORDER BY depth, id LIMIT 1",
            (host,),
        ).fetchone()
        return QueuedPage(*row) if row else None

    def finish(self, page: QueuedPage, state: str, *, status: int = 0, reason: str = "") -> None:
        """Record the outcome for a page: `done`, `failed` or `refused`."""
        self._base.execute(
            "UPDATE pages SET state = ?, status = ?, reason = ? WHERE id = ?",
            (state, status, reason, page.id),
        )

    def note_contents(
        self, page: QueuedPage, *, etag: str, modified: str, digest: str, date: str
    ) -> None:
        """Record a page's validators and digest, for later visits and for pages with the same
        contents.
        """
        self._base.execute(
            "UPDATE pages SET etag = ?, modified = ?, digest = ?, date = ? WHERE id = ?",
            (etag, modified, digest, date, page.id),
        )

    def same_contents(self, digest: str, url: str) -> tuple[str, str] | None:
        """An earlier page with the same contents, and when it was fetched."""
        row = self._base.execute(
            "SELECT url, date FROM pages WHERE digest = ? AND state = 'done' AND url != ?"
            " ORDER BY id LIMIT 1",
            (digest, url),
        ).fetchone()
        return (row[0], row[1]) if row else None

    def try_again(self, page: QueuedPage) -> None:
        """Put a page back into the queue."""
        self._base.execute("UPDATE pages SET tries = tries + 1 WHERE id = ?", (page.id,))

    def visit_again(self) -> None:
        """Queue all fetched and failed pages again."""
        self._base.execute("UPDATE pages SET state = 'queued', tries = 0 WHERE state != 'refused'")
        self._base.execute("DELETE FROM robots")

    def robots(self, host: str) -> tuple[int, bytes, float] | None:
        """A host's robots.txt, and when it was fetched."""
        query = "SELECT status, body, time FROM robots WHERE host = ?"
        row = self._base.execute(query, (host,)).fetchone()
        return (row[0], row[1], row[2]) if row else None

    def keep_robots(self, host: str, status: int, body: bytes, time: float) -> None:
        self._base.execute(
            "INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", (host, status, body, time)
        )

    def counts(self) -> dict[str, int]:
        """The number of pages queued, done, failed and refused."""
        return dict(self._base.execute("SELECT state, COUNT(*) FROM pages GROUP BY state"))

    def reasons(self) -> dict[str, tuple[int, list[str]]]:
        """The reasons why pages were not fetched, each with a count and an example."""
        reasons: dict[str, tuple[int, list[str]]] = {}
        rows = self._base.execute(
            "SELECT reason, COUNT(*), MIN(url) FROM pages WHERE reason != ''"
            " AND state != 'done' GROUP BY reason ORDER BY 2 DESC"
        )
        for reason, count, first in rows:
            reasons[reason] = count, [first]
        return reasons

    def urls(self, state: str) -> Iterable[str]:
        """The URLs of pages in one state, in the order in which they were found."""
        rows = self._base.execute("SELECT url FROM pages WHERE state = ? ORDER BY id", (state,))
        return [url for (url,) in rows]
