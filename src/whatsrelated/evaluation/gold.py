"""What somebody said is related: queries, and a rating for pages of each.

It comes from

- a file: TREC's qrels (query, 0, page, rating) or two or three columns with tabs
  (query, page, and a rating where there is one);
- the links of a source, such as those of the sections "See also", where the
  graph was built from the rest;
- topics: pages that share one are related.  A file says which page has which,
  or the folder of a URL is its topic.

A rating above 0 is related, one below 0 says that the page could not be opened.
What cannot be used is counted by reason, never dropped in silence.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from whatsrelated.errors import ReadError
from whatsrelated.sources.files import File
from whatsrelated.stream import NamedLinks, Page, Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.sources import Sources

FOLDER = "folder"
"""Given as a file of topics, this word means the folders of the URLs."""


@dataclass(slots=True)
class Judged:
    """Queries with the ratings of their pages, by the names that the graph has for them."""

    queries: Mapping[str, Mapping[str, float]]
    refused: Refused = field(default_factory=Refused)
    notes: list[str] = field(default_factory=list)

    def sample(self, count: int | None, least: int = 1, seed: int = 0) -> Judged:
        """`count` of the queries that have at least `least` related pages, drawn by a seed."""
        able = sorted(q for q, gold in self.queries.items() if _related(gold) >= least)
        if not able:
            raise ReadError(
                f"No query has {least:,} related pages or more; ask for fewer with --least."
            )
        if count is not None and count < len(able):
            able = sorted(random.Random(seed).sample(able, count))
        return Judged({query: self.queries[query] for query in able}, self.refused, self.notes)


def read_gold(path: str | Path, graph: Graph) -> Judged:
    """The gold of a file, for the pages of a graph."""
    judged = _known(_rows(lines_of(path, "gold"), path), graph)
    return _with_any(judged, f"The gold {path}")


def linked_gold(sources: Sources, graph: Graph) -> Judged:
    """The links of a source as gold: each page is a query, what it links to is related."""
    judged = _known(((first, second, 1.0) for first, second in _links(sources)), graph)
    return _with_any(judged, "The source")


def topics_gold(path: str | Path, graph: Graph) -> Judged:
    """Pages that share a topic: of a file with a page and its topics in columns, or `folder`."""
    refused = Refused()
    topics: dict[str, set[str]] = {}
    for asked, named in _folders(graph) if str(path) == FOLDER else _topics(path):
        page = page_named(graph, asked)
        if page is None:
            refused.add("for a page that is not in the graph", asked)
        else:
            topics.setdefault(graph.url(page), set()).add(named)
    return _with_any(Judged(Shared(topics), refused), f"The topics {path}")


class Shared(Mapping[str, Mapping[str, float]]):
    """For each page, the pages that share a topic with it, put together when they are read."""

    def __init__(self, topics: Mapping[str, set[str]]) -> None:
        self.pages: dict[str, set[str]] = {}
        for page, named in topics.items():
            for topic in named:
                self.pages.setdefault(topic, set()).add(page)
        self.topics = {
            page: named
            for page, named in topics.items()
            if any(len(self.pages[topic]) > 1 for topic in named)
        }

    def __getitem__(self, page: str) -> Mapping[str, float]:
        together = set().union(*(self.pages[topic] for topic in self.topics[page]))
        return dict.fromkeys(sorted(together - {page}), 1.0)

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def __len__(self) -> int:
        return len(self.topics)


def page_named(graph: Graph, name: str) -> int | None:
    """The page that a file means: as it is spelt there, else with its escapes undone."""
    page = graph.store.look_up(name)
    return graph.store.look_up(unquote(name)) if page is None and "%" in name else page


def lines_of(path: str | Path, what: str) -> list[tuple[int, str]]:
    """The lines of a file, packed or not, with their numbers; no empty ones, no remarks."""
    try:
        text = File(path).read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"The {what} {path} cannot be read: {error}.") from error
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
                f"{path}, line {number}: query, page and a rating are wanted, got {line!r:.80}."
            )
        yield query.strip(), page.strip(), rating


def _topics(path: str | Path) -> Iterator[tuple[str, str]]:
    for number, line in lines_of(path, "topics"):
        page, *named = (part.strip() for part in line.split("\t"))
        if not any(named):
            raise ReadError(
                f"{path}, line {number}: a page, a tab and its topics are wanted, got {line!r:.80}."
            )
        yield from ((page, topic) for topic in named if topic)


def _folders(graph: Graph) -> Iterator[tuple[str, str]]:
    for page in range(len(graph)):
        name = graph.url(page)
        folder = name.partition("?")[0].rstrip("/").rpartition("/")[0]
        if folder and folder.rstrip("/") not in ("http:", "https:", "ftp:", "file:"):
            yield name, folder


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


def _known(rows: Iterable[tuple[str, str, float]], graph: Graph) -> Judged:
    queries: dict[str, dict[str, float]] = {}
    judged = Judged(queries)
    found: dict[str, int | None] = {}
    spelt: dict[int, set[str]] = {}

    def look_up(name: str) -> int | None:
        if name not in found:
            found[name] = page_named(graph, name)
        return found[name]

    for asked, named, rating in rows:
        query, page = look_up(asked), look_up(named)
        if query is None:
            judged.refused.add("for a query that is no page of the graph", asked)
            continue
        spelt.setdefault(query, set()).add(asked)
        ratings = queries.setdefault(graph.url(query), {})
        if page is None:
            judged.refused.add("for a page that is not in the graph", named)
        elif page == query:
            judged.refused.add("of a page for itself", asked)
        elif (url := graph.url(page)) not in ratings:
            ratings[url] = rating
        elif ratings[url] == rating:
            judged.refused.add("said before", f"{asked} {named}")
        else:
            judged.refused.add("said before with another rating", f"{asked} {named}")
    for name in [name for name, gold in queries.items() if not _related(gold)]:
        judged.refused.add("of a query without a related page", name)
        del queries[name]
    judged.notes = [
        f"{' and '.join(sorted(names))} are one page, {graph.url(page)}: its gold is joined."
        for page, names in spelt.items()
        if len(names) > 1
    ]
    return judged


def _with_any(judged: Judged, what: str) -> Judged:
    if not judged.queries:
        raise ReadError(f"{what} has no query with a related page of the graph; {judged.refused}.")
    return judged


def _related(gold: Mapping[str, float]) -> int:
    return sum(rating > 0 for rating in gold.values())
