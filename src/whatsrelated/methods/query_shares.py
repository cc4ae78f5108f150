"""The parents and children of several query pages, and the weight that each query page gives them.

A page counts by its weight, not by how many links it has. Its share of the query is therefore
divided by the number of its parents, and for children by the square root of their number. One page
has a share of 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.methods.coupling import rarest_children

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

MIN_PARENTS = 2
"""Minimum number of parents to read per query page, however many there are."""
MIN_READS = 20
"""Minimum number of in-links of children to read per query page, however many there are."""


def gather_parents(
    question: Question, shares: NDArray[float64], limit: int
) -> tuple[NDArray[uint32], NDArray[float64]]:
    """The parents of the query pages, and the weight of each query page on a parent that links to
    it.

    The limit is for a single page; n pages together read 1 / n of that limit. A page's share is
    divided among its parents.
    """
    limit = max(limit // len(question.pages) ** 2, min(limit, MIN_PARENTS))
    lists = [question.parents(page, limit) for page in question.pages]
    if len(lists) == 1:
        return lists[0], shares
    counts = np.maximum([len(parents) for parents in lists], 1)
    return np.unique(np.concatenate(lists)), shares * counts.max() / counts


def gather_children(
    question: Question, shares: NDArray[float64], max_children: int, max_reads: int
) -> tuple[NDArray[uint32], NDArray[float64]]:
    """The rarest children of the query pages, and the weight of each.

    The limits are for a single page; n pages together read 1 / n of those limits. A page's share is
    divided by the square root of the number of its children.
    """
    count = len(question.pages)
    reads = max(max_reads // count**2, min(max_reads, MIN_READS))
    lists = [rarest_children(question.of_one(page), max_children, reads) for page in question.pages]
    if count == 1:
        return lists[0], np.ones(len(lists[0]))
    degrees = np.maximum([len(children) for children in lists], 1)
    weights = shares * np.sqrt(degrees.max() / degrees)
    children, places = np.unique(np.concatenate(lists), return_inverse=True)
    return children, np.bincount(places, np.repeat(weights, list(map(len, lists)))).astype(
        np.float64
    )


def subtract_parts(
    pages: NDArray[uint32],
    parts: NDArray[float64],
    other_pages: NDArray[uint32],
    other_parts: NDArray[float64],
    share: float,
) -> None:
    """Subtract the parts of other pages, times `share`, in place; nothing falls below 0.

    The first row is subtracted as it is, because it holds probabilities. Any other row is scaled to
    the same maximum first.
    """
    if not len(other_pages):
        return
    order = other_pages.argsort()
    places = order[other_pages[order].searchsorted(pages).clip(max=len(order) - 1)]
    in_both = np.flatnonzero(other_pages[places] == pages)
    largest = other_parts.max(axis=1)
    scales = share * parts.max(axis=1, initial=0) / np.where(largest > 0, largest, 1)
    scales[0] = share
    parts[:, in_both] -= scales[:, None] * other_parts[:, places[in_both]]
    np.maximum(parts, 0, out=parts)
