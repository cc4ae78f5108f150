"""Gold: queries, with ratings of pages for each.

It comes from one of these sources:

- a file: TREC's qrels (query, 0, page, rating), or tab-separated columns (query, page and,
  optionally, a rating);
- the links of a source, such as "See also" sections, if the graph was built without them;
- topics that pages share (topics.py);
- held-out links (held_out.py).

A rating above 0 means related; a rating below 0 means that the page could not be opened. A query
counts even if no page is rated above 0 (DH99, sec. 4.2). It also counts if its rated pages are not
in the graph, so only a run can find them. Unusable judgments are counted by reason, never dropped
silently.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from urllib.parse import unquote

from whatsrelated import sources
from whatsrelated.api.reading import File
from whatsrelated.apps.evaluate.measures import related_count
from whatsrelated.errors import ReadError
from whatsrelated.stream import NamedLinks, Page, Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.sources import Sources


class Gold(Protocol):
    """A source of judgments: queries with known related pages. `str` describes it in a report."""

    @property
    def unlinked(self) -> bool:
        """Whether linked pages are left out by default."""

    def judge(self, graph: Graph, scratch: Path, seed: int) -> tuple[Graph, Judgments]:
        """The graph to query, and the judgments for its pages; `seed` is used for random draws."""


@dataclass(slots=True)
class Judgments:
    """Queries with the ratings of their pages, by the graph's names.

    `elsewhere` holds ratings of pages outside the graph; only runs can return these.
    """

    queries: Mapping[str, Mapping[str, float]]
    refused: Refused = field(default_factory=Refused)
    notes: list[str] = field(default_factory=list)
    unlinked: bool = False
    elsewhere: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"judgments of {len(self.queries):,} queries"

    def judge(self, graph: Graph, scratch: Path, seed: int) -> tuple[Graph, Judgments]:
        """Judgments are gold themselves."""
        return graph, self

    def sample(self, count: int | None, least: int = 0, seed: int = 0) -> Judgments:
        """A seeded sample of `count` queries with at least `least` related pages."""
        able = sorted(q for q, gold in self.queries.items() if related_count(gold) >= least)
        if not able:
            raise ReadError(f"No query has {least:,} or more related pages; lower --least.")
        if count is not None and count < len(able):
            able = sorted(random.Random(seed).sample(able, count))
        return replace(self, queries={query: self.queries[query] for query in able})


@dataclass(frozen=True)
class GoldFile:
    """The judgments in a file."""

    path: str | Path
    unlinked: ClassVar[bool] = False
    what: ClassVar[str] = "gold"

    def __str__(self) -> str:
        return f"{self.what} {self.path}"

    def judge(self, graph: Graph, scratch: Path, seed: int) -> tuple[Graph, Judgments]:
        return graph, self.read(graph)

    def read(self, graph: Graph) -> Judgments:
        """Read the file, for the pages of a graph."""
        return read_gold(self.path, graph)


@dataclass(frozen=True)
class GoldLinks:
    """The links of sources: each page is a query, and the pages it links to are related."""

    paths: tuple[str, ...]
    format: str | None = None
    names_files: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    unlinked: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"links of {', '.join(self.paths)}"

    def judge(self, graph: Graph, scratch: Path, seed: int) -> tuple[Graph, Judgments]:
        opened = sources.open_sources(
            self.paths,
            sources.ReadOptions(format=self.format, names_file=self.names_files),
            options=dict(self.options),
        )
        return graph, link_gold(opened, graph)


def read_gold(path: str | Path, graph: Graph) -> Judgments:
    """Read gold from a file, for the pages of a graph."""
    judgments = _judgments(_rows(lines_of(path, "gold"), path), graph, rated=True)
    return require_queries(judgments, f"The gold {path}")


def link_gold(opened: Sources, graph: Graph) -> Judgments:
    """The links of opened sources as judgments."""
    rows = ((first, second, 1.0) for first, second in _links(opened))
    return require_queries(_judgments(rows, graph), "The source")


def require_queries(judgments: Judgments, what: str) -> Judgments:
    """Return the judgments; raise an error if there are none."""
    if not judgments.queries:
        raise ReadError(f"{what} has no ratings for queries in the graph; {judgments.refused}.")
    return judgments


def page_named(graph: Graph, name: str) -> int | None:
    """The page for a name in a file, as written or, failing that, with escapes decoded."""
    page = graph.store.look_up(name)
    return graph.store.look_up(unquote(name)) if page is None and "%" in name else page


def lines_of(path: str | Path, what: str) -> list[tuple[int, str]]:
    """The numbered lines of a plain or compressed file, without empty lines or comments."""
    try:
        text = File(path).read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ReadError(f"The {what} {path} cannot be read: {why}.") from error
    numbered = enumerate(text.split("\n"), 1)
    return [
        (at, line.rstrip("\r"))
        for at, line in numbered
        if line.strip() and not line.startswith("#")
    ]


def _rows(lines: Iterable[tuple[int, str]], path: str | Path) -> Iterator[tuple[str, str, float]]:
    for number, line in lines:
        parts = line.split("\t") if "\t" in line else line.split()
        if len(parts) == 4:
            del parts[1]
        try:
            query, page, rated = [*parts, "1"] if len(parts) == 2 else parts
            rating = float(rated)
        except ValueError:
            rating = nan
        if not isfinite(rating):
            raise ReadError(
                f"{path}, line {number}: expected a query, a page and a rating, got {line!r:.80}."
            )
        yield query.strip(), page.strip(), rating


def _links(sources: Sources) -> Iterator[tuple[str, str]]:
    packed, names = None, list[str]()
    for item in sources:
        if isinstance(item, Page):
            yield from ((item.url, link) for link in item.links)
        elif isinstance(item, NamedLinks):
            if item.names is not packed:
                packed = item.names
                names = [name.decode("utf-8", "replace") for name in packed]
            for first, second in zip(item.sources.tolist(), item.targets.tolist(), strict=True):
                yield names[first], names[second]
        else:
            for first, second in zip(item.sources.tolist(), item.targets.tolist(), strict=True):
                yield str(first), str(second)


def _judgments(
    rows: Iterable[tuple[str, str, float]], graph: Graph, *, rated: bool = False
) -> Judgments:
    """The judgments in these rows; `rated` keeps queries whose rated pages are all outside the
    graph.
    """
    queries: dict[str, dict[str, float]] = {}
    elsewhere: dict[str, dict[str, float]] = {}
    refused = Refused()
    pages_by_name: dict[str, int | None] = {}
    spellings: dict[int, set[str]] = {}

    def look_up(name: str) -> int | None:
        if name not in pages_by_name:
            pages_by_name[name] = page_named(graph, name)
        return pages_by_name[name]

    for query_name, named, rating in rows:
        query, page = look_up(query_name), look_up(named)
        if query is None:
            refused.add("for a query that is not in the graph", query_name)
            continue
        spellings.setdefault(query, set()).add(query_name)
        ratings = queries.setdefault(graph.url(query), {})
        if page is None:
            refused.add("for a page that is not in the graph", named)
            elsewhere.setdefault(graph.url(query), {}).setdefault(named, rating)
        elif page == query:
            refused.add("of a page for itself", query_name)
        elif (url := graph.url(page)) not in ratings:
            ratings[url] = rating
        elif ratings[url] == rating:
            refused.add("repeated", f"{query_name} {named}")
        else:
            refused.add("repeated with another rating", f"{query_name} {named}")
    kept = elsewhere if rated else {}
    for name in [name for name, gold in queries.items() if not gold and name not in kept]:
        refused.add("of a query without a rated page", name)
        del queries[name]
    notes = [
        f"{' and '.join(sorted(names))} are the same page, {graph.url(page)}; "
        f"their judgments are merged."
        for page, names in spellings.items()
        if len(names) > 1
    ]
    return Judgments(queries, refused, notes, elsewhere=elsewhere)
