"""Blend's three parts over one vicinity, from the plain kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.asking import row_sums as sums
from whatsrelated.kernels.asking import walk as walks
from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Scratch:
    """Memory that the compiled kernels reuse."""


def parts(
    scratch: Scratch,
    links: Links,
    page: int,
    *,
    parents: NDArray[uint32],
    sites: NDArray[uint32],
    children: NDArray[uint32],
    restart: float,
    error: float,
    walk_power: float,
    distance_power: float,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[int64], NDArray[int64], list[int], int]:
    """The pages around a page: parts, in-degrees and flags of each; counts; number of links read.

    In-degrees are at least 1. Each count is the number of pages that one part found. The parts are
    three rows: the walk's probability / degree ** walk_power; the sum of 1 / distance **
    distance_power over the parents; the sum of 1 / ln(2 + in-degree) over the children / the square
    root of the out-degree.

    `sites` holds the site of every page, or is empty. With sites, the parents are sorted by site
    and each site has one vote. If sites agree on at least two pages, a parent is weighted by how
    far other sites agree with it. A page that only one site links to counts only if no page has two
    sites. Flag 1: the page is on the query's site. Flag 2: it links to the query, and the query
    does not link back. Without sites there are no flags.
    """
    visits = walks.push(walks.Scratch(), links, page, restart, error)
    near = sums.proximity_sums(sums.Scratch(), links, parents, page, distance_power)
    weights = 1 / np.log(2 + links.degrees(children, True))
    coupled = sums.weighted_sums(sums.Scratch(), links, children, weights, True)
    beside = _by_page(*near[:2])
    if len(sites):
        beside |= _agreed(links, page, parents.tolist(), sites, distance_power)
    found: dict[int, list[float]] = {}
    for part, values in enumerate((_by_page(*visits[:2]), beside, _by_page(*coupled[:2]))):
        for other, value in values.items():
            found.setdefault(other, [0.0, 0.0, 0.0])[part] = value
    del found[page]
    pages = np.array(list(found), np.uint32)
    rows = np.array(list(found.values()), np.float64).reshape(-1, 3).T.copy()
    out_degrees, in_degrees = links.degrees(pages, False), links.degrees(pages, True)
    rows[0] /= (out_degrees + in_degrees) ** walk_power
    rows[2] /= np.sqrt(np.maximum(out_degrees, 1))
    flags = np.zeros(len(pages), np.int64)
    if len(sites):
        one_way = {*row_of(links, page, True)} - {*row_of(links, page, False)}
        flags[sites[pages] == sites[page]] = 1
        flags[[other in one_way for other in found]] += 2
    counts: list[int] = np.count_nonzero(rows, axis=1).tolist()
    read = visits[2] + near[2] + coupled[2]
    return pages, rows, np.maximum(in_degrees, 1), flags, counts, read


def _by_page(pages: NDArray[uint32], values: NDArray[float64]) -> dict[int, float]:
    return dict(zip(pages.tolist(), values.tolist(), strict=True))


def _agreed(
    links: Links, page: int, parents: list[int], sites: NDArray[uint32], alpha: float
) -> dict[int, float]:
    """Proximity with one vote per site, weighted by how far other sites agree."""
    voters_of: dict[int, set[int]] = {}
    beside: list[dict[int, float]] = []
    voters = sites[parents].tolist()
    for parent, site in zip(parents, voters, strict=True):
        row = row_of(links, parent, False)
        at = row.index(page)
        beside.append({x: abs(j - at) ** -alpha for j, x in enumerate(row) if j != at})
        for other in beside[-1]:
            voters_of.setdefault(other, set()).add(site)
    backed = {
        x: 0.0 if sites[x] in voters else (len(by) - 1) / len(row_of(links, x, True))
        for x, by in voters_of.items()
    }
    near, agreed = dict.fromkeys(voters_of, 0.0), dict.fromkeys(voters_of, 0.0)
    for weights, site in zip(beside, voters, strict=True):
        vote = 1 / voters.count(site)
        for other, weight in weights.items():
            others = {x: w for x, w in weights.items() if x != other}
            near[other] += vote * weight
            if any(backed[x] for x in others):
                mean = sum(w * backed[x] for x, w in others.items()) / sum(others.values())
                agreed[other] += vote * weight * mean
    enough = sum(share > 0 for share in backed.values()) > 1
    if not enough or not any(agreed.values()):
        return near
    shared = {x: value for x, value in agreed.items() if len(voters_of[x]) > 1}
    return dict.fromkeys(agreed, 0.0) | shared if any(shared.values()) else agreed
