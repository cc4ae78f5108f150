"""All queries to all contenders, on all processors.

Much of the time of a query is Python's, so threads wait for each other (two are
slower than one); processes share the mapped graph instead.  Each item of work
is one query to one contender: a method that crashes its process, or takes too
long over a query, loses that query and no other.

A graph in memory cannot be shared, and a few queries are not worth starting
processes for: both are asked in this process.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from whatsrelated import api
from whatsrelated.apps.evaluate.trials import Trial, ask
from whatsrelated.errors import OptionError
from whatsrelated.machine.resources import limit_address_space, processors
from whatsrelated.sources import workers

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.contenders import Contender

FEW_QUERIES = 100
"""Up to this many are asked in this process."""
PATIENCE = 60.0
"""Seconds that a query may take."""
MAX_PATIENCE = 1e6
"""The most seconds that may be asked for."""


@dataclass
class QueryWorker:
    """The work of one process: open the graph once, then ask query after query."""

    path: Path
    contenders: Sequence[Contender]
    limit: int
    unlinked: bool
    patience: float
    graph: Graph | None = None
    warm: set[int] = field(default_factory=set)

    def __call__(self, item: str) -> bytes:
        number, _, query = item.partition(" ")
        return msgspec.json.encode(self.ask(int(number), query))

    def ask(self, number: int, query: str) -> Trial:
        """Ask one contender; its first query is asked twice, since it may compute a rank."""
        if self.graph is None:
            _lift_memory_limit()
            self.graph = api.open(self.path)
        if number not in self.warm:
            self.warm.add(number)
            self._ask(self.graph, number, query)
        return self._ask(self.graph, number, query)

    def _ask(self, graph: Graph, number: int, query: str) -> Trial:
        deadline = time.monotonic() + self.patience
        contender = self.contenders[number]
        return ask(graph, contender, query, self.limit, self.unlinked, deadline)


def ask_all(
    graph: Graph,
    contenders: Sequence[Contender],
    items: Iterable[tuple[int, str]],
    *,
    limit: int = 10,
    unlinked: bool = False,
    processes: int = 0,
    patience: float = PATIENCE,
) -> Iterator[tuple[int, Trial]]:
    """Ask each item, a contender's number and a query; the trials come in the order given."""
    if not 0 < patience <= MAX_PATIENCE:
        raise OptionError(
            f"evaluate: patience must be above 0 and at most {MAX_PATIENCE:g} seconds, "
            f"got {patience}."
        )
    wanted = list(items)
    processes = processes or processors()
    path = graph.store.path
    if path is None or processes == 1 or len(wanted) <= FEW_QUERIES:
        here = QueryWorker(Path(), contenders, limit, unlinked, patience, graph)
        for number, query in wanted:
            yield number, here.ask(number, query)
        return
    work = QueryWorker(path.absolute(), contenders, limit, unlinked, patience)
    texts = [f"{number} {query}" for number, query in wanted]
    # A method that respects its deadline ends by itself, and its first query may be asked twice.
    results = workers.results(work, texts, workers=processes, seconds=3 * patience + 1)
    for (number, query), (_, answer) in zip(wanted, results, strict=True):
        if isinstance(answer, workers.Lost):
            reason = answer.reason.replace("the reader", "its process")
            yield number, Trial(query, (), error=reason)
        else:
            yield number, msgspec.json.decode(answer, type=Trial)


def _lift_memory_limit() -> None:
    """Readers of hostile files are held to little memory; a mapped graph may be larger."""
    limit_address_space(None)
