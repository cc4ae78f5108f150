"""Answers that another program gave, to be measured beside ours.

Two forms, told apart by their columns: TREC's run (query, Q0, page, place,
score, name), put in order by the score as TREC does, and three columns with
tabs (query, place, page).  What is odd is counted by reason: a gap between
places, a place or a page twice, a query that nobody asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.evaluation.experiment import Asked, linked
from whatsrelated.evaluation.gold import lines_of, page_named
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph


@dataclass(slots=True)
class Run:
    """The answers of a file to the queries, by the names that the graph has for the pages.

    A page that is not in the graph stays in its place: it is an answer that
    could not be opened.
    """

    label: str
    answers: list[Asked]
    unknown: frozenset[str] = frozenset()
    odd: Refused = field(default_factory=Refused)


@dataclass(frozen=True, slots=True)
class _Row:
    query: str
    page: str
    place: int
    score: float = 0.0
    name: str = ""


def read_run(
    path: str, graph: Graph, queries: Sequence[str], limit: int = 10, unlinked: bool = False
) -> Run:
    """The run of a file, `NAME=FILE` to give it a name, for the queries that are asked."""
    label, equals, file = path.partition("=")
    if not equals or Path(path).exists():
        label, file = "", path
    rows = list(_rows(file))
    if not rows:
        raise ReadError(f"The run {file} is empty; a line for each answer is wanted.")
    run = Run(label or rows[0].name or Path(file).stem, [])
    by_query = _by_query(rows, graph, set(queries), run.odd)
    unknown: set[str] = set()
    for query in queries:
        urls = _answer(query, by_query.get(query, []), graph, run.odd, unknown)
        known = linked(graph, query) if unlinked else set()
        run.answers.append(Asked(query, tuple([url for url in urls if url not in known][:limit])))
    run.unknown = frozenset(unknown)
    if not any(answer.urls for answer in run.answers):
        raise ReadError(f"The run {file} answers none of the {len(queries):,} queries; {run.odd}.")
    return run


def _rows(file: str) -> Iterator[_Row]:
    for number, line in lines_of(file, "run"):
        parts = [part.strip() for part in (line.split("\t") if "\t" in line else line.split())]
        try:
            if len(parts) == 6:
                query, _, page, place, score, name = parts
                if not isfinite(float(score)):
                    raise ValueError(score)
                yield _Row(query, page, int(place), float(score), name)
            else:
                query, place, page = parts
                yield _Row(query, page, int(place))
        except ValueError:
            if number == 1 and len(parts) == 3 and not parts[1].lstrip("-").isdigit():
                continue  # names of columns
            raise ReadError(
                f"{file}, line {number}: query, place and page are wanted, or TREC's six columns, "
                f"got {line!r:.80}."
            ) from None


def _by_query(
    rows: Sequence[_Row], graph: Graph, queries: set[str], odd: Refused
) -> dict[str, list[_Row]]:
    found: dict[str, str | None] = {}
    by_query: dict[str, list[_Row]] = {}
    for row in rows:
        if row.query not in found:
            page = page_named(graph, row.query)
            found[row.query] = None if page is None else graph.url(page)
        name = found[row.query]
        if name is None:
            odd.add("for a query that is no page of the graph", row.query)
        elif name not in queries:
            odd.add("for a query that is not asked", row.query)
        else:
            by_query.setdefault(name, []).append(row)
    return by_query


def _answer(
    query: str, rows: list[_Row], graph: Graph, odd: Refused, unknown: set[str]
) -> list[str]:
    """The pages of a query's rows in order, each once."""
    urls: list[str] = []
    previous: int | None = None
    for row in sorted(rows, key=lambda row: (-row.score, row.place)):
        if previous is not None and row.place == previous:
            odd.add("at a place that is taken", f"{query} {row.place} {row.page}")
        elif previous is not None and row.place < previous:
            odd.add("whose score and place disagree", f"{query} {row.place} {row.page}")
        elif previous is not None and row.place > previous + 1:
            odd.add("after a gap", f"{query} {row.place} {row.page}")
        previous = row.place
        page = page_named(graph, row.page)
        url = row.page if page is None else graph.url(page)
        if url == query:
            odd.add("that is the query itself", query)
        elif url in urls:
            odd.add("twice for one query", f"{query} {row.page}")
        else:
            urls.append(url)
            if page is None:
                unknown.add(url)
    return urls


def write_runs(folder: str | Path, answers: Mapping[str, Sequence[Asked]]) -> list[Path]:
    """The answers of each method as a file of three columns, which `read_run` reads."""
    written = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for label, asked in answers.items():
            name = re.sub(r"[^\w.=+-]+", "_", label).strip("_")
            rows = [
                f"{one.query}\t{place}\t{url}\n"
                for one in asked
                for place, url in enumerate(one.urls, 1)
            ]
            written.append(Path(folder) / f"{name}.tsv")
            written[-1].write_text("".join(rows), encoding="utf-8")
    except OSError as error:
        raise OptionError(f"evaluate: {folder} cannot be written: {error.strerror}.") from error
    return written


def check_labels(labels: Sequence[str]) -> None:
    """No two contenders or runs may have one name."""
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(
                f"evaluate: {label} is named twice; give a run its own name: --run NAME=FILE."
            )
