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
    pages: NDArray[uint32],
    shares: NDArray[float64],
    *,
    parents: NDArray[uint32],
    near_shares: NDArray[float64],
    sites: NDArray[uint32],
    children: NDArray[uint32],
    child_shares: NDArray[float64],
    restart: float,
    error: float,
    walk_power: float,
    distance_power: float,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[int64], list[int], int]:
    """The pages around the query pages: parts and in-degrees of each; counts; number of links
    read.

    In-degrees are at least 1. Each count is the number of pages that one part found. The parts are
    five rows: the walk's probability / degree ** walk_power; the sum of share / distance **
    distance_power over the parents, for the nearest query page on either side (`near_shares`); the
    sum of share / ln(2 + in-degree) over the children / the square root of the out-degree; and,
    with sites, the share of the query pages on the page's site, and of those that the page links to
    without a link back.

    `sites` holds the site of every page, or is empty. With sites, the parents are sorted by site
    and each site has one vote. If sites agree on at least two pages, a parent is weighted by how
    far other sites agree with it. A page that only one site links to counts only if no page has two
    sites.
    """
    visits = walks.push(walks.Scratch(), links, pages, shares, restart, error)
    near_share_of = _by_page(pages, near_shares)
    beside = [
        _weights(row_of(links, parent, False), near_share_of, distance_power)
        for parent in parents.tolist()
    ]
    weights = child_shares / np.log(2 + links.degrees(children, True))
    coupled = sums.weighted_sums(sums.Scratch(), links, children, weights, True)
    near = _sums(beside)
    if len(sites):
        near |= _agreed(links, parents.tolist(), beside, sites)
    parts_of: dict[int, list[float]] = {}
    for part, values in enumerate((_by_page(*visits[:2]), near, _by_page(*coupled[:2]))):
        for other, value in values.items():
            parts_of.setdefault(other, [0.0] * 5)[part] = value
    for page in near_share_of:
        del parts_of[page]
    reached = np.array(list(parts_of), np.uint32)
    rows = np.array(list(parts_of.values()), np.float64).reshape(-1, 5).T.copy()
    out_degrees, in_degrees = links.degrees(reached, False), links.degrees(reached, True)
    rows[0] /= (out_degrees + in_degrees) ** walk_power
    rows[2] /= np.sqrt(np.maximum(out_degrees, 1))
    counts: list[int] = np.count_nonzero(rows[:3], axis=1).tolist()
    for page, share in zip(pages.tolist(), shares.tolist(), strict=True) if len(sites) else ():
        one_way = {*row_of(links, page, True)} - {*row_of(links, page, False)}
        rows[3, sites[reached] == sites[page]] += share
        rows[4, [other in one_way for other in parts_of]] += share
    read = visits[2] + int(links.degrees(parents, False).sum()) + coupled[2]
    return reached, rows, np.maximum(in_degrees, 1), counts, read


def _sums(rows: list[dict[int, float]]) -> dict[int, float]:
    sums: dict[int, float] = {}
    for row in rows:
        for page, weight in row.items():
            sums[page] = sums.get(page, 0.0) + weight
    return sums


def _weights(row: list[int], shares: dict[int, float], alpha: float) -> dict[int, float]:
    """The weight of each link of a parent, by the nearest query page on either side."""
    places = [place for place, page in enumerate(row) if page in shares]
    return {
        page: sum(
            shares[row[at]] * abs(place - at) ** -alpha
            for at in (
                max((at for at in places if at < place), default=None),
                min((at for at in places if at > place), default=None),
            )
            if at is not None
        )
        for place, page in enumerate(row)
        if page not in shares
    }


def _by_page(pages: NDArray[uint32], values: NDArray[float64]) -> dict[int, float]:
    return dict(zip(pages.tolist(), values.tolist(), strict=True))


def _agreed(
    links: Links, parents: list[int], beside: list[dict[int, float]], sites: NDArray[uint32]
) -> dict[int, float]:
    """Proximity with one vote per site, weighted by how far other sites agree."""
    voters_of: dict[int, set[int]] = {}
    voters = sites[parents].tolist()
    for row, site in zip(beside, voters, strict=True):
        for other in row:
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
