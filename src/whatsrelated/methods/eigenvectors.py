"""The non-principal eigenvectors of HITS: other densely linked parts of a vicinity.

The iteration converges to the first eigenvector of LᵀL, where L is the link matrix of the vicinity.
Each further eigenvector has two ends: pages with large positive and pages with large negative
entries. Each end may be a separate group: another meaning of the page, or the other side of a
dispute (Kle99, sec. 5).

The eigenvectors of LᵀL are the right singular vectors of L; the left ones belong to the hubs. The
first end is the one with the largest entry. If two singular values are equal, their vectors are not
unique, and the answer says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.contract.candidates import Candidates
from whatsrelated.methods.authorities import MIN_SHARE, Authorities
from whatsrelated.vicinity.gathering import QUERY

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.vicinity.gathering import VicinityGraph

DENSE = 1_000_000
"""Matrices with up to this many entries are fully decomposed."""
SMALL = 1e-10
EQUAL = 1e-9


def find_end(
    vicinity: VicinityGraph, parents: dict[int, NDArray[uint32]], number: int, other: bool
) -> Candidates:
    """The pages at one end of an eigenvector, counted from 1."""
    hub, sigma, authority = singular_vectors(vicinity, number)
    url = vicinity.question.store.url(vicinity.question.page)
    if len(sigma) < number or sigma[number - 1] <= SMALL * sigma[0]:
        rank = int(np.count_nonzero(sigma > SMALL * sigma[0])) if len(sigma) else 0
        return Candidates.nothing(f"the links around {url} have {rank} eigenvectors, not {number}")
    right, left = authority[number - 1], hub[:, number - 1]
    sign = 1.0 if _first_end_is_positive(right) != other else -1.0
    from_authority, from_hub = np.maximum(sign * right, 0.0), np.maximum(sign * left, 0.0)
    weights = np.where(vicinity.roles & QUERY, 0.0, from_authority)
    chosen = weights > max(MIN_SHARE * weights.max(initial=0.0), SMALL)
    best = vicinity.pages[chosen], weights[chosen]
    candidates = Authorities(
        vicinity, parents, from_authority, from_hub, best, 0, 0.0, 1.0
    ).candidates()
    near = np.delete(sigma, number - 1)
    if (np.abs(near - sigma[number - 1]) <= EQUAL * sigma[0]).any():
        note = f"Eigenvector {number} is one of several with the same eigenvalue."
        candidates.notes = (*candidates.notes, note)
    if not len(candidates):
        candidates.reason = f"this end of eigenvector {number} around {url} has no pages"
    return candidates


def singular_vectors(
    vicinity: VicinityGraph, number: int
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """The first singular values of the link matrix and at least one more, with their vectors."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]
    from scipy.sparse.linalg import svds  # type: ignore[import-untyped]

    n = len(vicinity.pages)
    links = csr_array(
        (np.ones(len(vicinity.targets)), vicinity.targets, vicinity.starts), shape=(n, n)
    )
    if n * n <= DENSE or n <= number + 2:
        left, sigma, right = np.linalg.svd(links.toarray())
        return left, sigma, right
    left, sigma, right = svds(links, k=number + 1, v0=np.ones(n), tol=1e-12)
    order = np.argsort(-sigma)
    return left[:, order], sigma[order], right[order]


def _first_end_is_positive(vector: NDArray[float64]) -> bool:
    rounded = np.round(vector, 9)
    return bool(rounded[np.argmax(np.abs(rounded))] > 0)
