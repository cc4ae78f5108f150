"""Blend's three parts over one vicinity, and their product, by the plain kernels of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.plain import sums, walks
from whatsrelated.kernels.plain.adjacency import out_degree, row_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.plain.links import Links


class Scratch:
    """The compiled loops keep their memory here."""


def gather(
    scratch: Scratch,
    links: Links,
    page: int,
    parents: NDArray[uint32],
    votes: NDArray[float64],
    children: NDArray[uint32],
    weights: NDArray[float64],
    restart: float,
    error: float,
    alpha: float,
    popular: float,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[float64], int]:
    """The pages that a part found, without the page itself; walk, cpa and coupling of each.

    In the rows: the walk's probability over degree ** popular, the sums of 1 / distance ** alpha
    over the parents, and those of the weights of the children over the root of the out-degree.
    Then, in two rows, the votes of the parents: how many each page has, and the mean of these,
    1 where there are none, times its own where it is a parent.  Also how many links were read.
    """
    walked, probabilities, read, _ = walks.push(walks.Scratch(), links, page, restart, error)
    near = sums.proximity_sums(sums.Scratch(), links, parents, page, alpha)
    coupled = sums.weighted_sums(sums.Scratch(), links, children, weights, True)
    found: dict[int, list[float]] = {}
    for part, (pages, values) in enumerate(((walked, probabilities), near[:2], coupled[:2])):
        for other, value in zip(pages.tolist(), values.tolist(), strict=True):
            found.setdefault(other, [0.0, 0.0, 0.0])[part] = value
    del found[page]
    for other, row in found.items():
        degree = out_degree(links, other) + len(row_of(links, other, True))
        row[0] /= degree**popular
        row[2] /= max(out_degree(links, other), 1) ** 0.5
    table = np.array(list(found.values()), np.float64).reshape(-1, 3)
    own = dict(zip(parents.tolist(), votes.tolist(), strict=True))
    linking = {parent: set(row_of(links, parent, False)) for parent in own}
    voted = np.ones((2, len(found)))
    for place, other in enumerate(found):
        voices = [own[parent] for parent in own if other in linking[parent]]
        voted[0, place] = sum(voices)
        voted[1, place] = sum(voices) / len(voices) if voices else 1.0
        voted[1, place] *= own.get(other, 1.0)
    total = read + near[2] + coupled[2]
    return np.array(list(found), np.uint32), np.ascontiguousarray(table.T), voted, total


def multiply(
    links: Links,
    pages: NDArray[uint32],
    parts: NDArray[float64],
    faint: float,
    doubts: NDArray[float64],
    known: float,
    known_most: int,
) -> NDArray[float64]:
    """The product of the parts, each over its largest and with its doubt added.

    The first is divided by its largest and `faint`.  Times the in-degree, `known_most` at most,
    ** known.
    """
    in_degrees = np.diff(links.in_offsets.astype(np.int64))[pages]
    scores = np.clip(in_degrees, 1, known_most).astype(np.float64) ** known
    for part, more, doubt in zip(parts, (faint, 0.0, 0.0), doubts.tolist(), strict=True):
        largest = part.max(initial=0.0) + more
        scores = scores * ((part / largest if largest > 0 else 0.0) + doubt)
    return scores
