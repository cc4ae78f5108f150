"""How much each sign of a missing link counts on this site: its own links decide.

Sites differ: in a dictionary a page that links here is seldom linked back, in a manual it
often is.  So the powers of z (see suggestions) are chosen for each site:

1. take away a tenth of the links between its pages, drawn by a seed;
2. rank the suggestions for the rest by every setting of a grid, over the whole site;
3. a setting is worth the mean share of links that were taken away among the first 50, 100
   and 200, less 0.002 for every step from the powers that did best over many sites;
4. the powers are the mean of the five best settings;
5. of z a score is made, 1 / (1 + exp(-(level + slope z))), by logistic regression on the
   first 500: of links with a score of 0.7, seven in ten were true ones.

Three to five draws are made, the fewer the more pages there are, and at most 20,000 pages are
asked in each, evenly spread.
Where fewer than 100 links are taken away they decide nothing, and the powers and the score
are those that did best over many sites (docs/how-to/gaps.md).

Cost: three to five times that of the ranking itself, less on sites past 20,000 pages.
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
FEWEST_DRAWS, MOST_DRAWS, MOST_ASKED = 3, 5, 20_000
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
    """How suggestions are scored: the powers of their signs, and what makes a share of z."""

    powers: Powers = HOME
    level: float = 1.36
    slope: float = 2.0

    def scores(self, signs: NDArray[float64]) -> NDArray[float64]:
        """How likely each is a link that is missing."""
        return np.asarray(1 / (1 + np.exp(-(self.level + self.slope * weigh(signs, self.powers)))))


USUAL = Formula()


@dataclass(frozen=True)
class CalibrationTrial:
    """The suggestions of a draw, and which of them had been taken away."""

    signs: NDArray[float64]
    true: NDArray[bool_]

    def precision(self, powers: Powers) -> float:
        """The mean share of true links among the first, at several depths."""
        true = self.true[self.first(powers, DEPTHS[-1])]
        return float(np.mean([true[:depth].mean() for depth in DEPTHS]))

    def first(self, powers: Powers, count: int) -> NDArray[int64]:
        """The first suggestions by these powers, equal ones as they come."""
        z = weigh(self.signs, powers)
        if count < len(z):
            least = np.partition(z, len(z) - count)[len(z) - count]
            known = np.flatnonzero(z >= least)
        else:
            known = np.arange(len(z))
        return known[np.argsort(-z[known], kind="stable")][:count]


def calibrate(
    site: SiteStructure,
    sources: NDArray[int64],
    home: Formula = USUAL,
    pace: Pace | None = None,
) -> Formula:
    """The formula that finds this site's own links best, near `home` where they cannot tell."""
    trials = own_trials(site, sources, pace)
    if not trials:
        return home
    worth = [np.mean([trial.precision(powers) for trial in trials]) for powers in GRID]
    powers = choose(np.array(worth), home.powers)
    return Formula(powers, *_level_and_slope(trials, powers, home))


def own_trials(
    site: SiteStructure, sources: NDArray[int64], pace: Pace | None = None
) -> list[CalibrationTrial]:
    """A trial of each draw; none where too few links are taken away."""
    n_pages = site.store.n_pages
    trials = []
    for seed in range(draws_of(len(sources))):
        rest, gone = hold_out(site, seed)
        if np.isin(gone // n_pages, sources).sum() < FEWEST_LINKS:
            return []
        trial = _trial(site, rest, gone, spread(sources, MOST_ASKED), pace)
        if trial is not None:
            trials.append(trial)
    return trials


def draws_of(sources: int) -> int:
    """How many draws are made for so many pages."""
    return min(MOST_DRAWS, max(FEWEST_DRAWS, MOST_ASKED // max(1, sources)))


def choose(worth: NDArray[float64], home: Powers) -> Powers:
    """The mean of the best settings, by what each of the grid is worth."""
    grid = np.array(GRID)
    steps = (np.abs(grid - np.array(home)) / np.array(STEPS)).sum(axis=1)
    best = np.argsort(-np.round(worth - STEP_COST * steps, 9), kind="stable")[:BEST]
    return Powers(*grid[best].mean(axis=0).tolist())


def hold_out(site: SiteStructure, seed: int) -> tuple[Links, NDArray[int64]]:
    """The links without a tenth of those of the site, and these: source * pages + target."""
    n_pages = site.store.n_pages
    sources, targets = site.ends
    inside = site.is_page[sources] & site.is_page[targets] & (sources != targets)
    gone = inside & (np.random.default_rng(seed).random(len(sources)) < SHARE)
    rest = links_of(n_pages, sources[~gone], targets[~gone])
    return rest, np.sort(sources[gone] * n_pages + targets[gone])


def links_of(n_pages: int, sources: NDArray[int64], targets: NDArray[int64]) -> Links:
    """Both directions of these links; the sources ascend."""

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


def spread(pages: NDArray[int64], most: int) -> NDArray[int64]:
    """All pages, or `most` of them, evenly spread."""
    if len(pages) <= most:
        return pages
    return pages[np.arange(most) * len(pages) // most]


def _trial(
    site: SiteStructure,
    rest: Links,
    gone: NDArray[int64],
    asked: NDArray[int64],
    pace: Pace | None,
) -> CalibrationTrial | None:
    """What is suggested for these pages, and which of it had been taken away."""
    suggester = Suggester(rest, site.is_page)
    signs, keys = [], []
    for done, page in enumerate(asked.tolist()):
        if pace is not None:
            pace.step("trying what finds the site's own links", done, len(asked))
        if (found := suggester.suggest(page)) is not None:
            signs.append(found.signs())
            keys.append(page * site.store.n_pages + found.targets.astype(np.int64))
    return (
        CalibrationTrial(np.vstack(signs), np.isin(np.concatenate(keys), gone)) if signs else None
    )


def _level_and_slope(
    trials: list[CalibrationTrial], powers: Powers, home: Formula
) -> tuple[float, float]:
    """What makes a share of z: logistic regression by Newton's method, near `home` where in doubt.

    The doubt is a normal prior around the slope of `home`, of deviation 1, and a wide one
    around its level.
    """
    rows, true = [], []
    for trial in trials:
        first = trial.first(powers, FITTED)
        rows.append(weigh(trial.signs[first], powers))
        true.append(trial.true[first])
    z = np.concatenate(rows)
    known = np.column_stack([np.ones(len(z)), z])
    middle = np.array([home.level, home.slope])
    doubt = np.array([0.1, 1.0])
    found = middle.copy()
    for _ in range(50):
        share = 1 / (1 + np.exp(-np.clip(known @ found, -30, 30)))
        slope = known.T @ (np.concatenate(true) - share) - doubt * (found - middle)
        bend = (known * (share * (1 - share))[:, None]).T @ known + np.diag(doubt)
        step = np.linalg.solve(bend, slope)
        found = found + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    return float(found[0]), max(float(found[1]), 0.1)
