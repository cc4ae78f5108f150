"""Rank all pages on Spark, with the same power iterations as `ranks` and one range of pages per
task.

The vectors are files of doubles (`vectors`); the driver sees only sums. As on one machine,
iteration stops when the change is below the tolerance. The scores are stored in the graph's folder,
where `related rank` and the methods find them.
"""

from __future__ import annotations

import itertools
import tempfile
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.apps.spark.building import parallelism
from whatsrelated.apps.spark.vectors import (
    Degrees,
    Product,
    Pull,
    ScaledScores,
    VectorTask,
    even_bounds,
    map_vector,
    new_vector,
    offsets_of,
)
from whatsrelated.errors import OptionError
from whatsrelated.ranks import Rank, cache
from whatsrelated.ranks.hits import HitsRank
from whatsrelated.ranks.hubrank import HubRank
from whatsrelated.ranks.iterative import Convergence
from whatsrelated.ranks.mbcc import Mbcc
from whatsrelated.ranks.pagerank import PageRank
from whatsrelated.ranks.ranking import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import SparkSession

    from whatsrelated.graph import Store
    from whatsrelated.stream import Progress

RANKS = (PageRank, HubRank, Mbcc, HitsRank)
TASKS = 4
"""Number of page ranges for each task that can run at the same time."""
ACROSS = {"in": "out", "out": "in"}


def rank_on_spark(
    session: SparkSession,
    store: Store,
    rank: Rank,
    *,
    scratch: Path | None = None,
    partitions: int | None = None,
    accept: bool = False,
    progress: Progress | None = None,
) -> Ranking:
    """Compute the score of every page on Spark and store the scores in the graph's folder."""
    if not isinstance(rank, RANKS):
        known = ", ".join(kind.name for kind in RANKS)
        raise OptionError(f"spark rank: {rank.name} does not run on Spark; choose {known}.")
    if store.path is None:
        raise OptionError("spark rank needs a graph in a folder that all machines can access.")
    convergence = Convergence(rank.name, rank.tolerance, rank.max_rounds, progress, accept)
    with tempfile.TemporaryDirectory(prefix="related-", dir=scratch or store.path.parent) as folder:
        parts = partitions or TASKS * parallelism(session)
        iteration = Iteration(session, store, Path(folder), parts, convergence)
        if not store.n_pages:
            convergence.residual = 0.0
            scores: str | None = None
            hubs: str | None = None
        elif isinstance(rank, HitsRank):
            scores, hubs = iteration.hits()
        elif isinstance(rank, Mbcc):
            scores, hubs = iteration.mbcc(rank.beta)
        else:
            scores, hubs = iteration.walk(rank), None
        ranking = Ranking(
            store,
            rank,
            _as_array(scores, convergence),
            _as_array(hubs, convergence) if hubs else None,
            convergence.iterations,
            convergence.residual,
            convergence.converged,
            convergence.notes,
        )
        if not ranking.converged:
            return ranking
        cache.write(ranking)
    stored = cache.read(store, rank)
    assert stored is not None
    return stored


def _as_array(path: str | None, convergence: Convergence) -> NDArray[Any]:
    if path is None:
        return np.empty(0)
    vector = map_vector(path)
    # Copy scores that are not stored: their temporary file will be deleted.
    return vector.astype(convergence.dtype, copy=not convergence.converged)


class Iteration:
    """The power iterations over one graph."""

    def __init__(
        self,
        session: SparkSession,
        store: Store,
        folder: Path,
        parts: int,
        convergence: Convergence,
    ) -> None:
        self._session, self._store, self._folder = session, store, folder
        self._convergence = convergence
        self._bounds = {
            direction: even_bounds(offsets_of(store, direction), parts) for direction in ACROSS
        }
        self._serial = itertools.count()

    def _new(self) -> str:
        return new_vector(self._folder, next(self._serial), self._store.n_pages)

    def _run(self, task: type[VectorTask], rows: str, **settings: Any) -> list[float]:
        graph = str(self._store.path.absolute()) if self._store.path else ""
        prepared = task(graph, self._store.fingerprint, self._bounds[rows], rows, **settings)
        return prepared.run(self._session)

    def walk(self, rank: PageRank | HubRank) -> str:
        """A random walk: see `ranks.pagerank`."""
        rows = "in"
        weights: str | tuple[int, ...] = ""
        mass = float(self._store.n_pages)
        if isinstance(rank, HubRank):
            rows = "out" if rank.matrix == "transposed" else "in"
            if self._store.n_links:
                weights, mass = rank.bias, float(self._store.n_links)
        elif rank.teleport:
            weights = tuple(sorted({self._store.page(name) for name in rank.teleport}))
            mass = float(len(weights))
        divisors = self._new()
        self._run(Degrees, rows, direction=ACROSS[rows], out=divisors)
        pull = partial(self._run, Pull, rows, divisors=divisors, weights=weights)
        x, after = self._new(), self._new()
        _, dangling, total = pull(
            x=None, before=None, out=x, damping=0.0, **_jump(1.0 / mass, weights)
        )
        while not self._convergence.ended:
            jumps = rank.damping * dangling + (1 - rank.damping)
            change, dangling, total = pull(
                x=x, before=x, out=after, damping=rank.damping, **_jump(jumps / mass, weights)
            )
            x, after = after, x
            self._convergence.record(change)
        self._convergence.check()
        self._run(ScaledScores, rows, x=x, out=after, factor=1 / total, divisors=divisors)
        return after

    def mbcc(self, beta: float) -> tuple[str, str]:
        """A random walk between pages with common parents: see `ranks.mbcc`."""
        pages = float(self._store.n_pages)
        degrees, divisors, x, after, parents = (self._new() for _ in range(5))
        self._run(Degrees, "out", direction="out", out=degrees)
        self._run(Product, "in", x=degrees, out=divisors)
        pull = partial(self._run, Pull, "in", divisors=divisors)
        _, dangling, total = pull(x=None, before=None, out=x, damping=0.0, constant=1 / pages)
        while not self._convergence.ended:
            self._run(Product, "out", x=x, out=parents)
            jumps = beta * dangling + (1 - beta)
            change, dangling, total = pull(
                x=parents, before=x, out=after, damping=beta, constant=jumps / pages
            )
            x, after = after, x
            self._convergence.record(change)
        self._convergence.check()
        self._run(ScaledScores, "in", x=x, out=after, factor=1 / total, divisors=divisors)
        self._run(Product, "in", x=after, out=parents)
        _, total, _ = self._run(Product, "out", x=parents, out=x)
        self._run(ScaledScores, "out", x=x, out=degrees, factor=1 / total if total else 0.0)
        return after, degrees

    def hits(self) -> tuple[str, str]:
        """Hubs and authorities by power iteration: see `ranks.hits`."""
        y, before, hubs, scores = (self._new() for _ in range(4))
        if not self._store.n_links:
            self._convergence.residual = 0.0
            return y, hubs
        square, _ = self._run(Degrees, "in", direction="in", out=y)
        factor, old = 1 / sqrt(square), 0.0
        length = 1.0
        while True:
            length, _, change = self._run(
                Product, "out", x=y, out=hubs, factor=factor, before=old, y=before
            )
            if old:
                self._convergence.record(change)
            if self._convergence.ended:
                break
            y, before, old = before, y, factor
            square, _, _ = self._run(Product, "in", x=hubs, out=y)
            factor = 1 / sqrt(square)
        self._convergence.check()
        self._run(ScaledScores, "in", x=y, out=scores, factor=factor)
        self._run(ScaledScores, "out", x=hubs, out=before, factor=1 / sqrt(length))
        return scores, before


def _jump(amount: float, weights: str | tuple[int, ...]) -> dict[str, float]:
    """Distribute an amount over all pages, uniformly or by weights."""
    return {"constant": 0.0, "jump": amount} if weights else {"constant": amount}
