"""Learn the weight of each signal of a missing link from a site's own links.

Sites differ: in a dictionary, links are seldom mutual; in a manual, they often are. So the powers
of z (see suggestions) are chosen for each site:

1. remove a random tenth of the links between its pages, drawn with a seed;
2. rank the suggestions from the remaining links, over the whole site, for every setting of a grid;
3. score each setting by the mean share of removed links among the first 50, 100 and 200
   suggestions, and subtract 0.002 for every step away from the powers that did best over many
   sites;
4. take the mean of the five best settings as the powers;
5. turn z into a score, 1 / (1 + exp(-(level + slope z))), by logistic regression on the first 500.
   So of the suggestions with a score of 0.7, seven in ten were real links.

There are three to five draws, fewer for larger sites, with at most 20,000 evenly spread pages in
each. If a draw removes fewer than 100 links, the evidence is too thin. Then the powers and the
score are those that did best over many sites (docs/reports/gaps.md).

Cost: three to five times the ranking itself, less for sites of more than 20,000 pages.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.stores import Links
from whatsrelated.apps.gaps.suggestions import Powers, Suggester, weigh

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

    from whatsrelated.apps.gaps.pace import Pace
    from whatsrelated.apps.gaps.structure import SiteStructure

SHARE = 0.1
FEWEST_DRAWS, MAX_DRAWS, MAX_ASKED = 3, 5, 20_000
FEWEST_LINKS = 100
DEPTHS = (50, 100, 200)
GRID = [
    Powers(*each)
    for each in itertools.product(
        (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.4, 0.75, 1.25), (0.0, 0.25, 0.5), (0.0, 0.5, 1.0, 1.5)
    )
]
STEPS = Powers(0.25, 0.4, 0.25, 0.5)
STEP_COST = 0.002
BEST = 5
FITTED = 500
HOME = Powers()
"""The powers that did best over many sites."""


@dataclass(frozen=True)
class Formula:
    """The formula that scores suggestions: the exponent of each signal, and the conversion of z
    into a score.
    """

    powers: Powers = HOME
    level: float = 1.36
    slope: float = 2.0

    def scores(self, signals: NDArray[float64]) -> NDArray[float64]:
        """The probability that each suggestion is a missing link."""
        return np.asarray(
            1 / (1 + np.exp(-(self.level + self.slope * weigh(signals, self.powers))))
        )


USUAL = Formula()


@dataclass(frozen=True)
class CalibrationTrial:
    """The suggestions of one draw, with a flag for those that are removed links."""

    signals: NDArray[float64]
    true: NDArray[bool_]

    def precision(self, powers: Powers) -> float:
        """The mean share of removed links among the first suggestions, at several depths."""
        true = self.true[self.first(powers, DEPTHS[-1])]
        return float(np.mean([true[:depth].mean() for depth in DEPTHS]))

    def first(self, powers: Powers, count: int) -> NDArray[int64]:
        """The first suggestions under these powers; ties keep their order."""
        z = weigh(self.signals, powers)
        if count < len(z):
            threshold = np.partition(z, len(z) - count)[len(z) - count]
            known = np.flatnonzero(z >= threshold)
        else:
            known = np.arange(len(z))
        return known[np.argsort(-z[known], kind="stable")][:count]


def calibrate(
    site: SiteStructure,
    sources: NDArray[int64],
    home: Formula = USUAL,
    pace: Pace | None = None,
) -> Formula:
    """The formula that best finds this site's own links, or one near `home` if there are too
    few.
    """
    trials = own_trials(site, sources, pace)
    if not trials:
        return home
    worth = [np.mean([trial.precision(powers) for trial in trials]) for powers in GRID]
    powers = choose(np.array(worth), home.powers)
    return Formula(powers, *_level_and_slope(trials, powers, home))


def own_trials(
    site: SiteStructure, sources: NDArray[int64], pace: Pace | None = None
) -> list[CalibrationTrial]:
    """One trial per draw, or none if too few links are removed."""
    n_pages = site.store.n_pages
    trials = []
    for seed in range(draws_of(len(sources))):
        rest, gone = hold_out(site, seed)
        if np.isin(gone // n_pages, sources).sum() < FEWEST_LINKS:
            return []
        trial = _trial(site, rest, gone, spread(sources, MAX_ASKED), pace)
        if trial is not None:
            trials.append(trial)
    return trials


def draws_of(sources: int) -> int:
    """The number of draws for this many pages."""
    return min(MAX_DRAWS, max(FEWEST_DRAWS, MAX_ASKED // max(1, sources)))


def choose(worth: NDArray[float64], home: Powers) -> Powers:
    """The mean of the best settings of the grid."""
    grid = np.array(GRID)
    steps = (np.abs(grid - np.array(home)) / np.array(STEPS)).sum(axis=1)
    best = np.argsort(-np.round(worth - STEP_COST * steps, 9), kind="stable")[:BEST]
    return Powers(*grid[best].mean(axis=0).tolist())


def hold_out(site: SiteStructure, seed: int) -> tuple[Links, NDArray[int64]]:
    """The links that remain after a tenth is removed, and the removed ones as source * pages +
    target.
    """
    n_pages = site.store.n_pages
    sources, targets = site.ends
    inside = site.is_page[sources] & site.is_page[targets] & (sources != targets)
    gone = inside & (np.random.default_rng(seed).random(len(sources)) < SHARE)
    rest = links_of(n_pages, sources[~gone], targets[~gone])
    return rest, np.sort(sources[gone] * n_pages + targets[gone])


def links_of(n_pages: int, sources: NDArray[int64], targets: NDArray[int64]) -> Links:
    """Both directions of these links, which must be sorted by source."""

    def offsets(pages: NDArray[int64]) -> NDArray[np.uint64]:
        counts = np.bincount(pages, minlength=n_pages)
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)

    by_target = np.argsort(targets, kind="stable")
    return Links(
        offsets(sources),
        targets.astype(np.uint32),
        offsets(targets),
        sources[by_target].astype(np.uint32),
    )


def spread(pages: NDArray[int64], max_pages: int) -> NDArray[int64]:
    """All pages, or `most` of them, evenly spread."""
    if len(pages) <= max_pages:
        return pages
    return pages[np.arange(max_pages) * len(pages) // max_pages]


def _trial(
    site: SiteStructure,
    rest: Links,
    gone: NDArray[int64],
    sample: NDArray[int64],
    pace: Pace | None,
) -> CalibrationTrial | None:
    """The suggestions for these pages, and which of them are removed links."""
    suggester = Suggester(rest, site.is_page)
    signals, keys = [], []
    for done, page in enumerate(sample.tolist()):
        if pace is not None:
            pace.step("calibrating on the site's own links", done, len(sample))
        if (suggestions := suggester.suggest(page)) is not None:
            signals.append(suggestions.signals())
            keys.append(page * site.store.n_pages + suggestions.targets.astype(np.int64))
    return (
        CalibrationTrial(np.vstack(signals), np.isin(np.concatenate(keys), gone))
        if signals
        else None
    )


def _level_and_slope(
    trials: list[CalibrationTrial], powers: Powers, home: Formula
) -> tuple[float, float]:
    """Level and slope of the score: logistic regression by Newton's method, regularised.

    The prior is normal, with deviation 1 around the slope of `home`, and wide around its level.
    """
    rows, true = [], []
    for trial in trials:
        first = trial.first(powers, FITTED)
        rows.append(weigh(trial.signals[first], powers))
        true.append(trial.true[first])
    z = np.concatenate(rows)
    known = np.column_stack([np.ones(len(z)), z])
    middle = np.array([home.level, home.slope])
    doubt = np.array([0.1, 1.0])
    weights = middle.copy()
    for _ in range(50):
        share = 1 / (1 + np.exp(-np.clip(known @ weights, -30, 30)))
        slope = known.T @ (np.concatenate(true) - share) - doubt * (weights - middle)
        bend = (known * (share * (1 - share))[:, None]).T @ known + np.diag(doubt)
        step = np.linalg.solve(bend, slope)
        weights = weights + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]), max(float(weights[1]), 0.1)
