"""PageRank with a teleport vector in other libraries, each used as its authors intend.

A rival gets the graph once, in its own form, and is then asked repeatedly for scores to a
tolerance, on one thread or all.  If a library leaves the iteration to its user, we use power
iteration in 32 bits until a round changes the scores by less than the tolerance (L1).
Libraries without a tolerance option say so in their name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whatsrelated.graph import Store

DAMPING = 0.85
ROUNDS = 1000
Vector = NDArray[Any]


def _matrix(store: Store, kind: str, dtype: Any) -> Any:
    """The links of one direction as SciPy's sparse matrix, rows in ascending order."""
    from scipy import sparse

    offsets = getattr(store, f"{kind}_offsets").astype(np.int64)
    links = getattr(store, f"{kind}_links").astype(np.int32)
    shape = (store.n_pages, store.n_pages)
    matrix = sparse.csr_matrix((np.ones(len(links), dtype), links, offsets), shape)
    matrix.sort_indices()
    return matrix


class Rival:
    """A library with PageRank or sparse matrices."""

    name: ClassVar[str]
    threaded: ClassVar[bool] = True
    teleports: ClassVar[bool] = True

    def __init__(self, store: Store) -> None:
        raise NotImplementedError

    def threads(self, count: int) -> None:
        """Set the number of threads."""

    def scores(self, teleport: Vector | None, tolerance: float) -> Vector:
        raise NotImplementedError


class SciPy(Rival):
    name = "SciPy, float32"
    threaded = False

    def __init__(self, store: Store, kind: Any = np.float32) -> None:
        self.kind = kind
        self.into = _matrix(store, "in", kind)
        self.degrees = np.diff(store.out_offsets.astype(np.int64)).astype(kind)
        self.stranded = np.flatnonzero(self.degrees == 0)
        self.inverse = kind(DAMPING) / np.maximum(self.degrees, 1)

    def scores(self, teleport: Vector | None, tolerance: float) -> Vector:
        n = len(self.degrees)
        jumps = np.full(n, 1 / n, self.kind) if teleport is None else teleport.astype(self.kind)
        scores = jumps
        for _ in range(ROUNDS):
            held = float(scores[self.stranded].sum(dtype=np.float64))
            after = self.into @ (scores * self.inverse)
            after += jumps * self.kind(1 - DAMPING + DAMPING * held)
            change = np.abs(after - scores).sum(dtype=np.float64)
            scores = after
            if change < tolerance:
                break
        return scores


class GraphBLAS(Rival):
    """As in LAGraph: shares by `plus_second` over the pattern of the links."""

    name = "python-graphblas, float32"

    def __init__(self, store: Store) -> None:
        import graphblas

        self.gb = graphblas
        matrix = _matrix(store, "in", np.float32)
        self.into = graphblas.Matrix.ss.import_csr(
            nrows=store.n_pages,
            ncols=store.n_pages,
            indptr=matrix.indptr.astype(np.uint64),
            col_indices=matrix.indices.astype(np.uint64),
            values=np.array([1], np.float32),
            is_iso=True,
            sorted_cols=True,
        )
        degrees = np.diff(store.out_offsets.astype(np.int64)).astype(np.float32)
        vector = graphblas.Vector.from_dense
        self.inverse = vector(np.float32(DAMPING) / np.maximum(degrees, 1))
        self.no_links = vector((degrees == 0).astype(np.float32))

    def threads(self, count: int) -> None:
        self.gb.ss.config["nthreads"] = count

    def scores(self, teleport: Vector | None, tolerance: float) -> Vector:
        gb, n = self.gb, self.into.nrows
        given = np.full(n, 1 / n, np.float32) if teleport is None else teleport.astype(np.float32)
        jumps = gb.Vector.from_dense(given)
        scores, shares, after = jumps.dup(), jumps.dup(), jumps.dup()
        for _ in range(ROUNDS):
            held = scores.inner(self.no_links).value
            shares << scores.ewise_mult(self.inverse, gb.binary.times)
            after << gb.binary.times(jumps, np.float32(1 - DAMPING + DAMPING * held))
            after(gb.binary.plus) << self.into.mxv(shares, gb.semiring.plus_second)
            scores << scores.ewise_mult(after, gb.binary.minus)
            scores << scores.apply(gb.unary.abs)
            change = scores.reduce(gb.monoid.plus).value
            scores, after = after, scores
            if change < tolerance:
                break
        return np.asarray(scores.to_dense())


class NetworKit(Rival):
    name = "NetworKit, float64"
    teleports = False

    def __init__(self, store: Store) -> None:
        import networkit

        self.nk = networkit
        degrees = np.diff(store.out_offsets.astype(np.int64))
        sources = np.repeat(np.arange(store.n_pages, dtype=np.uint64), degrees)
        targets = store.out_links.astype(np.uint64)
        self.graph = networkit.GraphFromCoo(
            (sources, targets), store.n_pages, weighted=False, directed=True
        )

    def threads(self, count: int) -> None:
        self.nk.setNumberOfThreads(count)

    def scores(self, teleport: Vector | None, tolerance: float) -> Vector:
        centrality = self.nk.centrality
        rank = centrality.PageRank(
            self.graph,
            DAMPING,
            tolerance,
            distributeSinks=centrality.SinkHandling.DistributeSinks,
        )
        rank.norm = centrality.Norm.L1_NORM
        rank.run()
        scores = np.array(rank.scores())
        return scores / scores.sum()


class IGraph(Rival):
    name = "igraph, PRPACK, to its own tolerance"
    threaded = False

    def __init__(self, store: Store) -> None:
        import igraph

        degrees = np.diff(store.out_offsets.astype(np.int64))
        sources = np.repeat(np.arange(store.n_pages), degrees)
        edges = np.stack([sources, store.out_links.astype(np.int64)], axis=1)
        self.graph = igraph.Graph(n=store.n_pages, edges=memoryview(edges), directed=True)

    def scores(self, teleport: Vector | None, tolerance: float) -> Vector:
        if teleport is None:
            return np.array(self.graph.pagerank(damping=DAMPING))
        return np.array(self.graph.personalized_pagerank(damping=DAMPING, reset=teleport.tolist()))


class ScikitNetwork(Rival):
    """The solver that handles pages without links correctly; piteration and bicgstab do not."""

    name = "scikit-network, diteration, float32"

    def __init__(self, store: Store) -> None:
        self.links = _matrix(store, "out", bool)

    def scores(self, teleport: Vector | None, tolerance: float) -> Vector:
        from sknetwork.linalg.ppr_solver import get_pagerank

        n = self.links.shape[0]
        jumps = np.full(n, 1 / n) if teleport is None else teleport.astype(np.float64)
        scores: Vector = get_pagerank(
            self.links, jumps, DAMPING, ROUNDS, tolerance, solver="diteration"
        )
        return scores


RIVALS: list[Callable[[Store], Rival]] = [
    SciPy,
    GraphBLAS,
    NetworKit,
    IGraph,
    ScikitNetwork,
]
