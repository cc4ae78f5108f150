"""Vectors over all pages, in shared files, and the tasks that compute them.

A task computes a range of pages. It maps the graph and the vectors that it reads, and writes its
part of the result into the file. A retry writes the same bytes. Only sums are sent back to the
driver.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.apps.spark.exchange import Blob, Received, first_stage, results
from whatsrelated.graph.store import Store

if TYPE_CHECKING:
    from numpy import float64, uint32, uint64
    from numpy.typing import NDArray
    from pyspark.sql import SparkSession

    Adjacency = tuple[NDArray[uint64], NDArray[uint32]]

PAGE = 4
"""The fixed cost of a page, measured in links."""


def new_vector(folder: Path, number: int, pages: int) -> str:
    """Create a file for a vector of zeros."""
    path = folder / f"{number:06}.run"
    with path.open("wb") as file:
        file.truncate(8 * pages)
    return str(path)


def map_vector(path: str) -> NDArray[float64]:
    """The vector in a file."""
    return np.memmap(path, "<f8", "r")


def write_slice(path: str, first: int, values: NDArray[Any]) -> None:
    """Write a part of a vector into its file."""
    data = np.ascontiguousarray(values).data.cast("B") if len(values) else b""
    file = os.open(path, os.O_WRONLY)
    try:
        written = 0
        while written < len(data):
            written += os.pwrite(file, data[written:], values.itemsize * first + written)
    finally:
        os.close(file)


def offsets_of(store: Store, direction: str) -> NDArray[uint64]:
    """The offsets of the links from pages (`out`) or to them (`in`)."""
    return store.out_offsets if direction == "out" else store.in_offsets


def rows_of(store: Store, direction: str, first: int, last: int) -> Adjacency:
    """The links of a range of pages in a direction, and their offsets."""
    offsets = offsets_of(store, direction)[first : last + 1]
    links = store.out_links if direction == "out" else store.in_links
    return offsets - offsets[0], np.asarray(links[int(offsets[0]) : int(offsets[-1])])


def degrees_of(store: Store, direction: str, first: int, last: int) -> NDArray[float64]:
    """The number of links per page of a range, in one direction."""
    return np.diff(offsets_of(store, direction)[first : last + 1]).astype(np.float64)


@dataclass(frozen=True)
class VectorTask:
    """Computes a range of pages in a task; returns sums."""

    graph: str
    fingerprint: str
    bounds: tuple[int, ...]
    rows: str
    """The direction of the links to read, `out` or `in`."""

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        store = Store.open(Path(self.graph), verify="none")
        assert store.fingerprint == self.fingerprint, "the graph was rebuilt during the job"
        sums = self.compute(store, self.bounds[number], self.bounds[number + 1])
        yield Blob(0, np.array(sums, "<f8").tobytes())

    def compute(self, store: Store, first: int, last: int) -> tuple[float, ...]:
        """Compute the pages of a range; return sums over them."""
        raise NotImplementedError

    def run(self, session: SparkSession) -> list[float]:
        """Compute all ranges; return the sums over all pages, added in the order of the ranges."""
        count = len(self.bounds) - 1
        packed = results(first_stage(session, count, self))
        sums = np.array([np.frombuffer(packed[number], "<f8") for number in range(count)])
        return [float(total) for total in sums.sum(axis=0)]


@dataclass(frozen=True)
class Product(VectorTask):
    """out ← factor · L x, by the rows of a direction; Σ out², Σ out and ‖factor·x - before·y‖₁.

    `before` and `y` are the factor and the vector of the previous iteration.
    """

    x: str
    out: str
    factor: float = 1.0
    before: float = 0.0
    y: str | None = None

    def compute(self, store: Store, first: int, last: int) -> tuple[float, ...]:
        x = map_vector(self.x)
        out = np.empty(last - first)
        kernels.sweep.multiply(
            *rows_of(store, self.rows, first, last),
            x,
            out,
            first=0,
            last=len(out),
            sums=np.zeros(2),
        )
        out *= self.factor
        write_slice(self.out, first, out)
        change = 0.0
        if self.y is not None:
            y = map_vector(self.y)[first:last]
            change = float(np.abs(self.factor * x[first:last] - self.before * y).sum())
        return float(np.square(out).sum()), float(out.sum()), change


@dataclass(frozen=True)
class Degrees(VectorTask):
    """out ← the degrees in a direction; Σ out², Σ out."""

    direction: str
    out: str

    def compute(self, store: Store, first: int, last: int) -> tuple[float, ...]:
        degrees = degrees_of(store, self.direction, first, last)
        write_slice(self.out, first, degrees)
        return float(np.square(degrees).sum()), float(degrees.sum())


@dataclass(frozen=True)
class Pull(VectorTask):
    """Scores damping · L x + constant + jump · weights, as contributions; see `ranks.vectors`.

    The sums are the L1 distance between the scores and `before`, the scores of dangling
    pages, and all scores.  Without `x`, only the last two terms are used.
    """

    x: str | None
    before: str | None
    out: str
    divisors: str
    """The vector of degrees by which scores are divided."""
    damping: float
    constant: float
    jump: float = 0.0
    weights: str | tuple[int, ...] = ""
    """Weights of the jumps: `out` or `in` for degrees, or a vector; uniform if empty."""

    def compute(self, store: Store, first: int, last: int) -> tuple[float, ...]:
        count = last - first
        degrees = np.asarray(map_vector(self.divisors)[first:last])
        scores = np.full(count, self.constant)
        if self.weights:
            scores += self.jump * self._weights(store, first, last)
        if self.x is not None:
            pulled = np.empty(count)
            kernels.sweep.multiply(
                *rows_of(store, self.rows, first, last),
                map_vector(self.x),
                pulled,
                first=0,
                last=count,
                sums=np.zeros(2),
            )
            scores += self.damping * pulled
        divisors = np.maximum(degrees, 1)
        change = 0.0
        if self.before is not None:
            before = map_vector(self.before)[first:last] * divisors
            change = float(np.abs(scores - before).sum())
        write_slice(self.out, first, scores / divisors)
        return change, float(scores[degrees == 0].sum()), float(scores.sum())

    def _weights(self, store: Store, first: int, last: int) -> NDArray[float64]:
        if isinstance(self.weights, str):
            return degrees_of(store, self.weights, first, last)
        weights = np.zeros(last - first)
        weights[[page - first for page in self.weights if first <= page < last]] = 1
        return weights


@dataclass(frozen=True)
class ScaledScores(VectorTask):
    """out ← factor · x · max(divisors, 1)."""

    x: str
    out: str
    factor: float
    divisors: str | None = None

    def compute(self, store: Store, first: int, last: int) -> tuple[float, ...]:
        scores = self.factor * map_vector(self.x)[first:last]
        if self.divisors is not None:
            scores *= np.maximum(map_vector(self.divisors)[first:last], 1)
        write_slice(self.out, first, scores)
        return (0.0,)


def even_bounds(offsets: NDArray[Any], parts: int) -> tuple[int, ...]:
    """Ranges of pages with roughly equal cost."""
    pages = len(offsets) - 1
    work = int(offsets[-1]) + PAGE * pages
    ends = [
        bisect_left(range(pages), work * part // parts, key=lambda q: int(offsets[q]) + PAGE * q)
        for part in range(1, parts)
    ]
    return tuple(sorted({0, *ends, pages}))
