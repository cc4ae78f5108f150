"""What several pages share with one page: its parents, its children, and the pages next to both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import children_of, out_degree, parents_of, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Scratch:
    """Memory that the compiled kernels reuse."""


def shared_parents(
    scratch: Scratch,
    links: Links,
    parents: NDArray[uint32],
    page: int,
    others: NDArray[uint32],
    limit: int,
) -> tuple[NDArray[int64], NDArray[uint32], NDArray[int64], NDArray[int64]]:
    """For each of the distinct `others`, how many of the parents link to it, and the first of them.

    Up to `limit` parents are listed in one row, those with the fewest links first, then by number.
    Each has its number of links, and the distance between its links to `page`, or its first link if
    it has none, and to the other page.
    """
    columns: list[list[tuple[int, int, int]]] = [[] for _ in others]
    for parent in parents.tolist():
        row = row_of(links, parent, backward=False)
        at = row.index(page) if page in row else 0
        for column, other in zip(columns, others.tolist(), strict=True):
            if other in row:
                column.append((out_degree(links, parent), parent, row.index(other) - at))
    counts, listed = _listed([sorted(column) for column in columns], limit, 3)
    return counts, listed[:, :, 1].astype(np.uint32), listed[:, :, 0], listed[:, :, 2]


def shared_children(
    scratch: Scratch,
    links: Links,
    children: NDArray[uint32],
    others: NDArray[uint32],
    limit: int,
) -> tuple[NDArray[int64], NDArray[uint32]]:
    """For each of the others, how many of the distinct children it links to, and up to `limit` of
    these in their order.
    """
    rows = [set(row_of(links, other, backward=False)) for other in others.tolist()]
    shared = [[(child,) for child in children.tolist() if child in row] for row in rows]
    counts, listed = _listed(shared, limit, 1)
    return counts, listed[:, :, 0].astype(np.uint32)


def pages_between(
    scratch: Scratch, links: Links, page: int, others: NDArray[uint32], limit: int
) -> tuple[NDArray[int64], NDArray[uint32], NDArray[int64]]:
    """For each of the others, how many pages are next to both it and `page`, up to `limit` of these
    in one row, and the links between the two: 1 if `page` links to it, 2 if it links to `page`, or
    3 for both.

    Pages are next to each other if one links to the other. Those with the fewest links in both
    directions come first, then by number.
    """
    around = np.union1d(children_of(links, page), parents_of(links, page))
    shared, ties = [], []
    for other in others.tolist():
        beyond = np.union1d(children_of(links, other), parents_of(links, other))
        both = np.intersect1d(around, beyond)
        degrees = links.degrees(both, False) + links.degrees(both, True)
        shared.append([(near,) for near in both[np.lexsort((both, degrees))].tolist()])
        forth, back = other in children_of(links, page), page in children_of(links, other)
        ties.append(forth + 2 * back)
    counts, listed = _listed(shared, limit, 1)
    return counts, listed[:, :, 0].astype(np.uint32), np.array(ties, np.int64)


def _listed(
    columns: Sequence[Sequence[tuple[int, ...]]], limit: int, width: int
) -> tuple[NDArray[int64], NDArray[int64]]:
    """The length of each list, and its first `limit` items, with zeros after them."""
    listed = np.zeros((len(columns), limit, width), np.int64)
    for place, column in enumerate(columns):
        listed[place, : len(column)] = np.array(column[:limit], np.int64).reshape(-1, width)
    return np.array([len(column) for column in columns], np.int64), listed
