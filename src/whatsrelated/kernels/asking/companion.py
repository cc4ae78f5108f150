"""A whole companion query, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np

from whatsrelated.kernels.asking import authorities, duplicates, edges
from whatsrelated.kernels.asking.best_pages import rank_best
from whatsrelated.kernels.asking.windows import join_lists
from whatsrelated.kernels.shared.adjacency import children_of, sampled_parents

if TYPE_CHECKING:
    from numpy import float64, int64, uint8, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.asking.vicinity import Vicinity
    from whatsrelated.kernels.shared.links import Links

    Around = tuple[
        NDArray[uint32],  # pages
        NDArray[uint8],  # their roles
        NDArray[uint32] | None,  # sites
        NDArray[uint32],  # and names
        NDArray[int64],  # row starts
        NDArray[uint32],  # and rows
    ]
    Companion = tuple[
        Around,
        NDArray[float64],  # authorities
        NDArray[float64],  # hubs
        tuple[NDArray[uint32], NDArray[float64]],  # the best pages, and their authorities
        int,  # number of pages merged into another
        int,  # rounds
        float,  # the last change
    ]


class CompanionBounds(TypedDict):
    """The limits of the vicinity, the rule for merging pages, and the end of the iteration."""

    siblings: int
    children: int
    coparents: int
    near_duplicate: tuple[int, int, int] | None
    """The rule for near-duplicates; None merges nothing."""
    weighted: bool
    tolerance: float
    max_rounds: int
    least: float
    """Results need more than this share of the best page's authority."""


def companion(
    vicinity: Vicinity,
    links: Links,
    *,
    queries: NDArray[uint32],
    parents: NDArray[uint32],
    parent_ends: NDArray[int64],
    sites: NDArray[uint32] | None,
    stop: NDArray[uint32],
    roles: bytes,
    **bounds: Unpack[CompanionBounds],
) -> Companion:
    """The vicinity of the queries after merging, and its authorities.

    The parents of query i end at parent_ends[i]. `roles` lists the roles of a query, a parent, a
    sibling, a child and a co-parent, in that order.
    """
    query, parent, sibling, child, coparent = roles
    vicinity.clear(0)
    vicinity.add(queries, query, stop)
    for page, own_parents in zip(
        queries.tolist(), np.split(parents, parent_ends[:-1]), strict=True
    ):
        vicinity.add(own_parents, parent, stop)
        vicinity.add_windows(links, page, own_parents, bounds["siblings"], sibling, stop)
        first = children_of(links, page)[: bounds["children"]]
        vicinity.add(first, child, stop)
        vicinity.add_best_parents(links, first, bounds["coparents"], coparent, stop, queries)
    pages, own_roles = vicinity.members()
    numbers, starts, targets = vicinity.graph(links, sites)
    names = np.arange(len(pages), dtype=np.uint32)
    if (rule := bounds["near_duplicate"]) is not None:
        groups = duplicates.near_duplicates(links, pages, rule)
        names = _names(groups, pages, (own_roles & query) > 0, links.degrees(pages, True))
        starts, targets = edges.merge_nodes(starts, targets, names)
    weights: tuple[NDArray[float64] | None, NDArray[float64] | None] = (None, None)
    if bounds["weighted"] and numbers is not None:
        weights = edges.edge_weights(starts, targets, numbers)
    authority, hub, rounds, moved = authorities.authorities(
        starts, targets, *weights, bounds["tolerance"], bounds["max_rounds"], own_roles, query
    )
    merged = int(np.count_nonzero(names != np.arange(len(pages))))
    best = authorities.best(pages, authority, own_roles, query, bounds["least"])
    around = pages, own_roles, numbers, names, starts, targets
    return around, authority, hub, best, merged, rounds, moved


def companion_each(
    vicinity: Vicinity,
    links: Links,
    *,
    pages: NDArray[uint32],
    draws: NDArray[float64],
    parents: int,
    sites: NDArray[uint32] | None,
    roles: bytes,
    limit: int,
    **bounds: Unpack[CompanionBounds],
) -> tuple[NDArray[int64], NDArray[uint32], NDArray[float64]]:
    """The best `limit` authorities for each page on its own: ends of the lists, pages, authorities.

    If page i has more than `parents` parents, draws[i] is the start of their sample.
    """
    lists = []
    for place, page in enumerate(pages.tolist()):
        sample = sampled_parents(links, page, parents, float(draws[place]))
        pages_found, scores = companion(
            vicinity,
            links,
            queries=pages[place : place + 1],
            parents=sample,
            parent_ends=np.array([len(sample)]),
            sites=sites,
            stop=pages[:0],
            roles=roles,
            **bounds,
        )[3]
        best = rank_best(pages_found, scores, None, links, limit)
        lists.append((pages_found[best], scores[best]))
    return join_lists(lists)


def _names(
    groups: NDArray[uint32],
    pages: NDArray[uint32],
    is_query: NDArray[np.bool_],
    linked: NDArray[int64],
) -> NDArray[uint32]:
    """For each group, its query page or, failing that, the page with the highest in-degree, ties
    going to the first.
    """
    names = np.empty(len(pages), np.uint32)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        order = np.lexsort((pages[members], -linked[members], ~is_query[members]))
        names[members] = members[order[0]]
    return names
