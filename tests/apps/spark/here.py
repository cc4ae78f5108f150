"""The exchange of blobs by the book, without Spark: tasks run here, one after the other.

Tasks of a stage run in the order that `shuffle` says, and some of them twice, as where a
machine is lost or work is speculated on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

from whatsrelated.apps.spark.exchange import Task

Sent = list[tuple[int, int, int, bytes]]
"""Receiver, sender, place, bytes."""


class Here:
    """A session without machines."""

    def __init__(self, seed: int = 0, processors: int = 2) -> None:
        self.random = Random(seed)
        self.defaultParallelism = processors
        self.sparkContext = self

    def first_stage(self, session: Here, tasks: int, task: Task) -> Sent:
        return self._run(tasks, task, [])

    def next_stage(self, sent: Sent, tasks: int, task: Task) -> Sent:
        return self._run(tasks, task, sent)

    def _run(self, tasks: int, task: Task, sent: Sent) -> Sent:
        order = [*range(tasks), *self.random.choices(range(tasks), k=2)] if tasks else []
        self.random.shuffle(order)
        done: dict[int, Sent] = {}
        for number in order:
            own = sorted(row for row in sent if row[0] == number)
            received = ((sender, memoryview(data)) for _, sender, _, data in own)
            rows = [
                (blob.receiver, number, place, bytes(blob.data))
                for place, blob in enumerate(task(number, received))
            ]
            assert done.get(number, rows) == rows, "a second try must send the same"
            done[number] = rows
        return [row for rows in done.values() for row in rows]

    def results(self, sent: Sent) -> dict[int, bytes]:
        return {sender: data for _, sender, _, data in sent}


@contextmanager
def no_cluster(seed: int = 0) -> Iterator[Here]:
    """A session without machines, which the functions of the package take for one."""
    here = Here(seed)
    with (
        patch("whatsrelated.apps.spark.building.first_stage", here.first_stage),
        patch("whatsrelated.apps.spark.building.next_stage", here.next_stage),
        patch("whatsrelated.apps.spark.building.results", here.results),
        patch("whatsrelated.apps.spark.vectors.first_stage", here.first_stage),
        patch("whatsrelated.apps.spark.vectors.results", here.results),
    ):
        yield here
