"""Score how likely a mention should be a link, by learning from the site's own links.

The score is 1 / (1 + exp(-z)), with z = w · x. The features x of a candidate are:

- what share of the occurrences of its words link to the target, counted by places and by pages; how
  often their links lead to this target; and whether they are its title, or code;
- whether candidates on this page, or between these words, are links more often than their words
  lead us to expect (see `propensity`);
- the graph's evidence that the page should link to the target, as for missing links (see `gaps`).

The weights w come from logistic regression on the site's own links. Remove a random tenth of them,
look for mentions as if those had never been links, and learn which pages had the link. Draws are
repeated until `ENOUGH` removed links have been found again. So of 100 mentions with a score of 0.7,
70 had the link. The prior is a normal distribution around the weights in `USUAL`, so the weights of
a small site stay close to those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.apps.gaps.calibration import hold_out, spread
from whatsrelated.apps.gaps.suggestions import Suggester
from whatsrelated.apps.mentions.propensity import Surroundings, propensity

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Links
    from whatsrelated.apps.gaps.structure import SiteStructure
    from whatsrelated.apps.mentions.candidates import CandidateFinder, LinkCandidates

FEATURES = (
    "constant",
    "linked places",
    "linked pages",
    "share of the target",
    "title",
    "words",
    "code",
    "page",
    "word before",
    "word after",
    "peers",
    "all peers",
    "back",
    "similar",
    "place",
)
USUAL = np.array(
    [-0.22, 0.02, 0.5, 0.29, 0.53, 0.36, 1.17, -0.12, 0.4, 0.09, 0.34, 0.15, 0.48, 0.37, 0.15]
)
"""The weights that fit several sites (benchmarks.mentions --fit)."""
STRENGTH = 15.0
"""How strong the prior is: the usual weights count as much as this many candidates."""
ENOUGH, MAX_DRAWS = 400, 8
MAX_PAGES = 3000
"""Maximum number of pages per draw."""


class SignReader:
    """Computes the features of one site's candidates."""

    def __init__(self, site: SiteStructure, finder: CandidateFinder) -> None:
        self.site, self.finder = site, finder
        self.surroundings = Surroundings(finder.corpus, finder.mentions)

    def features(self, candidates: LinkCandidates, known: NDArray[int64]) -> NDArray[float64]:
        """The features of each candidate, in the order of `FEATURES`, except those of the graph.

        `known` are the rows of existing links.
        """
        corpus, mentions = self.finder.corpus, self.finder.mentions
        pages, phrases = mentions.pages[candidates.rows], mentions.phrases[candidates.rows]
        is_title = corpus.dictionary.is_title[candidates.entries]
        near = self.surroundings.of(candidates.rows)
        near_links = self.surroundings.of(known)
        groups = [
            (mentions.pages[known], pages),
            (near_links[:, 0], near[:, 0]),
            (near_links[:, 1], near[:, 1]),
        ]
        result = np.zeros((len(pages), len(FEATURES)))
        result[:, 0] = 1
        result[:, 1] = np.log((candidates.linked + 0.2 + 0.3 * is_title) / (candidates.plain + 0.5))
        result[:, 2] = np.log((candidates.hits + 0.1 + 0.2 * is_title) / (candidates.misses + 0.5))
        result[:, 3] = np.log((candidates.hits + 0.5) / (candidates.all_hits + 0.5))
        result[:, 4] = is_title
        result[:, 5] = np.log(np.array(corpus.table.words or [1])[phrases])
        result[:, 6] = np.array(corpus.table.is_code or [False])[phrases]
        for number, (of_links, of_candidates) in enumerate(groups, 7):
            result[:, number] = propensity(of_links, of_candidates, candidates.expected)
        return result

    def add_graph(
        self, features: NDArray[float64], candidates: LinkCandidates, graph: Links
    ) -> NDArray[float64]:
        """The features, completed with the evidence of these links."""
        pages = self.finder.mentions.pages[candidates.rows]
        suggester = Suggester(graph, self.site.is_page)
        order = np.argsort(pages, kind="stable")
        starts = np.flatnonzero(np.diff(pages[order], prepend=-1))
        for part in np.split(order, starts[1:]):
            if len(part):
                targets = candidates.targets[part].astype(np.uint32)
                features[part, -5:] = suggester.evidence(int(pages[part[0]]), targets)
        return features

    def candidates(self) -> tuple[LinkCandidates, NDArray[float64]]:
        """All candidates, and their features."""
        candidates, known = self.finder.find()
        return candidates, self.add_graph(
            self.features(candidates, known), candidates, self.site.store.links
        )

    def trial(self, seed: int) -> tuple[NDArray[float64], NDArray[bool_]]:
        """The features of the candidates after a tenth of the links is removed, and which of them
        are those links.
        """
        rest, gone = hold_out(self.site, seed)
        candidates, known = self.finder.find(gone)
        features = self.features(candidates, known)
        pages = self.finder.mentions.pages[candidates.rows]
        kept = np.isin(pages, spread(np.unique(pages), MAX_PAGES))
        kept &= ~self.site.is_index[pages]
        candidates = candidates.only(kept)
        return self.add_graph(features[kept], candidates, rest), candidates.is_held_out

    def trials(self) -> tuple[NDArray[float64], NDArray[bool_]]:
        """As many trials as the site needs, in one table."""
        parts = [self.trial(0)]
        while len(parts) < MAX_DRAWS and sum(true.sum() for _, true in parts) < ENOUGH:
            parts.append(self.trial(len(parts)))
        features, true = zip(*parts, strict=True)
        return np.concatenate(features), np.concatenate(true)


def probability(features: NDArray[float64], weights: NDArray[float64]) -> NDArray[float64]:
    """The score of each candidate."""
    return np.asarray(1 / (1 + np.exp(-np.clip(features @ weights, -30, 30))))


def fit(
    known: NDArray[float64],
    true: NDArray[bool_],
    home: NDArray[float64] = USUAL,
    strength: float = STRENGTH,
) -> NDArray[float64]:
    """Logistic regression by Newton's method, with a normal prior around `home`.

    Each step is halved until the loss falls, because full steps can overshoot by more each time.
    """
    if not len(known):
        return home
    scale = np.maximum(known.std(axis=0), 0.05) ** 2
    doubt = strength * scale
    doubt[0] = 0.05 * strength
    sides = np.where(true, -1.0, 1.0)

    def loss(weights: NDArray[float64]) -> float:
        surprise = np.logaddexp(0, sides * (known @ weights)).sum()
        return float(surprise + doubt @ (weights - home) ** 2 / 2)

    weights, lowest = home.copy(), loss(home)
    for _ in range(50):
        share = probability(known, weights)
        slope = known.T @ (true - share) - doubt * (weights - home)
        bend = (known * (share * (1 - share))[:, None]).T @ known + np.diag(doubt)
        step = np.linalg.solve(bend, slope)
        while (reached := loss(weights + step)) > lowest and np.abs(step).max() >= 1e-6:
            step /= 2
        weights, lowest = weights + step, reached
        if np.abs(step).max() < 1e-6:
            break
    return weights
