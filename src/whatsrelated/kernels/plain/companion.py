"""A whole question to companion, one step after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.plain import authorities, duplicates

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.kernels.plain.links import Links
    from whatsrelated.kernels.plain.vicinity import Vicinity


def companion(
    held: Vicinity,
    links: Links,
    sites: NDArray[uint32] | None,
    queries: NDArray[uint32],
    parents: NDArray[uint32],
    parent_ends: NDArray[int64],
    stop: NDArray[uint32],
    roles: bytes,
    siblings: int,
    children: int,
    coparents: int,
    near_duplicate: tuple[int, int, int] | None,
    weighted: bool,
    tolerance: float,
    max_rounds: int,
    least: float,
) -> tuple[Any, ...]:
    """The vicinity of the queries, merged, and its authorities."""
    query, parent, sibling, child, coparent = roles
    out_offsets, out_links = links.out_offsets, links.out_links
    held.clear(0)
    held.add(queries, query, stop)
    for page, own in zip(queries.tolist(), np.split(parents, parent_ends[:-1]), strict=True):
        held.add(own, parent, stop)
        held.add_windows(out_offsets, out_links, page, own, siblings, sibling, stop)
        children_of = out_links[int(out_offsets[page]) : int(out_offsets[page + 1])][:children]
        held.add(children_of, child, stop)
        held.add_best_parents(
            links.in_offsets, links.in_links, children_of, coparents, coparent, stop, queries
        )
    pages, own_roles = held.members()
    numbers, starts, targets = held.graph(out_offsets, out_links, sites)
    names = np.arange(len(pages), dtype=np.uint32)
    if near_duplicate is not None:
        groups = duplicates.near_duplicates(out_offsets, out_links, pages, *near_duplicate)
        names = _names(groups, pages, (own_roles & query) > 0, links.in_offsets)
        starts, targets = authorities.joined(starts, targets, names, numbers)
    weights: tuple[Any, Any] = (None, None)
    if weighted and numbers is not None:
        weights = authorities.edge_weights(starts, targets, numbers)
    authority, hub, rounds, moved = authorities.authorities(
        starts, targets, *weights, tolerance, max_rounds
    )
    merged = int(np.count_nonzero(names != np.arange(len(pages))))
    vicinity = (pages, own_roles, numbers, names, starts, targets)
    best = authorities.best(pages, authority, own_roles, query, least)
    return (*vicinity, authority, hub, *best, merged, rounds, moved)


def _names(
    groups: NDArray[uint32],
    pages: NDArray[uint32],
    asked: NDArray[np.bool_],
    in_offsets: NDArray[uint64],
) -> NDArray[uint32]:
    """Of each group, the query page, else the one with the highest in-degree, else the first."""
    linked = in_offsets[pages.astype(np.int64) + 1] - in_offsets[pages]
    names = np.empty(len(pages), np.uint32)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        order = np.lexsort((pages[members], -linked[members].astype(np.int64), ~asked[members]))
        names[members] = members[order[0]]
    return names
