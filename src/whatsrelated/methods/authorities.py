"""The best authorities of a vicinity, and their reasons: what companion and hits share.

A good hub links to good authorities, and a good authority is linked from good
hubs (Kle99).  From all ones, A[q] is the sum of H[p] times the authority weight
over the links p -> q, H[p] the sum of A[q] times the hub weight, both brought to
Euclidean length 1, until A moves by less than `tolerance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.query.answer import Found
from whatsrelated.vicinity.gathering import QUERY
from whatsrelated.vicinity.shared import shared_parents

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.vicinity.gathering import Vicinity

LEAST = 1e-6
"""Results have more than this share of the best one's authority."""
SHOWN = 10
"""How many hubs and shared parents the evidence lists; it counts them all."""


@dataclass
class Authorities:
    """Hubs and authorities over a vicinity: what they are, and why."""

    vicinity: Vicinity
    parents: dict[int, NDArray[uint32]]
    """The sampled parents of each query page."""
    authority: NDArray[float64]
    hub: NDArray[float64]
    best: tuple[NDArray[uint32], NDArray[float64]]
    """The best pages, none of the query, and their authorities."""
    rounds: int
    moved: float
    """By the last round."""
    tolerance: float
    weighted: bool = False
    merged: int = 0
    """How many pages have another name."""

    @classmethod
    def unweighted(
        cls,
        vicinity: Vicinity,
        parents: dict[int, NDArray[uint32]],
        tolerance: float,
        max_rounds: int,
    ) -> Authorities:
        """Where every link counts the same."""
        authority, hub, rounds, moved = kernels.authorities.authorities(
            vicinity.starts, vicinity.targets, None, None, tolerance, max_rounds
        )
        best = kernels.authorities.best(vicinity.pages, authority, vicinity.roles, QUERY, LEAST)
        return cls(vicinity, parents, authority, hub, best, rounds, moved, tolerance)

    def found(self) -> Found:
        """The authorities other than the query pages, merged pages under their name."""
        vicinity, store = self.vicinity, self.vicinity.question.store
        found = Found(
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
            found.notes = (
                f"The authorities still moved by {self.moved:.1g} after {self.rounds:,} rounds "
                f"(max_rounds); tolerance is {self.tolerance:g}.",
            )
        if not len(found):
            found.reason = self._reason()
        return found

    @property
    def _weighs(self) -> bool:
        return self.weighted and self.vicinity.sites is not None

    @cached_property
    def _merged(self) -> NDArray[np.bool_]:
        """Which places have another name."""
        names = self.vicinity.names
        merged: NDArray[np.bool_] = names != np.arange(len(names), dtype=np.uint32)
        return merged

    def _near_duplicates(self) -> list[list[str]]:
        """The first groups of pages that were made one, each by its name first."""
        vicinity, url = self.vicinity, self.vicinity.question.store.url
        groups: list[list[str]] = []
        for name in np.unique(vicinity.names[self._merged])[:SHOWN].tolist():
            mirrors = vicinity.pages[self._merged & (vicinity.names == name)][: SHOWN - 1]
            groups.append([url(int(vicinity.pages[name])), *map(url, mirrors.tolist())])
        return groups

    def _reason(self) -> str:
        """Which condition failed."""
        vicinity = self.vicinity
        asked = " and ".join(vicinity.question.store.url(page) for page in self.parents)
        if len(vicinity.pages) == len(self.parents):
            return f"nothing links to {asked}, and it links to nothing"
        if not len(vicinity.targets):
            return f"no link around {asked} leads from one site to another; try site page"
        return f"nothing around {asked} is linked to from another site but itself"

    def evidence(self, page: int) -> dict[str, Any]:
        """The hubs that gave a page its authority, the parents it shares, its mirrors."""
        vicinity, store = self.vicinity, self.vicinity.question.store
        place = int(np.flatnonzero(vicinity.pages == page)[0])
        hubs, shares = self._hubs_of(place)
        sharing = [
            shared_parents(store, parents, query, page, SHOWN)
            for query, parents in self.parents.items()
        ]
        listed = [parent for _, parents in sharing for parent in parents]
        mirrors = vicinity.pages[self._merged & (vicinity.names == place)]
        told: dict[str, Any] = {
            "authority": float(self.authority[place]),
            "linked_from": len(hubs),
            "hubs": [
                {
                    "url": store.url(int(vicinity.pages[hub])),
                    "hub": float(self.hub[hub]),
                    "share": float(share),
                }
                for hub, share in zip(hubs[:SHOWN].tolist(), shares, strict=False)
            ],
            "shared_parents": sum(count for count, _ in sharing),
            "sampled_parents": sum(map(len, self.parents.values())),
            "parents": sorted(listed, key=lambda parent: parent["links"])[:SHOWN],
            "near_duplicates": [store.url(mirror) for mirror in mirrors.tolist()],
        }
        if vicinity.sites is not None:
            told["sites"] = len(np.unique(vicinity.sites[hubs]))
        return {"sentence": self._sentence(told), **told}

    def _hubs_of(self, place: int) -> tuple[NDArray[int64], NDArray[float64]]:
        """The hubs of a place, and the share of its authority that came from each."""
        links = self.vicinity.links_to(place)
        hubs = self.vicinity.sources(links)
        given = self.hub[hubs]
        if self._weighs:
            given = given * self.vicinity.edge_weights()[0][links]
        best = np.lexsort((self.vicinity.pages[hubs], -given))
        return hubs[best], given[best] / given.sum()

    def _sentence(self, told: dict[str, Any]) -> str:
        linked = told["linked_from"]
        on = f" on {told['sites']:,} sites" if told.get("sites", 1) > 1 else ""
        best = told["hubs"][0]
        if linked == 1:
            sentence = f"Linked from one page of the vicinity, {best['url']}"
        else:
            sentence = (
                f"Linked from {linked:,} pages of the vicinity{on}, the best of them "
                f"{best['url']} ({best['share']:.0%} of its authority)"
            )
        shared, sampled = told["shared_parents"], told["sampled_parents"]
        if sampled:
            of = "parents" if len(self.parents) == 1 else "parents of the pages asked for"
            sentence += f"; {shared:,} of {sampled:,} {of} link{'s' * (shared == 1)} to it too"
        if told["near_duplicates"]:
            mirrors = len(told["near_duplicates"])
            sentence += f"; it stands for {mirrors:,} near-duplicate{'s' * (mirrors > 1)} too"
        return sentence + "."
