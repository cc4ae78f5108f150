"""What somebody said is related: queries, and a rating for pages of each.

Two forms, told apart by their columns: TREC's qrels (query, 0, page, rating)
and two or three columns with tabs (query, page, and a rating where there is
one).  What cannot be used is counted by reason, never dropped in silence.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph


@dataclass(slots=True)
class Judged:
    """Queries with the ratings of their pages, by the names that the graph has for them."""

    queries: dict[str, dict[str, float]]
    refused: Refused = field(default_factory=Refused)

    def sample(self, count: int | None, least: int = 1, seed: int = 0) -> Judged:
        """`count` of the queries that have at least `least` related pages, drawn by a seed."""
        able = sorted(q for q, gold in self.queries.items() if _related(gold) >= least)
        if count is not None and count < len(able):
            able = sorted(random.Random(seed).sample(able, count))
        return Judged({query: self.queries[query] for query in able}, self.refused)


def read_gold(path: str | Path, graph: Graph) -> Judged:
    """The gold of a file, for the pages of a graph."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"The gold {path} cannot be read: {error}.") from error
    judged = _known(_rows(lines, path), graph)
    if not judged.queries:
        raise ReadError(
            f"The gold {path} has no query with a related page of the graph; {judged.refused}."
        )
    return judged


def _rows(lines: Iterable[str], path: str | Path) -> Iterable[tuple[str, str, float]]:
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t") if "\t" in line else line.split()
        if len(parts) == 4:
            del parts[1]
        try:
            query, page, rating = [*parts, "1"] if len(parts) == 2 else parts
            yield query.strip(), page.strip(), float(rating)
        except ValueError:
            raise ReadError(
                f"{path}, line {number}: query, page and a rating are wanted, got {line!r:.80}."
            ) from None


def _known(rows: Iterable[tuple[str, str, float]], graph: Graph) -> Judged:
    judged = Judged({})
    for asked, named, rating in rows:
        query, page = graph.store.look_up(asked), graph.store.look_up(named)
        if query is None:
            judged.refused.add("for a query that is no page of the graph", asked)
        elif page is None:
            judged.refused.add("for a page that is not in the graph", named)
        elif page == query:
            judged.refused.add("of a page for itself", asked)
        else:
            ratings = judged.queries.setdefault(graph.url(query), {})
            if graph.url(page) in ratings:
                judged.refused.add("said before", f"{asked} {named}")
            ratings.setdefault(graph.url(page), rating)
    for name in [name for name, gold in judged.queries.items() if not _related(gold)]:
        judged.refused.add("of a query without a related page", name)
        del judged.queries[name]
    return judged


def _related(gold: dict[str, float]) -> int:
    return sum(rating > 0 for rating in gold.values())
