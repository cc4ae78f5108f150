"""Count the links in windows around a page's link on its parents, in plain Python."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.asking.best_pages import rank_best
from whatsrelated.kernels.shared.adjacency import row_of, sampled_parents

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Scratch:
    """Memory that the compiled kernels reuse."""


def window(row: list[int], page: int, width: int) -> list[int]:
    """The links around the link to `page`; all other links if there are few or width < 0."""
    if width < 0 or len(row) <= width + 1:
        return [link for link in row if link != page]
    at = row.index(page)
    return row[max(0, at - width // 2) : at] + row[at + 1 : at + 1 + width // 2]


def count_siblings(
    scratch: Scratch,
    links: Links,
    parents: NDArray[uint32],
    page: int,
    width: int,
    whole: bool,
) -> tuple[NDArray[uint32], NDArray[uint32], int, int]:
    """The pages in the parents' windows around `page`; the number of windows (if `whole`, parents)
    that link to each; how many of the pages are parents; the number of links on the parents.

    If `width` is negative, the windows are whole pages.
    """
    rows = [row_of(links, parent, backward=False) for parent in parents.tolist()]
    near = Counter(link for row in rows for link in window(row, page, width))
    wide = Counter(link for row in rows for link in row)
    siblings = np.array(list(near), np.uint32)
    counts = np.array([(wide if whole else near)[link] for link in near], np.uint32)
    among = sum(int(parent) in near for parent in parents)
    return siblings, counts, among, sum(map(len, rows))


def best_siblings(
    scratch: Scratch,
    links: Links,
    pages: NDArray[uint32],
    draws: NDArray[float64],
    parents: int,
    width: int,
    whole: bool,
    shared: int,
    limit: int,
) -> tuple[NDArray[int64], NDArray[uint32], NDArray[float64], NDArray[int64]]:
    """Each page's best `limit` siblings: ends of the lists, siblings, counts; and how many siblings
    have a count of at least `shared`.

    If page i has more than `parents` parents, draws[i] is the start of their sample.
    """
    lists, enough = [], []
    for page, draw in zip(pages.tolist(), draws.tolist(), strict=True):
        sample = sampled_parents(links, page, parents, draw)
        siblings, counts, *_ = count_siblings(scratch, links, sample, page, width, whole)
        best = rank_best(siblings, counts.astype(np.float64), None, links, limit)
        lists.append((siblings[best], counts[best].astype(np.float64)))
        enough.append(int(np.count_nonzero(counts >= shared)))
    return *join_lists(lists), np.array(enough, np.int64)


def join_lists(
    lists: list[tuple[NDArray[uint32], NDArray[float64]]],
) -> tuple[NDArray[int64], NDArray[uint32], NDArray[float64]]:
    """The ends of the lists, all pages, and their scores."""
    ends = np.cumsum([len(pages) for pages, _ in lists], dtype=np.int64)
    pages = np.concatenate([np.empty(0, np.uint32), *(pages for pages, _ in lists)])
    return ends, pages, np.concatenate([np.empty(0), *(scores for _, scores in lists)])
