"""Latent linkage information: similarity in the space of the neighbours (HZ03, sec. 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tests.reference.extended_cocitation import page_source
from tests.reference.plain_graph import PlainGraph, Scores

SMALL = 1e-10


@dataclass
class Similarities:
    """One half of the page source: similarities, degrees, k and r, HZ03's own numbers."""

    similarity: Scores = field(default_factory=dict)
    degree: dict[str, int] = field(default_factory=dict)
    k: int = 0
    r: int = 0
    bcp: Scores = field(default_factory=dict)
    bd: list[float] = field(default_factory=list)
    dd: Scores = field(default_factory=dict)


def half(
    pages: list[str],
    columns: dict[str, list[int]],
    n: int,
    gap: float,
    rank: int | None,
    least: int = 2,
) -> Similarities:
    """`columns` has, for each page, the columns of its ones; `n` is how many there are."""
    if not pages or not n:
        return Similarities()
    matrix = np.zeros((len(pages), n))
    for i, page in enumerate(pages):
        matrix[i, columns[page]] = 1
    u, sigma, vt = np.linalg.svd(matrix, full_matrices=False)
    r = int((sigma > SMALL * sigma[0]).sum()) if sigma[0] > 0 else 0
    k = chosen_rank(sigma[:r], gap, least) if rank is None else min(rank, r)
    rows = u[:, :k] * sigma[:k]
    query = np.ones(n) @ vt[:k].T * sigma[:k]

    bd = matrix.sum(axis=0) / len(pages)
    return Similarities(
        similarity={page: cosine(rows[i], query, sigma) for i, page in enumerate(pages)},
        degree={page: len(columns[page]) for page in pages},
        k=k,
        r=r,
        bcp={page: len(columns[page]) / n for page in pages},
        bd=bd.tolist(),
        dd={page: float(1 - bd[columns[page]].sum() / bd.sum()) for page in pages},
    )


def chosen_rank(sigma: NDArray[np.float64], gap: float, least: int = 2) -> int:
    """The smallest k from `least` on (or r) after which the singular values fall by `gap`."""
    r = len(sigma)
    following = [*sigma[1:], 0.0]
    for k in range(max(1, min(least, r)), r + 1):
        if (sigma[k - 1] - following[k - 1]) / sigma[k - 1] >= gap - 1e-9:
            return k
    return r


def cosine(
    row: NDArray[np.float64], query: NDArray[np.float64], sigma: NDArray[np.float64]
) -> float:
    """|R·u| / (‖R‖‖u‖); a norm that is nothing but rounding is 0."""
    lengths = float(np.linalg.norm(row)), float(np.linalg.norm(query))
    if lengths[0] <= SMALL * sigma[0] or lengths[1] <= SMALL * sigma[0]:
        return 0.0
    return float(abs(row @ query) / (lengths[0] * lengths[1]))


@dataclass
class Latent:
    """The joined answer and its two halves."""

    scores: Scores
    ties: Scores
    back: Similarities
    forward: Similarities


def lli(
    graph: PlainGraph,
    query: str,
    *,
    gap: float = 0.5,
    gap_forward: float = 0.5,
    rank: int | None = None,
    min_rank: int = 2,
    threshold: float = 0.0,
    union: str = "places",
    **options: object,
) -> Latent:
    source = page_source(graph, query, **options)  # type: ignore[arg-type]
    backward = {s: source.back_links(s) for s in source.back}
    onward = {s: source.forward_links(s) for s in source.forward}
    back = half(source.back, backward, len(source.parents), gap, rank, min_rank)
    forward = half(source.forward, onward, len(source.children), gap_forward, rank, min_rank)
    scores: Scores = {}
    ties: Scores = {}
    for part in (back, forward):
        similar = {page: score for page, score in part.similarity.items() if score >= threshold}
        for place, page in enumerate(graph.ordered_list(similar, part.degree), start=1):
            if union == "places":
                scores[page] = scores.get(page, 0.0) + 1 / (60 + place)
                ties[page] = 0
            else:
                scores[page] = max(scores.get(page, 0.0), similar[page])
                ties[page] = max(ties.get(page, 0), part.degree[page])
    return Latent(scores, ties, back, forward)
