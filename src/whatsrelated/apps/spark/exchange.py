"""How tasks send bytes to one another: blobs, moved by Spark and by nothing else.

A blob has a receiver, a sender and its place among what the two exchange.  A stage is a
number of tasks; each gets what was sent to it, in the order of the senders, and sends on.
So what a task sees depends neither on the machine that it runs on, nor on how often it was
tried, nor on how many run at a time.

A stage is an RDD with a partition for each task: Spark's tables would copy and sort each
blob, and compile code for every stage, which costs twice as much Java.
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
"""The most bytes of a blob: Java holds some of them at a time."""

Row: TypeAlias = tuple[int, tuple[int, int, bytes]]
"""A blob as Spark sees it: the receiver; the sender, the place and the bytes."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Some bytes for a receiver."""

    receiver: int
    data: bytes | memoryview


Received = Iterator[tuple[int, "memoryview"]]
"""What was sent to a task: the sender of each blob, and its bytes, in the order of senders."""
Task = Callable[[int, Received], Iterable[Blob]]
"""A task gets its number and what was sent to it, and sends blobs on."""


def first_stage(session: SparkSession, tasks: int, task: Task) -> RDD[Row]:
    """A stage of tasks to which nothing was sent."""
    numbers = session.sparkContext.parallelize(range(tasks), max(tasks, 1))
    return numbers.mapPartitions(partial(_start, task))


def next_stage(sent: RDD[Row], tasks: int, task: Task) -> RDD[Row]:
    """A stage whose tasks get what the one before has sent; every one runs, sent to or not."""
    return sent.partitionBy(tasks, int).mapPartitionsWithIndex(partial(_receive, task))


def results(sent: RDD[Row]) -> dict[int, bytes]:
    """Run all stages; the one small blob that each task of the last one has sent, by sender."""
    return {sender: data for _, (sender, _, data) in sent.collect()}


def _start(task: Task, numbers: Iterable[int]) -> Iterator[Row]:
    for number in numbers:
        yield from _rows(number, task(number, iter(())))


def _receive(task: Task, number: int, rows: Iterable[Row]) -> Iterator[Row]:
    blobs = sorted((blob for _, blob in rows), key=itemgetter(0, 1))
    return _rows(number, task(number, _in_turn(blobs)))


def _in_turn(blobs: list[tuple[int, int, bytes]]) -> Received:
    """The blobs one after the other, each freed when the next is asked for."""
    blobs.reverse()
    while blobs:
        sender, _, data = blobs.pop()
        yield sender, memoryview(data)


def _rows(sender: int, blobs: Iterable[Blob]) -> Iterator[Row]:
    for place, blob in enumerate(blobs):
        yield blob.receiver, (sender, place, bytes(blob.data))


def cut(receiver: int, data: bytes | memoryview | NDArray[Any]) -> Iterator[Blob]:
    """Bytes for a receiver in blobs that are not too large."""
    if isinstance(data, np.ndarray):
        data = np.ascontiguousarray(data).data.cast("B") if data.size else b""
    for first in range(0, len(data), LARGEST):
        yield Blob(receiver, data[first : first + LARGEST])


def gather(received: Received, dtype: str) -> NDArray[Any]:
    """All that was received as one array."""
    data = bytearray()
    for _, blob in received:
        data += blob
    return np.frombuffer(data, dtype)


def by_sender(received: Received) -> Iterator[tuple[int, bytearray]]:
    """What each sender has sent, as a whole."""
    for sender, blobs in groupby(received, key=lambda row: row[0]):
        data = bytearray()
        for _, blob in blobs:
            data += blob
        if data:
            yield sender, data
