"""The best authorities of a vicinity, with evidence; shared by companion and hits.

Good hubs link to good authorities, and good authorities are linked from good hubs (Kle99). A[q] is
the sum of H[p] times the authority weight over the links p -> q, and H[p] is the sum of A[q] times
the hub weight. Both start from ones and are normalised to Euclidean length 1 in each round, until A
changes by less than `tolerance`.

Pages that are not connected through shared hubs form separate components. In the limit, all
authority is in the component that grows fastest. If that has only query pages, the others keep a
meaningless remainder that shrinks with the tolerance. Components with only query pages therefore
start from 0, and the others get the scores they would have without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.options import option
from whatsrelated.vicinity.gathering import QUERY
from whatsrelated.vicinity.quoting import Quotes
from whatsrelated.vicinity.shared import shared_parents
from whatsrelated.vicinity.wording import MAX_LISTED, Wording

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.vicinity.gathering import VicinityGraph

MIN_SHARE = 1e-6
"""Results need more than this share of the best result's authority."""


def tolerance_option() -> Any:
    """The tolerance at which companion and hits have converged."""
    return option(
        1e-9, "stop when the authorities change by less than this", low=0, high=1, open_low=True
    )


def max_rounds_option() -> Any:
    """The maximum number of iterations, for companion and hits."""
    return option(1000, "maximum number of iterations", low=1)


@dataclass
class Authorities:
    """Hubs and authorities of a vicinity, with evidence."""

    vicinity: VicinityGraph
    parents: dict[int, NDArray[uint32]]
    """The sampled parents of each query page."""
    authority: NDArray[float64]
    hub: NDArray[float64]
    best: tuple[NDArray[uint32], NDArray[float64]]
    """The best pages outside the query, and their authorities."""
    rounds: int
    moved: float
    """The change of the last round."""
    tolerance: float
    weighted: bool = False
    merged: int = 0
    """Number of pages merged into another."""

    @classmethod
    def unweighted(
        cls,
        vicinity: VicinityGraph,
        parents: dict[int, NDArray[uint32]],
        tolerance: float,
        max_rounds: int,
    ) -> Authorities:
        """Authorities with equal weights for all links."""
        authority, hub, rounds, moved = kernels.authorities.authorities(
            vicinity.starts,
            vicinity.targets,
            None,
            None,
            tolerance,
            max_rounds,
            vicinity.roles,
            QUERY,
        )
        best = kernels.authorities.best(vicinity.pages, authority, vicinity.roles, QUERY, MIN_SHARE)
        return cls(vicinity, parents, authority, hub, best, rounds, moved, tolerance)

    def candidates(self) -> Candidates:
        """The authorities other than the query pages; merged pages share one name."""
        vicinity, store = self.vicinity, self.vicinity.question.store
        candidates = Candidates(
            *self.best,
            vicinity_pages=len(vicinity.pages),
            vicinity_links=len(vicinity.targets),
            details={
                "parents": sum(len(store.links_to(page)) for page in self.parents),
                "sampled": sum(map(len, self.parents.values())),
                "merged": self.merged,
                "near_duplicates": self._near_duplicates() if self.merged else [],
                "rounds": self.rounds,
                "moved": self.moved,
            },
            evidence=self.evidence,
        )
        if self.moved >= self.tolerance:
            candidates.notes = (
                f"The authorities did not converge in {self.rounds:,} iterations (max_rounds): the "
                f"last changed them by {self.moved:.1g}, and tolerance is {self.tolerance:g}.",
            )
        if not len(candidates):
            candidates.reason = self._reason()
        return candidates

    @property
    def _weighs(self) -> bool:
        return self.weighted and self.vicinity.sites is not None

    @cached_property
    def _merged(self) -> NDArray[np.bool_]:
        """Whether each position was merged into another."""
        names = self.vicinity.names
        return np.asarray(names != np.arange(len(names), dtype=np.uint32))

    def _near_duplicates(self) -> list[list[str]]:
        """The first groups of merged pages; each starts with the page that names it."""
        vicinity, url = self.vicinity, self.vicinity.question.store.url
        groups: list[list[str]] = []
        for name in np.unique(vicinity.names[self._merged])[:MAX_LISTED].tolist():
            mirrors = vicinity.pages[self._merged & (vicinity.names == name)][: MAX_LISTED - 1]
            groups.append([url(int(vicinity.pages[name])), *map(url, mirrors.tolist())])
        return groups

    def _reason(self) -> str:
        """Why nothing was found."""
        vicinity = self.vicinity
        names = " and ".join(vicinity.question.store.url(page) for page in self.parents)
        if len(vicinity.pages) == len(self.parents):
            return f"{names} has no links in either direction"
        if not len(vicinity.targets):
            return f"all links around {names} stay on one site; try site=page"
        return f"no page around {names} but itself is linked from another site"

    def evidence(self, page: int) -> dict[str, Any]:
        """The hubs that gave a page its authority, its shared parents and its near-duplicates."""
        vicinity, store = self.vicinity, self.vicinity.question.store
        place = int(np.flatnonzero(vicinity.pages == page)[0])
        hubs, shares = self._hubs_of(place)
        quotes = Quotes(store)
        results = np.array([page], np.uint32)
        sharing = [
            shared_parents(store, parents, query, results)[0]
            for query, parents in self.parents.items()
        ]
        listed = [parent for shared in sharing for parent in shared.evidence(quotes)]
        mirrors = vicinity.pages[self._merged & (vicinity.names == place)]
        evidence: dict[str, Any] = {
            "authority": float(self.authority[place]),
            "linked_from": len(hubs),
            "hubs": [
                {
                    "url": store.url(int(vicinity.pages[hub])),
                    "hub": float(self.hub[hub]),
                    "share": float(share),
                }
                for hub, share in zip(hubs[:MAX_LISTED].tolist(), shares, strict=False)
            ],
            "shared_parents": sum(shared.total for shared in sharing),
            "sampled_parents": sum(map(len, self.parents.values())),
            "parents": sorted(listed, key=lambda parent: parent["links"])[:MAX_LISTED],
            "near_duplicates": [store.url(mirror) for mirror in mirrors.tolist()],
        }
        if vicinity.sites is not None:
            evidence["sites"] = len(np.unique(vicinity.sites[hubs]))
        say = Wording(store, tuple(self.parents), page, quotes)
        text = say.hubs(vicinity.pages[hubs].tolist(), evidence.get("sites", 1))
        return {**say.evidence(text), **evidence}

    def _hubs_of(self, place: int) -> tuple[NDArray[int64], NDArray[float64]]:
        """The hubs of a page, and the share of its authority that each gave."""
        links = self.vicinity.links_to(place)
        hubs = self.vicinity.sources(links)
        authority = self.hub[hubs]
        if self._weighs:
            authority = authority * self.vicinity.edge_weights()[0][links]
        best = np.lexsort((self.vicinity.pages[hubs], -authority))
        return hubs[best], authority[best] / authority.sum()
