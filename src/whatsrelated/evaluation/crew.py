"""All queries to all contenders, on all processors.

Much of the time of a query is Python's, so threads wait for each other (two are
slower than one); processes share the mapped graph instead.  Each item
of work is one query to one contender: a method that crashes its process or
stays on a query too long loses that query, and no other.

A graph in memory cannot be shared, and little work is not worth starting
processes for: both are done here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from whatsrelated import api
from whatsrelated.errors import OptionError
from whatsrelated.evaluation.experiment import Asked, ask_one
from whatsrelated.machine.resources import processors
from whatsrelated.sources import workers

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.evaluation.contenders import Contender

LITTLE = 100
"""So many queries or fewer are asked here."""
PATIENCE = 60.0
"""Seconds that a query may take."""
LONGEST = 1e6
"""Seconds that anybody may wait."""


@dataclass
class Asking:
    """The work of one process: open the graph once, then ask what it is handed."""

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

    def ask(self, number: int, query: str) -> Asked:
        """The answer of one contender; the first time is not counted, a rank may be made then."""
        if self.graph is None:
            _use_all_memory()
            self.graph = api.open(self.path)
        contender = self.contenders[number]
        told = self.graph, contender, query, self.limit, self.unlinked
        if number not in self.warm:
            self.warm.add(number)
            ask_one(*told, deadline=time.monotonic() + self.patience)
        return ask_one(*told, deadline=time.monotonic() + self.patience)


def ask_all(
    graph: Graph,
    contenders: Sequence[Contender],
    items: Iterable[tuple[int, str]],
    *,
    limit: int = 10,
    unlinked: bool = False,
    processes: int = 0,
    patience: float = PATIENCE,
) -> Iterator[tuple[int, Asked]]:
    """Each item, a contender's number and a query, with its answer, in the order given."""
    if not 0 < patience <= LONGEST:
        raise OptionError(
            f"evaluate: patience must be above 0 and at most {LONGEST:g} seconds, got {patience}."
        )
    wanted = list(items)
    processes = processes or processors()
    path = graph.store.path
    if path is None or processes == 1 or len(wanted) <= LITTLE:
        here = Asking(Path(), contenders, limit, unlinked, patience, graph)
        for number, query in wanted:
            yield number, here.ask(number, query)
        return
    work = Asking(path.absolute(), contenders, limit, unlinked, patience)
    texts = [f"{number} {query}" for number, query in wanted]
    # A method that minds its deadline ends by itself, and its first answer may be asked twice.
    results = workers.results(work, texts, workers=processes, seconds=3 * patience + 1)
    for (number, query), (_, answer) in zip(wanted, results, strict=True):
        if isinstance(answer, workers.Lost):
            reason = answer.reason.replace("the reader", "its process")
            yield number, Asked(query, (), error=reason)
        else:
            yield number, msgspec.json.decode(answer, type=Asked)


def _use_all_memory() -> None:
    """Readers of hostile files are held to little memory; a mapped graph may be larger."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
