"""Run one task on many items of a graph, in several processes.

A query spends much of its time in Python, so threads wait for each other (two are slower than one).
Processes share the mapped graph instead: each opens it once and handles one item after another. If
an item crashes its process or takes too long, only that item is lost (`machine.workers`).

Graphs in memory cannot be shared, and a few items are not worth starting processes for. Both are
handled in this process.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from whatsrelated.errors import RelatedError
from whatsrelated.machine import workers
from whatsrelated.machine.resources import processors
from whatsrelated.machine.workers import Lost

if TYPE_CHECKING:
    from whatsrelated.api.graph import Graph

Item = TypeVar("Item")
Output = TypeVar("Output")


@dataclass(frozen=True)
class GraphWorker(Generic[Item, Output]):
    """Runs the task in one process, which opens the graph and receives the positions of items."""

    pickled_graph: bytes
    task: Callable[[Graph, Item], Output]
    items: Sequence[Item]

    @cached_property
    def graph(self) -> Graph:
        """The graph, opened for the first item, so opening errors are reported in the usual way."""
        graph: Graph = pickle.loads(self.pickled_graph)
        return graph

    def __call__(self, number: str) -> bytes:
        try:
            return pickle.dumps((self.task(self.graph, self.items[int(number)]), None))
        except (RelatedError, OSError) as error:
            return pickle.dumps((None, error))


def run_tasks(
    graph: Graph,
    task: Callable[[Graph, Item], Output],
    items: Sequence[Item],
    *,
    processes: int = 0,
    few: int = 1,
    seconds: float = 600.0,
    window: int = workers.WINDOW,
) -> Iterator[tuple[Item, Output | Lost]]:
    """Each item, in order, with the task's result or the reason it was lost.

    The task, the items and the results must be picklable; a RelatedError or OSError of the task is
    raised here. `processes` is the maximum number of processes; 0 starts one per processor. Up to
    `few` items are handled in this process. `seconds` is the time limit for one item, `window` the
    maximum number of items in progress or waiting for an earlier one.
    """
    processes = min(processes or processors(), len(items))
    if graph.store.path is None or processes <= 1 or len(items) <= few:
        for item in items:
            yield item, task(graph, item)
        return
    numbers = map(str, range(len(items)))
    answers = workers.results(
        GraphWorker(pickle.dumps(graph), task, items),
        numbers,
        noun="its process",
        workers=processes,
        seconds=seconds,
        memory=None,
        window=window,
    )
    for item, (_, answer) in zip(items, answers, strict=True):
        if isinstance(answer, Lost):
            yield item, answer
            continue
        output, error = pickle.loads(answer)
        if error is not None:
            raise error
        yield item, output
