"""Serve answers that `related all` stored in an SQLite file, without computing them again.

The file answers queries for a single page of the graph it was made from. Method and options must be
the same, and the query must not ask for more results. Any other query is computed. Reasons are
computed on demand.
"""

from __future__ import annotations

import json
import math
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import Answer, Result
from whatsrelated.api.asking import TOO_FEW, find_page
from whatsrelated.apps.batch.manifest import VERSION, completed, settings_of
from whatsrelated.errors import OptionError, PageNotFound

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.api.asking import Asker


class StoredAnswers:
    """The answers in a file, for the graph that it was made from; any thread may use this
    object."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            with closing(self._connect()) as database:
                ((text,),) = database.execute("SELECT json FROM manifest").fetchall()
            self.manifest: dict[str, Any] = completed(json.loads(text))
        except (sqlite3.Error, ValueError) as error:
            raise OptionError(
                f"serve: {self.path} is not an output of related all -o NAME.sqlite: {error}."
            ) from error
        if self.manifest.get("answers") != VERSION:
            raise OptionError(f"serve: {self.path} was written by another version; make it again.")

    def _connect(self) -> sqlite3.Connection:
        """A new connection for every query, because threads and forks cannot share one."""
        address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True)

    def is_for(self, graph: Graph) -> bool:
        """Whether these are answers for this graph."""
        return bool(self.manifest["graph"] == graph.store.fingerprint)

    def require_for(self, graph: Graph) -> None:
        """Raise OptionError unless these are answers for this graph."""
        if not self.is_for(graph):
            raise OptionError(
                f"serve: {self.path} has answers for another graph or an earlier "
                "generation; make it again with related all."
            )

    def answer(self, graph: Graph, urls: list[str], asker: Asker) -> Answer | None:
        """The stored answer to a query; None if it has to be computed."""
        if len(urls) != 1 or not self.is_for(graph) or not self._has(asker):
            return None
        begun = time.perf_counter()
        store = graph.store
        try:
            page, notes = find_page(store, urls[0])
        except PageNotFound:
            return None
        try:
            with closing(self._connect()) as database:
                row = database.execute(
                    "SELECT answered_for FROM asked WHERE page = ?", (page,)
                ).fetchone()
                rows = database.execute(
                    "SELECT related, score FROM related WHERE page = ? ORDER BY position LIMIT ?",
                    (page, asker.request.limit),
                ).fetchall()
        except sqlite3.Error:
            return None
        if row is None or not _is_sound(store.n_pages, row[0], rows):
            return None
        pages = np.array([number for number, _ in rows], np.uint32)
        reasons = _Reasons(graph, urls[0], asker)
        results = [
            Result(number, url, title, score, reasons)
            for (number, score), url, title in zip(
                rows, store.urls(pages), store.titles(pages), strict=True
            )
        ]
        return Answer(
            asked=urls,
            answered_for=[store.url(row[0])],
            by=asker.method,
            options={**asker.method.settings(), **asker.request.settings()},
            results=results,
            vicinity={"pages": 0, "links": 0},
            took_ms=round((time.perf_counter() - begun) * 1000, 3),
            notes=[*notes, *([TOO_FEW] if row[0] != page else [])],
        )

    def _has(self, asker: Asker) -> bool:
        """Whether the query has the stored options and asks for no more results."""
        if asker.request.clusters != "none":
            return False
        options, stored = settings_of(asker), dict(self.manifest["options"])
        fewer = options.pop("limit") <= stored.pop("limit")
        for name in ("stop", "pairs"):
            stored.pop(name), options.pop(name)
        return (
            fewer
            and options == stored
            and self.manifest["by"] == asker.method.name
            and self.manifest["stop_pages"] is None
            and not len(asker.stop.pages)
            and asker.chosen.decisions.digest() == self.manifest.get("pairs")
        )


def _is_sound(n_pages: int, answered_for: Any, rows: list[Any]) -> bool:
    """Whether all rows refer to pages of the graph and have finite scores."""
    pages = [answered_for, *(page for page, _ in rows)]
    return all(isinstance(page, int) and 0 <= page < n_pages for page in pages) and all(
        isinstance(score, int | float) and math.isfinite(score) for _, score in rows
    )


class _Reasons:
    """The reasons for a stored result; the method computes them when they are first read."""

    def __init__(self, graph: Graph, url: str, asker: Asker) -> None:
        self.graph, self.url, self.asker = graph, url, asker
        self._computed: dict[int, Result] | None = None

    def __call__(self, page: int) -> dict[str, Any]:
        if self._computed is None:
            options = self.asker.request.settings()
            answer = self.graph.related(self.url, self.asker.method, **options)
            self._computed = {result.page: result for result in answer}
        result = self._computed.get(page)
        return {} if result is None else result.evidence
