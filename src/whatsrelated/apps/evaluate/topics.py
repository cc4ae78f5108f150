"""Topics as gold: pages that share a topic are related.

A file lists the topics of each page, or each URL's folder is its topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.apps.evaluate.gold import (
    GoldFile,
    Judgments,
    lines_of,
    page_named,
    require_queries,
)
from whatsrelated.errors import ReadError
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph

FOLDER = "folder"
"""The word that selects folders of URLs instead of a topics file."""


@dataclass(frozen=True)
class GoldTopics(GoldFile):
    """Topics from a file with columns for pages and topics, or `folder`."""

    what: ClassVar[str] = "topics"

    def read(self, graph: Graph) -> Judgments:
        return topic_gold(self.path, graph)


def topic_gold(path: str | Path, graph: Graph) -> Judgments:
    """The pages of a graph that share a topic, as judgments."""
    refused = Refused()
    topics: dict[str, set[str]] = {}
    for name, topic in _folders(graph) if str(path) == FOLDER else _topics(path):
        page = page_named(graph, name)
        if page is None:
            refused.add("for a page that is not in the graph", name)
        else:
            topics.setdefault(graph.url(page), set()).add(topic)
    return require_queries(Judgments(SharedTopics(topics), refused), f"The topics {path}")


class SharedTopics(Mapping[str, Mapping[str, float]]):
    """Maps each page to the pages that share a topic with it, computed on access."""

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


def _topics(path: str | Path) -> Iterator[tuple[str, str]]:
    for number, line in lines_of(path, "topics"):
        page, *named = (part.strip() for part in line.split("\t"))
        if not any(named):
            raise ReadError(
                f"{path}, line {number}: expected a page, a tab and its topics, got {line!r:.80}."
            )
        yield from ((page, topic) for topic in named if topic)


def _folders(graph: Graph) -> Iterator[tuple[str, str]]:
    for page in range(len(graph)):
        name = graph.url(page)
        folder = name.partition("?")[0].rstrip("/").rpartition("/")[0]
        if folder and folder.rstrip("/") not in ("http:", "https:", "ftp:", "file:"):
            yield name, folder
