"""Clusters of an answer: results that belong together, for a page with several meanings.

HZ03 (sec. 6) leaves this to future work: its similarity can compare any two pages, not only a page
with the query. For the results of an answer:

1. compute the similarity of each pair. With `lli`, it is the cosine of their rows in HZ03's matrix,
   whose columns are the sites of parents and children that two results share. With `pagesim`, it is
   their PageSim divided by the geometric mean of the best that either has;
2. join the two most similar clusters, by the mean over their pairs of pages, until one is left
   (average linkage);
3. of all these divisions, take the one with the largest mean silhouette (Rou87); if that is below
   0.5, commonly taken as weak structure, return a single cluster.

Clusters are in the order of their best results. Step 1 keeps all singular values: with few of them,
the pages of one topic fall into groups that are identical to the last digit. Cost: the parents and
children of each result, plus the cube of the number of results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.contract.question import Question
from whatsrelated.methods.pagesim import PageSim
from whatsrelated.query.answer import Cluster

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    from whatsrelated.contract.question import RankService
    from whatsrelated.graph.store import Store

MAX_RESULTS = 200
"""Results beyond this many are not clustered, and a note says so."""
MAX_CLUSTERS = 12
NEIGHBOURS = 200
"""Maximum number of parents, and of children, compared per result."""
MIN_SILHOUETTE = 0.5

SIMILARITIES: dict[str, Callable[[Store, Sequence[int], RankService], NDArray[float64]]]


def find_clusters(store: Store, pages: Sequence[int], by: str, ranks: RankService) -> list[Cluster]:
    """The clusters of the pages, each in the order of the answer."""
    pages = list(pages)[:MAX_RESULTS]
    alike = SIMILARITIES[by](store, pages, ranks)
    groups = divide(alike)
    return [
        Cluster(tuple(place + 1 for place in group), _mean_similarity(alike, group))
        for group in sorted(groups)
    ]


def latent_similarity(store: Store, pages: Sequence[int], ranks: RankService) -> NDArray[float64]:
    """The cosines of the pages' rows, with one column per neighbouring site that two pages
    share.
    """
    columns: dict[tuple[str, int], list[int]] = {}
    for place, page in enumerate(pages):
        question = Question.about(store, (page,))
        near = {
            "parent": question.parents(page, NEIGHBOURS),
            "child": store.links_from(page)[:NEIGHBOURS],
        }
        for role, neighbours in near.items():
            sites = neighbours if question.sites is None else question.sites[neighbours]
            for site in np.unique(sites).tolist():
                columns.setdefault((role, site), []).append(place)
    shared = [places for places in columns.values() if len(places) > 1]
    matrix = np.zeros((len(pages), len(shared)))
    for column, places in enumerate(shared):
        matrix[places, column] = 1
    return _cosines(matrix)


def _cosines(matrix: NDArray[float64]) -> NDArray[float64]:
    """The cosine of each pair of rows, 0 if one is empty; 1 for a row and itself."""
    lengths = np.sqrt((matrix * matrix).sum(axis=1))
    unit = matrix / np.where(lengths > 0, lengths, 1.0)[:, None]
    alike: NDArray[float64] = np.clip(unit @ unit.T, 0.0, 1.0)
    np.fill_diagonal(alike, 1.0)
    return alike


def pagesim_similarity(store: Store, pages: Sequence[int], ranks: RankService) -> NDArray[float64]:
    """PageSim of each pair of pages, divided by the geometric mean of the best that either has."""
    method = PageSim()
    rows = [
        method.compare(Question.about(store, (page,), ranks=ranks), list(pages)) for page in pages
    ]
    scores = np.array(rows, np.float64).reshape(len(pages), len(pages))
    scores = (scores + scores.T) / 2
    np.fill_diagonal(scores, 0.0)
    best = np.sqrt(scores.max(axis=1, initial=0.0))
    best = np.where(best > 0, best, 1.0)
    alike: NDArray[float64] = np.clip(scores / np.outer(best, best), 0.0, 1.0)
    np.fill_diagonal(alike, 1.0)
    return alike


SIMILARITIES = {"lli": latent_similarity, "pagesim": pagesim_similarity}


def divide(alike: NDArray[float64]) -> list[tuple[int, ...]]:
    """The division with the largest silhouette among those of average linkage."""
    n = len(alike)
    groups: list[tuple[int, ...]] = [(place,) for place in range(n)]
    best, largest = [tuple(range(n))] if n else [], MIN_SILHOUETTE
    means = alike.astype(np.float64).copy()
    np.fill_diagonal(means, -1.0)
    while len(groups) > 2:
        first, second = divmod(int(np.argmax(np.round(means, 12))), len(groups))
        first, second = min(first, second), max(first, second)
        sizes = len(groups[first]), len(groups[second])
        joined = (sizes[0] * means[first] + sizes[1] * means[second]) / sum(sizes)
        means[first] = means[:, first] = joined
        means[first, first] = -1.0
        means = np.delete(np.delete(means, second, axis=0), second, axis=1)
        groups[first] = tuple(sorted(groups[first] + groups.pop(second)))
        if len(groups) <= MAX_CLUSTERS:
            width = silhouette(alike, groups)
            if width >= largest:  # ties go to the coarser division
                best, largest = list(groups), width
    return best


def silhouette(alike: NDArray[float64], groups: Sequence[Sequence[int]]) -> float:
    """The mean over the pages of (b - a) / max(a, b), 0 for a page on its own (Rou87).

    a is a page's mean distance to the others of its cluster, b to the nearest other cluster.
    """
    distance = 1 - alike
    member: NDArray[int64] = np.zeros((len(alike), len(groups)), np.int64)
    for number, group in enumerate(groups):
        member[list(group), number] = 1
    sizes = member.sum(axis=0)
    sums = distance @ member
    to_members = sums[member == 1]
    alone = sizes[np.argmax(member, axis=1)] == 1
    within = to_members / np.maximum(sizes[np.argmax(member, axis=1)] - 1, 1)
    beyond = np.where(member == 1, np.inf, sums / sizes).min(axis=1)
    largest = np.maximum(within, beyond)
    widths = (beyond - within) / np.where(largest > 0, largest, 1.0)
    return float(np.where(alone, 0.0, widths).mean())


def _mean_similarity(alike: NDArray[float64], group: Sequence[int]) -> float | None:
    if len(group) == 1:
        return None
    block = alike[np.ix_(group, group)]
    return float((block.sum() - len(group)) / (len(group) * (len(group) - 1)))
