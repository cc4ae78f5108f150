"""Read the answers of other programs, to measure them alongside ours.

Two formats are recognised by their columns: TREC runs (query, Q0, page, position, score, name),
sorted by score as TREC does, and three tab-separated columns (query, position, page).
Irregularities are counted by reason: a gap between positions, a position or page that occurs twice,
a query that is not part of the experiment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.apps.evaluate.gold import lines_of, page_named
from whatsrelated.apps.evaluate.list_members import pages_of, query_named
from whatsrelated.apps.evaluate.trials import Trial, linked_pages
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.machine.files import write_file
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph


@dataclass(slots=True)
class RunFile:
    """The answers in a run file, by the graph's names for the pages.

    A page that is not in the graph keeps its position and counts as an answer that could not be
    opened.
    """

    label: str
    answers: list[Trial]
    unknown: frozenset[str] = frozenset()
    irregular: Refused = field(default_factory=Refused)


@dataclass(frozen=True, slots=True)
class _Row:
    query: str
    page: str
    place: int
    score: float = 0.0
    name: str = ""


def read_run(
    path: str, graph: Graph, queries: Sequence[str], limit: int = 10, unlinked: bool = False
) -> RunFile:
    """Read a run file, given as FILE or NAME=FILE, for these queries."""
    label, equals, file = path.partition("=")
    if not equals or Path(path).exists():
        label, file = "", path
    rows = list(_rows(file))
    if not rows:
        raise ReadError(f"The run {file} is empty; it needs one line per answer.")
    run = RunFile(label or rows[0].name or Path(file).stem, [])
    by_query = _by_query(rows, graph, set(queries), run.irregular)
    unknown: set[str] = set()
    for query in queries:
        urls = _answer(query, by_query.get(query, []), graph, run.irregular, unknown)
        known = linked_pages(graph, query) if unlinked else set()
        run.answers.append(Trial(query, tuple([url for url in urls if url not in known][:limit])))
    run.unknown = frozenset(unknown)
    if not any(answer.urls for answer in run.answers):
        raise ReadError(
            f"The run {file} answers none of the {len(queries):,} queries; {run.irregular}."
        )
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
                continue  # a header
            raise ReadError(
                f"{file}, line {number}: expected query, position and page, or the six columns of "
                f"a TREC run, got {line!r:.80}."
            ) from None


def _by_query(
    rows: Sequence[_Row], graph: Graph, queries: set[str], irregular: Refused
) -> dict[str, list[_Row]]:
    names: dict[str, str | None] = {}
    by_query: dict[str, list[_Row]] = {}
    for row in rows:
        if row.query not in names:
            names[row.query] = query_named(graph, row.query)
        name = names[row.query]
        if name is None:
            irregular.add("for a query that is not in the graph", row.query)
        elif name not in queries:
            irregular.add("for a query outside the experiment", row.query)
        else:
            by_query.setdefault(name, []).append(row)
    return by_query


def _answer(
    query: str, rows: list[_Row], graph: Graph, irregular: Refused, unknown: set[str]
) -> list[str]:
    """The distinct pages in a query's rows, in order."""
    urls: list[str] = []
    previous: int | None = None
    for row in sorted(rows, key=lambda row: (-row.score, row.place)):
        if previous is not None and row.place == previous:
            irregular.add("at a position that is taken", f"{query} {row.place} {row.page}")
        elif previous is not None and row.place < previous:
            irregular.add("whose score and position disagree", f"{query} {row.place} {row.page}")
        elif previous is not None and row.place > previous + 1:
            irregular.add("after a gap", f"{query} {row.place} {row.page}")
        previous = row.place
        page = page_named(graph, row.page)
        url = row.page if page is None else graph.url(page)
        if url in pages_of(query):
            irregular.add("that is the query itself", query)
        elif url in urls:
            irregular.add("twice for one query", f"{query} {row.page}")
        else:
            urls.append(url)
            if page is None:
                unknown.add(url)
    return urls


def write_runs(folder: str | Path, answers: Mapping[str, Sequence[Trial]]) -> list[Path]:
    """Write the answers of each method to a file that `read_run` can read."""
    written = []
    for label, trials in answers.items():
        name = re.sub(r"[^\w.=+-]+", "_", label).strip("_")
        rows = [
            f"{one.query}\t{place}\t{url}\n"
            for one in trials
            for place, url in enumerate(one.urls, 1)
        ]
        written.append(Path(folder) / f"{name}.tsv")
        write_file(written[-1], "".join(rows), parents=True)
    return written


def check_labels(labels: Sequence[str]) -> None:
    """Raise an error if two contenders or runs have the same label."""
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"evaluate: {label} appears twice; name the run: --run NAME=FILE.")
