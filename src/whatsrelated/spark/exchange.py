"""How tasks send bytes to one another: rows of blobs, moved by Spark and by nothing else.

A row is a blob with its receiver, its sender and its place among what the two exchange.
A stage is a number of tasks; each gets what was sent to it, in the order of the senders,
and sends on.  So what a task sees depends neither on the machine that it runs on, nor on
how often it was tried, nor on how many run at a time.

Receivers are spread evenly: Spark puts a row into the partition that the hash of a column
says (Murmur3 of an integer with the seed 42, modulo the number of partitions), so each
receiver has an integer whose hash is its partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from numpy import uint32
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

SCHEMA = "place int, receiver int, sender int, part int, data binary"
LARGEST = 1 << 20
"""The most bytes of a blob: Spark sorts and sends whole rows."""
ROWS_AT_ONCE = 32
"""Rows that Spark hands to a task at a time."""
BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


@dataclass(frozen=True, slots=True)
class Blob:
    """Some bytes for a receiver."""

    receiver: int
    data: bytes | memoryview


Received = Iterator[tuple[int, "memoryview"]]
"""What was sent to a task: the sender of each blob, and its bytes, in the order of senders."""
Task = Callable[[int, Received], Iterable[Blob]]
"""A task gets its number and what was sent to it, and sends blobs on."""
Places: TypeAlias = "NDArray[uint32]"
"""For each receiver the integer whose hash is its partition."""
Rows: TypeAlias = Iterator["pa.RecordBatch"]


def first_stage(session: SparkSession, tasks: int, task: Task, receivers: int = 0) -> DataFrame:
    """A stage of tasks to which nothing was sent; `receivers` are the tasks of the next."""
    numbers = session.range(0, tasks, 1, max(tasks, 1))
    return numbers.mapInArrow(partial(_start, task, partition_keys(receivers)), SCHEMA)


def next_stage(sent: DataFrame, tasks: int, task: Task, receivers: int = 0) -> DataFrame:
    """A stage whose tasks get what the one before has sent; every one runs, sent to or not."""
    greet = partial(_greet, partition_keys(tasks))
    everyone = sent.sparkSession.range(0, 1, 1, 1).mapInArrow(greet, SCHEMA)
    rows = sent.union(everyone).repartition(max(tasks, 1), "place")
    ordered = rows.sortWithinPartitions("receiver", "sender", "part")
    return ordered.mapInArrow(partial(_receive, task, partition_keys(receivers)), SCHEMA)


def results(sent: DataFrame) -> dict[int, bytes]:
    """Run all stages; the one small blob that each task of the last one has sent, by sender."""
    with few_rows_at_once(sent.sparkSession):
        rows = sent.select("sender", "data").collect()
    return {row["sender"]: bytes(row["data"]) for row in rows}


@contextmanager
def few_rows_at_once(session: SparkSession) -> Iterator[None]:
    """Have Spark hand over few rows at a time: they are large."""
    before = session.conf.get(BATCH)
    session.conf.set(BATCH, str(ROWS_AT_ONCE))
    try:
        yield
    finally:
        session.conf.set(BATCH, str(before))


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


def _start(task: Task, places: Places, batches: Iterator[pa.RecordBatch]) -> Rows:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            yield from _rows(number, places, task(number, iter(())))


def _greet(places: Places, batches: Iterator[pa.RecordBatch]) -> Rows:
    """An empty blob for everybody."""
    for _ in batches:
        yield from _rows(-1, places, (Blob(receiver, b"") for receiver in range(len(places))))


def _receive(task: Task, places: Places, batches: Iterator[pa.RecordBatch]) -> Rows:
    rows = (
        (receiver, sender, memoryview(data.as_buffer()))
        for batch in batches
        for receiver, sender, data in zip(
            batch.column(1).to_pylist(), batch.column(2).to_pylist(), batch.column(4), strict=True
        )
    )
    for receiver, own in groupby(rows, key=lambda row: row[0]):
        received = ((sender, data) for _, sender, data in own if len(data))
        yield from _rows(receiver, places, task(receiver, received))


def _rows(sender: int, places: Places, blobs: Iterable[Blob]) -> Rows:
    """Blobs as rows, some at a time."""
    held: list[Blob] = []
    size = sent = 0
    for blob in blobs:
        held.append(blob)
        size += len(blob.data)
        if size >= LARGEST or len(held) == 1024:
            yield _batch(sender, places, held, sent)
            sent += len(held)
            held, size = [], 0
    if held:
        yield _batch(sender, places, held, sent)


def _batch(sender: int, places: Places, blobs: list[Blob], first: int) -> pa.RecordBatch:
    import pyarrow as pa

    count = len(blobs)
    receivers = np.array([blob.receiver for blob in blobs], np.int32)
    columns = [
        pa.array(places[receivers].view(np.int32)),
        pa.array(receivers),
        pa.array(np.full(count, sender, np.int32)),
        pa.array(np.arange(first, first + count, dtype=np.int32)),
        pa.array([bytes(blob.data) for blob in blobs], pa.binary()),
    ]
    return pa.RecordBatch.from_arrays(
        columns, names=["place", "receiver", "sender", "part", "data"]
    )


def partition_keys(partitions: int) -> Places:
    """For each partition an integer that Spark's hash puts there; one for what is collected."""
    keys = np.zeros(max(partitions, 1), np.uint32)
    missing = np.ones(len(keys), np.bool_)
    first = 0
    while missing.any():
        tried = np.arange(first, first + 8 * len(keys), dtype=np.uint32)
        places = spark_hash(tried).view(np.int32) % len(keys)
        keys[places[::-1]] = np.where(missing[places], tried, keys[places])[::-1]
        missing[places] = False
        first += len(tried)
    return keys


def spark_hash(values: NDArray[uint32]) -> NDArray[uint32]:
    """Murmur3 of 32-bit integers with the seed 42, as Spark's `hash` computes it."""

    def rotate(x: NDArray[uint32], bits: int) -> NDArray[uint32]:
        return x << np.uint32(bits) | x >> np.uint32(32 - bits)

    mixed = rotate(values * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
    hashed = rotate(np.uint32(42) ^ mixed, 13) * np.uint32(5) + np.uint32(0xE6546B64)
    hashed ^= np.uint32(4)
    hashed ^= hashed >> np.uint32(16)
    hashed *= np.uint32(0x85EBCA6B)
    hashed ^= hashed >> np.uint32(13)
    hashed *= np.uint32(0xC2B2AE35)
    return hashed ^ hashed >> np.uint32(16)
