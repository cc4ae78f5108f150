"""All queries to all contenders, on all processors.

Each item of work is one query to one contender: a method that crashes its process, or
takes too long over a query, loses that query and no other.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whatsrelated.api.tasks import run_tasks
from whatsrelated.apps.evaluate.trials import Trial, ask
from whatsrelated.errors import OptionError
from whatsrelated.machine.workers import Lost

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
class AskContender:
    """The task: put one query to one contender.

    The first query of each is asked twice in a process, since it may compute a rank.
    """

    contenders: Sequence[Contender]
    limit: int
    unlinked: bool
    patience: float
    warm: set[int] = field(default_factory=set)

    def __call__(self, graph: Graph, item: tuple[int, str]) -> Trial:
        number, query = item
        if number not in self.warm:
            self.warm.add(number)
            self._ask(graph, number, query)
        return self._ask(graph, number, query)

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
    task = AskContender(contenders, limit, unlinked, patience)
    # A method that respects its deadline ends by itself, and its first query may be asked twice.
    seconds = 3 * patience + 1
    asked = run_tasks(
        graph, task, list(items), processes=processes, few=FEW_QUERIES, seconds=seconds
    )
    for (number, query), trial in asked:
        if isinstance(trial, Lost):
            trial = Trial(query, (), error=trial.reason)
        yield number, trial
