"""Tasks send bytes to each other as blobs; Spark moves them and does nothing else.

A blob has a receiver, a sender and a position among the blobs from that sender to that receiver.  A
stage consists of tasks; each receives its blobs in the order of the senders and sends new ones.  A
task's input therefore does not depend on its machine, on retries, or on how many tasks run at once.

A stage is an RDD with one partition per task.  Spark's tables would copy and sort each
blob and compile code for every stage, which doubles the time spent in Java.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.sql import SparkSession

LARGEST = 4 << 20
"""Maximum size of a blob in bytes; Java holds several at a time."""

Row: TypeAlias = tuple[int, tuple[int, int, bytes]]
"""A blob in Spark's form: the receiver, then the sender, the position and the bytes."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes for a receiver."""

    receiver: int
    data: bytes | memoryview


Received = Iterator[tuple[int, "memoryview"]]
"""The blobs sent to a task: the sender and bytes of each, in sender order."""
Task = Callable[[int, Received], Iterable[Blob]]
"""A task takes its number and the blobs sent to it, and returns blobs to send."""


def first_stage(session: SparkSession, tasks: int, task: Task) -> RDD[Row]:
    """A stage whose tasks receive no blobs."""
    numbers = session.sparkContext.parallelize(range(tasks), max(tasks, 1))
    return numbers.mapPartitions(partial(_start, task))


def next_stage(sent: RDD[Row], tasks: int, task: Task) -> RDD[Row]:
    """A stage whose tasks receive the previous stage's blobs; tasks that receive none also run."""
    return sent.partitionBy(tasks, int).mapPartitionsWithIndex(partial(_receive, task))


def results(sent: RDD[Row]) -> dict[int, bytes]:
    """Run all stages; return the single small blob of each task in the last stage, by sender."""
    return {sender: data for _, (sender, _, data) in sent.collect()}


def _start(task: Task, numbers: Iterable[int]) -> Iterator[Row]:
    for number in numbers:
        yield from _rows(number, task(number, iter(())))


def _receive(task: Task, number: int, rows: Iterable[Row]) -> Iterator[Row]:
    blobs = sorted((blob for _, blob in rows), key=itemgetter(0, 1))
    return _rows(number, task(number, _in_turn(blobs)))


def _in_turn(blobs: list[tuple[int, int, bytes]]) -> Received:
    """Yield the blobs in order; each is freed when the next is requested."""
    blobs.reverse()
    while blobs:
        sender, _, data = blobs.pop()
        yield sender, memoryview(data)


def _rows(sender: int, blobs: Iterable[Blob]) -> Iterator[Row]:
    for place, blob in enumerate(blobs):
        yield blob.receiver, (sender, place, bytes(blob.data))


def cut(receiver: int, data: bytes | memoryview | NDArray[Any]) -> Iterator[Blob]:
    """Split bytes for a receiver into blobs of at most `LARGEST` bytes."""
    if isinstance(data, np.ndarray):
        data = np.ascontiguousarray(data).data.cast("B") if data.size else b""
    for first in range(0, len(data), LARGEST):
        yield Blob(receiver, data[first : first + LARGEST])


def gather(received: Received, dtype: str) -> NDArray[Any]:
    """All received blobs as one array."""
    data = bytearray()
    for _, blob in received:
        data += blob
    return np.frombuffer(data, dtype)


def by_sender(received: Received) -> Iterator[tuple[int, bytearray]]:
    """The blobs of each sender, joined."""
    for sender, blobs in groupby(received, key=lambda row: row[0]):
        data = bytearray()
        for _, blob in blobs:
            data += blob
        if data:
            yield sender, data
