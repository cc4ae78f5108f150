"""Links that one page may be missing, and the evidence for each.

For a page u:

1. its peers are the 100 pages with the most similar links, each with a weight, as in the
   method peers;
2. for a page v that u does not link to, m is the weight of the peers that link to v, and M is the
   weight of all peers; p is v's place in the list of the method peers, at most 100; a is the weight
   of v itself as a peer; r is 1 if v links to u, otherwise 0;
3. z = ln(m + 0.01) - t ln(M + 1) + b r + s ln(a + 0.05) - q ln(p + 1).

Evidence is hard to compare between pages: m grows with u's number of links, and m / M is 1 for a
single peer. So M is raised to a power t. A link from v to u is a signal, and so are similar links
of v. The place p puts the first suggestion for one page before the third for another.

Cost: one query with the method `peers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from whatsrelated import Peers
from whatsrelated.api.asking import POPULAR

if TYPE_CHECKING:
    from numpy import bool_, float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Links

PEERS = Peers()
MAX_PLACES = 12
"""Number of places in a list to consider, besides pages that link back."""
LAST_PLACE = 100


class Powers(NamedTuple):
    """The weight of each signal: t, b, s and q."""

    total: float = 0.5
    back: float = 0.75
    alike: float = 0.25
    place: float = 1.0


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The links that one page may be missing, with the evidence for each."""

    targets: NDArray[uint32]
    mass: NDArray[float64]
    total: float
    peers: NDArray[uint32]
    places: NDArray[int64]
    alike: NDArray[float64]
    back: NDArray[bool_]

    def signals(self) -> NDArray[float64]:
        """The terms of z: the weight of the peers, and the factor for each power."""
        signals = np.empty((len(self.targets), 5))
        signals[:, 0] = np.log(self.mass + 0.01)
        signals[:, 1] = -np.log(self.total + 1)
        signals[:, 2] = self.back
        signals[:, 3] = np.log(self.alike + 0.05)
        signals[:, 4] = -np.log(np.minimum(self.places, LAST_PLACE) + 1)
        return signals


def weigh(signals: NDArray[float64], powers: Powers) -> NDArray[float64]:
    """z for each suggestion."""
    return np.asarray(signals @ np.array([1.0, *powers]))


class Suggester:
    """Suggests missing links, based on the existing links; `is_page` marks the pages of the
    site.
    """

    def __init__(self, links: Links, is_page: NDArray[bool_]) -> None:
        self.links = links
        self.is_page = is_page
        self._marks = np.zeros(len(is_page), np.bool_)  # reset to False after each page
        self._weights = np.zeros(len(is_page))  # reset to 0

    def suggest(self, page: int, is_target: NDArray[bool_] | None = None) -> Suggestions | None:
        """The links that a page may be missing to these targets; None if there is no evidence."""
        links, marks = self.links, self._marks
        is_target = self.is_page if is_target is None else is_target
        linked = links.row(page, False)
        group = PEERS.group(links, page)
        pages, mass, _ = group.linked(links)
        marks[linked] = marks[page] = True
        new = self.is_page[pages] & ~marks[pages]
        pages, mass = pages[new], mass[new]
        parents = links.row(page, True)
        parents = np.sort(parents[is_target[parents] & ~marks[parents]])
        marks[linked] = marks[page] = False
        order = np.lexsort((pages, -np.round(mass / links.degrees(pages, True) ** POPULAR, 12)))
        marks[parents] = True
        places = np.flatnonzero(is_target[pages[order]])
        links_back = marks[pages[order[places]]]
        links_back_or_first = links_back.copy()
        links_back_or_first[:MAX_PLACES] = True
        places, links_back = places[links_back_or_first], links_back[links_back_or_first]
        marks[pages] = False
        others = parents[marks[parents]]  # without peers' links
        marks[parents] = False
        known = order[places]
        targets = np.concatenate([pages[known], others])
        if not len(targets):
            return None
        self._weights[group.similar] = group.similar_weights
        alikeness = self._weights[targets]
        self._weights[group.similar] = 0
        return Suggestions(
            targets,
            np.concatenate([mass[known], np.zeros(len(others))]),
            float(group.weights.sum()),
            group.peers,
            np.concatenate([places + 1, np.full(len(others), LAST_PLACE)]),
            alikeness,
            np.concatenate([links_back, np.ones(len(others), np.bool_)]),
        )

    def evidence(self, page: int, targets: NDArray[uint32]) -> NDArray[float64]:
        """The evidence for these targets, whether or not they would be suggested."""
        links = self.links
        group = PEERS.group(links, page)
        pages, mass, _ = group.linked(links)
        order = np.lexsort((pages, -np.round(mass / links.degrees(pages, True) ** POPULAR, 12)))
        place = self._weights  # borrowed; reset below
        place[pages[order]] = np.arange(len(pages)) + 1
        places = place[targets]
        places[places == 0] = LAST_PLACE
        place[pages] = mass
        weights = place[targets]
        place[pages] = 0
        place[group.similar] = group.similar_weights
        alikeness = place[targets]
        place[group.similar] = 0
        return Suggestions(
            targets,
            weights,
            float(group.weights.sum()),
            group.peers,
            places.astype(np.int64),
            alikeness,
            np.isin(targets, links.row(page, True)),
        ).signals()
