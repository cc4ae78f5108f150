"""Blend's three parts over one vicinity, and their product, by the plain kernels of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.asking import row_sums as sums
from whatsrelated.kernels.asking import walk as walks
from whatsrelated.kernels.shared.adjacency import out_degree, row_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Scratch:
    """The compiled loops keep their memory here."""


def find(
    scratch: Scratch,
    links: Links,
    page: int,
    parents: NDArray[uint32],
    sites: NDArray[uint32],
    children: NDArray[uint32],
    weights: NDArray[float64],
    restart: float,
    error: float,
    alpha: float,
    popular: float,
    faint: float,
    least: float,
    common: float,
    doubts: NDArray[float64],
    known: NDArray[float64],
    no_peer: float,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[float64], NDArray[float64], int]:
    """The pages that a part found, without the page itself; their parts, and their scores.

    In the rows of the parts: the walk's probability over degree ** popular, the sums of
    1 / distance ** alpha over the parents, those of the weights of the children over the root of
    the out-degree.  The score is the product of the parts, each over its largest and with its
    doubt added, times `known` of the in-degree.  There the second is over in-degree ** common, and
    the largest of the walk has `faint` * (1 / a - 1) more, a being the larger of its cosines with
    the others, or `least`.  Also what each part is divided by, and how many links were read.

    `sites` has the site of every page, or nothing.  With sites, of which the parents are in order,
    each has one vote, and parents count as far as other sites agree with them, if they do on two
    pages at least; pages that one site alone names count only where no page is named by two.
    Then walk and coupling count as far as the proximity does, if there is any, and pages of the
    page's own site, and those that link to it and are not linked, have `no_peer` of their score.
    """
    visits = walks.push(walks.Scratch(), links, page, restart, error)
    near = sums.proximity_sums(sums.Scratch(), links, parents, page, alpha)
    coupled = sums.weighted_sums(sums.Scratch(), links, children, weights, True)
    beside = _by_page(*near[:2])
    if len(sites):
        beside |= _agreed(links, page, parents.tolist(), sites, alpha)
    found: dict[int, list[float]] = {}
    for part, values in enumerate((_by_page(*visits[:2]), beside, _by_page(*coupled[:2]))):
        for other, value in values.items():
            found.setdefault(other, [0.0, 0.0, 0.0])[part] = value
    del found[page]
    for other, row in found.items():
        row[0] /= (out_degree(links, other) + len(row_of(links, other, True))) ** popular
        row[2] /= max(out_degree(links, other), 1) ** 0.5
    pages = np.array(list(found), np.uint32)
    parts = np.array(list(found.values()), np.float64).reshape(-1, 3).T.copy()
    degrees = links.degrees(pages, True)
    faint *= _disagreement(parts, least)
    counted = _as_far_as_near(parts) if len(sites) else parts
    largest, scores = _product(counted, faint, np.maximum(degrees, 1) ** common, doubts)
    scores *= known[np.minimum(degrees, len(known) - 1)]
    if len(sites):
        only_linking = {*row_of(links, page, True)} - {*row_of(links, page, False)}
        scores[sites[pages] == sites[page]] *= no_peer
        scores[[other in only_linking for other in found]] *= no_peer
    return pages, parts, largest, scores, visits[2] + near[2] + coupled[2]


def _by_page(pages: NDArray[uint32], values: NDArray[float64]) -> dict[int, float]:
    return dict(zip(pages.tolist(), values.tolist(), strict=True))


def _agreed(
    links: Links, page: int, parents: list[int], sites: NDArray[uint32], alpha: float
) -> dict[int, float]:
    """Proximity where sites have one vote each, and are believed as far as others agree."""
    naming: dict[int, set[int]] = {}
    beside: list[dict[int, float]] = []
    voters = sites[parents].tolist()
    for parent, site in zip(parents, voters, strict=True):
        row = row_of(links, parent, False)
        at = row.index(page)
        beside.append({x: abs(j - at) ** -alpha for j, x in enumerate(row) if j != at})
        for other in beside[-1]:
            naming.setdefault(other, set()).add(site)
    backed = {
        x: 0.0 if sites[x] in voters else (len(by) - 1) / len(row_of(links, x, True))
        for x, by in naming.items()
    }
    near, agreed = dict.fromkeys(naming, 0.0), dict.fromkeys(naming, 0.0)
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
    shared = {x: value for x, value in agreed.items() if len(naming[x]) > 1}
    return dict.fromkeys(agreed, 0.0) | shared if any(shared.values()) else agreed


def _as_far_as_near(parts: NDArray[float64]) -> NDArray[float64]:
    """Walk and coupling as far as the proximity goes, where there is any."""
    near = parts[1]
    most = near.max(initial=0.0)
    return parts * [near / most, np.ones(len(near)), near / most] if most > 0 else parts


def _disagreement(parts: NDArray[float64], least: float) -> float:
    """1 / a - 1, a being the larger of the cosines of the first part with the others, or least."""
    for other in parts[1:]:
        squares = float(parts[0] @ parts[0]) * float(other @ other)
        least = max(least, float(parts[0] @ other) / squares**0.5 if squares > 0 else 0.0)
    return 1 / min(least, 1.0) - 1


def _product(
    parts: NDArray[float64], faint: float, common: NDArray[float64], doubts: NDArray[float64]
) -> tuple[NDArray[float64], NDArray[float64]]:
    """What each part is divided by, and the product with their doubts added."""
    parts = parts / np.stack([np.ones(len(common)), common, np.ones(len(common))])
    largest = parts.max(axis=1, initial=0.0) + np.array([faint, 0, 0])
    relative = parts / np.where(largest > 0, largest, 1)[:, None]
    return largest, np.asarray((relative + doubts[:, None]).prod(axis=0))
