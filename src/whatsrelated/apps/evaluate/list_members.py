"""Query several pages at once (DH99, sec. 6): given some members of a list, find the others.

The lists come from any other gold: the pages of a topic, or a page together with its related pages
("See also"). The members of each list are shuffled with the seed and divided into groups. The gold
of a group is every page that shares a list with all its members. Such a query is stored as one
string: its pages, joined by `SEPARATOR`, which no URL contains.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.apps.evaluate.gold import Judgments, page_named
from whatsrelated.apps.evaluate.topics import SharedTopics
from whatsrelated.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.gold import Gold

SEPARATOR = " ‖ "


def pages_of(query: str) -> list[str]:
    """The pages of a query, usually one."""
    return query.split(SEPARATOR)


def query_named(graph: Graph, text: str) -> str | None:
    """A query from a file, with its pages named as in the graph; None if a page is missing."""
    pages = [page_named(graph, name) for name in pages_of(text)]
    if any(page is None for page in pages):
        return None
    return SEPARATOR.join(graph.url(page) for page in pages if page is not None)


@dataclass(frozen=True)
class MembersOfLists:
    """Another gold as lists; each query consists of `together` members of a list."""

    gold: Gold
    together: int

    @property
    def unlinked(self) -> bool:
        return self.gold.unlinked

    def __str__(self) -> str:
        return f"{self.gold}, {self.together} members of each list at once"

    def judge(self, graph: Graph, scratch: Path, seed: int) -> tuple[Graph, Judgments]:
        queried, judgments = self.gold.judge(graph, scratch, seed)
        queries = deal(lists_of(judgments.queries), self.together, seed)
        if not queries:
            raise ReadError(
                f"No list in {self.gold} has more than {self.together} members; lower --together."
            )
        return queried, Judgments(queries, judgments.refused, judgments.notes)


def lists_of(queries: Mapping[str, Mapping[str, float]]) -> list[frozenset[str]]:
    """The lists of a gold: its topics, or each query with its related pages."""
    if isinstance(queries, SharedTopics):
        lists: Iterable[Collection[str]] = queries.pages.values()
    else:
        lists = (
            [query, *(page for page, rating in ratings.items() if rating > 0)]
            for query, ratings in queries.items()
        )
    return list(dict.fromkeys(map(frozenset, lists)))


def deal(
    lists: Collection[frozenset[str]], together: int, seed: int
) -> dict[str, dict[str, float]]:
    """Queries of `together` members, and the pages that share a list with all of them."""
    holding: dict[str, set[frozenset[str]]] = {}
    for members in lists:
        for page in members:
            holding.setdefault(page, set()).add(members)
    queries: dict[str, dict[str, float]] = {}
    for members in sorted(lists, key=sorted):
        shuffled = sorted(members)
        random.Random(f"{seed} {shuffled}").shuffle(shuffled)
        for first in range(0, len(shuffled) - together + 1, together):
            pages = sorted(shuffled[first : first + together])
            shared = set.intersection(*(holding[page] for page in pages))
            others = frozenset().union(*shared) - set(pages)
            if others:
                queries[SEPARATOR.join(pages)] = dict.fromkeys(sorted(others), 1.0)
    return queries
