"""A study in one file: the plan, the judges, the pages they add, and every rating.

The file has one JSON value per line, which is appended and synced before the judge sees a
confirmation. If the process is killed, the file has every confirmed rating and at most one
incomplete line, which is dropped. A later rating of the same page replaces the earlier one. The
file holds the judges' secret links, so only its owner may read it.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

from whatsrelated.apps.evaluate.trials import Trial
from whatsrelated.apps.study.plan import VERSION, BroughtPage, QueryPool, StudyPlan
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file
from whatsrelated.machine.locks import try_lock

MAX_NAME = 60
"""Maximum length of a judge's name."""


class Judge(msgspec.Struct, tag="judge", frozen=True):
    """A judge, and the secret part of their link."""

    name: str
    token: str


class Rating(msgspec.Struct, tag="rating", frozen=True):
    """A judge's rating of a page for a query, and when it was given."""

    judge: str
    query: str
    page: str
    rating: int
    at: float = 0.0


Line = StudyPlan | Judge | BroughtPage | Rating


class Journal:
    """The file of a study, opened by one process at a time."""

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self.judges: dict[str, Judge] = {}
        self.ratings: dict[tuple[str, str, str], int] = {}
        """The ratings by judge, query and page."""
        self.pools: dict[str, QueryPool] = {}
        """The pools by query: those of the plan, and those of pages that judges added."""
        self.answers: dict[str, list[Trial]] = {}
        """The answers of each method, in the order of the pools."""
        self.own_queries: dict[str, list[str]] = {}
        """The queries that each judge brought."""
        self._file: IO[bytes] | None = None
        try:
            if read_only:
                self._read(self.path.read_bytes())
                return
            self._file = self.path.open("r+b", buffering=0)
            self._open(self._file)
        except OSError as error:
            raise OptionError(f"study: {self.path} cannot be used: {error.strerror}.") from error

    def _open(self, file: IO[bytes]) -> None:
        """Lock and read the file, and drop an incomplete line."""
        try:
            if not try_lock(file):
                raise OptionError(f"study: another process is using {self.path}; end it first.")
            file.truncate(self._read(file.read()))
        except BaseException:
            file.close()
            raise

    @classmethod
    def create(cls, path: str | Path, plan: StudyPlan) -> Journal:
        """Start a study; an existing file is not changed."""
        try:
            write_file(path, msgspec.json.encode(plan) + b"\n", new=True, private=True)
        except FileExistsError:
            raise OptionError(
                f"study: {path} exists; omit --by, --queries and --run to continue it."
            ) from None
        return cls(path)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def add_judges(self, names: Sequence[str]) -> None:
        """Give every new judge a personal link."""
        for name in names:
            if not name.isprintable() or not 0 < len(name) <= MAX_NAME:
                raise OptionError(
                    f"study: a judge's name must have 1 to {MAX_NAME} characters, got {name!r:.80}."
                )
            if name not in self.judges:
                judge = Judge(name, secrets.token_urlsafe(18))
                self._append([judge])
                self.judges[name] = judge

    def bring(self, pages: Sequence[BroughtPage]) -> None:
        """Add a judge's pages; they are on disk when this returns."""
        new = [
            one for one in pages if one.pool.query.url not in self.own_queries.get(one.judge, ())
        ]
        self._append(new)
        for one in new:
            self._take_page(one)

    def pools_of(self, judge: str) -> list[QueryPool]:
        """The pools that a judge rates: all of them, or only those for their own pages; empty pools
        are left out.
        """
        queries = self.own_queries.get(judge, ()) if self.plan.own else self.pools
        return [pool for query in queries if (pool := self.pools[query]).pages]

    def rate(self, ratings: Sequence[Rating]) -> None:
        """Store ratings; they are on disk when this returns."""
        changed = [one for one in ratings if self.ratings.get(_key(one)) != one.rating]
        self._append([msgspec.structs.replace(one, at=round(time.time(), 3)) for one in changed])
        for one in changed:
            self.ratings[_key(one)] = one.rating

    def _append(self, lines: Sequence[Line]) -> None:
        if lines:
            assert self._file is not None
            text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
            end = self._file.seek(0, os.SEEK_END)
            try:
                if self._file.write(text) != len(text):
                    raise OSError(None, "only part of it was written")
                os.fsync(self._file.fileno())
            except OSError:
                self._file.truncate(end)
                raise

    def _read(self, text: bytes) -> int:
        """Read the file; return the length of its complete lines in bytes."""
        end = text.rfind(b"\n") + 1
        decoder = msgspec.json.Decoder(Line)
        for number, line in enumerate(text[:end].splitlines(), 1):
            try:
                self._take(decoder.decode(line), number)
            except msgspec.DecodeError as error:
                raise OptionError(
                    f"study: {self.path}, line {number}, is not a line of a study: {error}."
                ) from None
        if not hasattr(self, "plan"):
            raise OptionError(f"study: {self.path} is not the file of a study.")
        return end

    def _take(self, line: Line, number: int) -> None:
        if (
            isinstance(line, StudyPlan) != (number == 1)
            or (isinstance(line, StudyPlan) and line.version != VERSION)
            or (isinstance(line, BroughtPage) and line.answers.keys() != self.answers.keys())
        ):
            raise OptionError(f"study: {self.path} is not the file of a study of this version.")
        if isinstance(line, StudyPlan):
            self.plan = line
            self.pools = {pool.query.url: pool for pool in line.pools}
            self.answers = {label: list(trials) for label, trials in line.answers.items()}
            self.own_queries = {judge: list(queries) for judge, queries in line.owners.items()}
        elif isinstance(line, Judge):
            self.judges[line.name] = line
        elif isinstance(line, BroughtPage):
            self._take_page(line)
        else:
            self.ratings[_key(line)] = line.rating

    def _take_page(self, line: BroughtPage) -> None:
        query = line.pool.query.url
        self.own_queries.setdefault(line.judge, []).append(query)
        if query not in self.pools:
            self.pools[query] = line.pool
            for label, trials in self.answers.items():
                trials.append(line.answers[label])


def _key(rating: Rating) -> tuple[str, str, str]:
    return rating.judge, rating.query, rating.page
