"""Why SimRank finds two pages similar: the pairs of similar parents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.sampling import draw
from whatsrelated.methods.simrank.exact import all_pairs
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

SHOWN = 5
WALKERS = 20_000
"""Number of pairs of walkers used to find evidence."""


class Evidence:
    """The pairs of parents that make two pages similar."""

    def __init__(self, question: Question, other: int, decay: float, exact: bool) -> None:
        self.store, self.page, self.other = question.store, question.page, other
        self.decay, self.exact = decay, exact
        self.page_parents = np.sort(self.store.links_to(question.page))
        self.other_parents = np.sort(self.store.links_to(other))
        self.all = len(self.page_parents) * len(self.other_parents)
        self.key = int(draw(self.store.url(other), question.seed) * 2**32)

    def as_dict(self) -> dict[str, Any]:
        shared = np.intersect1d(self.page_parents, self.other_parents, assume_unique=True)
        ones, twos, scores, apart = self._apart()
        score = self.decay * (len(shared) + apart) / self.all
        pairs = [(1.0, page, page) for page in shared[:SHOWN].tolist()]
        alike = list(zip(scores.tolist(), ones.tolist(), twos.tolist(), strict=True))
        pairs += [pair for pair in alike if pair[0] > 0]
        pairs.sort(key=lambda pair: (-pair[0], pair[1:]))
        part = len(shared) / (len(shared) + apart) if len(shared) + apart else 0.0
        nearest = alike[0][1:] if alike and alike[0][0] > 0 else ()
        say = Wording(self.store, [self.page], self.other)
        return {
            **say.evidence(say.similar_parents(shared.tolist(), nearest)),
            "shared_parents": len(shared),
            "pairs_of_parents": self.all,
            "score": score,
            "by_shared_parents": part,
            "pairs": [
                {
                    "parents": [self.store.url(one), self.store.url(two)],
                    "similarity": similarity,
                    "share": similarity / (len(shared) + apart),
                }
                for similarity, one, two in pairs[:SHOWN]
            ],
        }

    def _apart(self) -> tuple[NDArray[uint32], NDArray[uint32], NDArray[float64], float]:
        """Pairs of different parents that are similar, and the sum over all such pairs."""
        if self.exact:
            table = all_pairs(self.store, self.decay).scores[
                np.ix_(self.page_parents, self.other_parents)
            ]
            table = np.where(self.page_parents[:, None] == self.other_parents, 0.0, table)
            places = np.argsort(-table, axis=None, kind="stable")[:SHOWN]
            places = places[table.ravel()[places] > 0]
            rows, columns = np.unravel_index(places, table.shape)
            scores = table[rows, columns]
            return self.page_parents[rows], self.other_parents[columns], scores, float(table.sum())
        rng = np.random.default_rng(self.key)
        places = rng.integers(self.all, size=WALKERS)
        if self.all <= WALKERS:
            places = np.resize(np.arange(self.all), max(WALKERS // self.all, 1) * self.all)
        ones, twos = (
            self.page_parents[places // len(self.other_parents)],
            self.other_parents[places % len(self.other_parents)],
        )
        apart = ones != twos
        met = self._met(ones[apart], twos[apart], 1)
        total = float(met.sum()) * self.all / len(places)
        likely, counts = np.unique(places[apart][met > 0], return_counts=True)
        likely = likely[np.argsort(-counts, kind="stable")[: 4 * SHOWN]]
        ones, twos = (
            self.page_parents[likely // len(self.other_parents)],
            self.other_parents[likely % len(self.other_parents)],
        )
        scores = self._met(ones, twos, WALKERS // 20) / (WALKERS // 20)
        best = np.argsort(-scores, kind="stable")[:SHOWN]
        return ones[best], twos[best], scores[best], total

    def _met(self, ones: NDArray[uint32], twos: NDArray[uint32], walkers: int) -> NDArray[int64]:
        return kernels.meeting_walks.meetings(
            self.store.links,
            np.ascontiguousarray(ones),
            np.ascontiguousarray(twos),
            np.full(len(ones), walkers, np.int64),
            self.decay,
            self.key,
        )
