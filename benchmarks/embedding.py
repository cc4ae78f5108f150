"""Would an embedding of the graph, computed once at build time, improve the default?

    python -m benchmarks.embedding SETS [--sets git,php …] [--queries 300] [--seed 7]

SETS is a folder of sets made by `benchmarks.sets`.  Two embeddings with 64 dimensions are
computed for each, ignoring the direction of links:

- *spectral*: the largest singular vectors of the positive pointwise mutual information
  (logarithms) of walks of one and two links;
- *ProNE* (Zhang et al. 2019): the singular vectors of the links' log odds against negative samples,
  smoothed by a band-pass filter on the graph's spectrum.

The score of `blend` from links alone is multiplied by 1 + max(cosine, 0) / e.  For each set,
e (which may be infinite) is chosen on the others, by the mean logarithm of the ratio to the
default.  Prints capped recall@10 (precision for labels) for all of the gold / for pages not
linked yet, p of a paired Wilcoxon test against the default, the same figures for the cosine
alone over all pages, and the time that the embeddings took.
"""

from __future__ import annotations

import time

import numpy as np
import scipy.sparse as sparse
from scipy.special import iv

from benchmarks.leave_one_out import Collection, Numbers, ranked, shown
from benchmarks.sets import collection
from whatsrelated.methods.blend import FORMULA

DIMENSIONS = 64
AWAY = (0.2, 0.35, 0.5, 1.0, 2.0, np.inf)
"""The candidates for e."""
MAX_STEPS_THROUGH = 200
"""Walks of two links do not pass through pages with more links than this."""


def singular(matrix: sparse.csr_matrix, seed: int = 0) -> Numbers:
    """The largest singular vectors, times the roots of their values, by random projection."""
    count = min(DIMENSIONS, matrix.shape[0] // 4)
    found = matrix @ np.random.default_rng(seed).standard_normal((matrix.shape[1], count + 16))
    for _ in range(4):
        found = matrix @ np.linalg.qr(matrix.T @ np.linalg.qr(found)[0])[0]
    basis = np.linalg.qr(found)[0]
    left, values, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    return np.asarray((basis @ left)[:, :count] * np.sqrt(values[:count]))


def unit(rows: Numbers) -> Numbers:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def spectral(links: sparse.csr_matrix) -> Numbers:
    degrees = np.maximum(np.asarray(links.sum(1)).ravel(), 1)
    through = sparse.diags((degrees <= MAX_STEPS_THROUGH) / degrees)
    walks = (links + links @ through @ links).tocsr()
    walks -= sparse.diags(walks.diagonal())
    cells = walks.tocoo()
    rows, columns = (np.asarray(walks.sum(axis)).ravel() for axis in (1, 0))
    expected = rows[cells.row] * columns[cells.col] / walks.sum()
    positive = np.log(np.maximum(cells.data / expected, 1))
    return unit(singular(sparse.csr_matrix((positive, (cells.row, cells.col)), links.shape)))


def prone(
    links: sparse.csr_matrix, mu: float = 0.2, theta: float = 0.5, terms: int = 10
) -> Numbers:
    size, degrees = links.shape[0], np.maximum(np.asarray(links.sum(1)).ravel(), 1)
    cells = (sparse.diags(1 / degrees) @ links).tocoo()
    negative = np.asarray(cells.sum(0)).ravel() ** 0.75
    values = np.log(cells.data) - np.log(negative[cells.col] / negative.sum())
    first = unit(singular(sparse.csr_matrix((values, (cells.row, cells.col)), links.shape)))
    own = links + sparse.eye(size)
    band = sparse.eye(size) * (1 - mu) - sparse.diags(1 / np.asarray(own.sum(1)).ravel()) @ own
    before, last = first, 0.5 * (band @ (band @ first)) - first
    kept = iv(0, theta) * before - 2 * iv(1, theta) * last
    for term in range(2, terms):
        before, last = last, band @ (band @ last) - 2 * last - before
        kept = kept + (2 if term % 2 == 0 else -2) * iv(term, theta) * last
    left, values, _ = np.linalg.svd(own @ (first - kept), full_matrices=False)
    return unit(left * np.sqrt(values))


def both_ways(one: Collection) -> sparse.csr_matrix:
    """The links of a graph without direction, duplicates and links from a page to itself."""
    store = one.graph.store
    offsets, targets = store.out_offsets.astype(np.int64), store.out_links.astype(np.int64)
    forth = sparse.csr_matrix((np.ones(len(targets)), targets, offsets), (len(one.graph),) * 2)
    links = (forth + forth.T).tocsr()
    links.data[:] = 1
    return links


def measure(one: Collection, vectors: Numbers) -> tuple[list[Numbers], Numbers]:
    """Both measures of each query, for every e and for the cosine alone."""
    rows: list[list[tuple[float, float]]] = [[] for _ in AWAY]
    alone = []
    every = np.arange(len(one.graph), dtype=np.uint32)
    for query in one.queries:
        cosines = np.maximum(vectors @ vectors[query.page], 0)
        scores = query.product(FORMULA)
        for row, away in zip(rows, AWAY, strict=True):
            answer = query.ranked(scores * (1 + cosines[query.vicinity.pages] / away))
            row.append(query.measures(answer, one.precision))
        others, count = every[every != query.page], 10 + len(query.linked)
        answer = ranked(one.graph.store, others, cosines[others] + 1e-12, count)
        alone.append(query.measures(answer, one.precision))
    return [np.array(row) for row in rows], np.array(alone)


def main() -> None:
    asked = collection.arguments(__doc__, queries=300, seed=7).parse_args()
    names = collection.names_of(asked)
    sets = [Collection(asked.folder / name, asked.queries, asked.seed) for name in names]
    columns = []
    for embed in (spectral, prone):
        tables, alone, seconds = [], [], []
        for one in sets:
            begun = time.process_time()
            vectors = embed(both_ways(one))
            seconds.append(time.process_time() - begun)
            rows, anywhere = measure(one, vectors)
            tables.append(rows)
            alone.append(anywhere)
        means = np.array([[np.nanmean(rows, axis=0) for rows in table] for table in tables])
        gains = np.log(np.maximum(means, 1e-3) / np.maximum(means[:, -1:], 1e-3)).mean(axis=2)
        picks = [int(np.delete(gains, i, axis=0).mean(axis=0).argmax()) for i in range(len(sets))]
        columns.append((tables, alone, seconds, picks, gains))
    print("| set | default | spectral | e | spectral alone | s | ProNE | e | ProNE alone | s |")
    print(f"|{'---|' * 10}")
    for place, one in enumerate(sets):
        default = columns[0][0][place][-1]
        cells = [one.name, shown(default)]
        for tables, alone, seconds, picks, _ in columns:
            cells += [shown(tables[place][picks[place]], default), f"{AWAY[picks[place]]:g}"]
            cells += [shown(alone[place]), f"{seconds[place]:.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)
    for name, (_, _, _, picks, gains) in zip(("spectral", "ProNE"), columns, strict=True):
        gained = np.exp(np.mean([row[pick] for row, pick in zip(gains, picks, strict=True)]))
        print(f"\n{name}: {gained:.4f} of the default, left out.")


if __name__ == "__main__":
    main()
