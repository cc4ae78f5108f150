"""Estimate SimRank of one page with all others in a large graph, with the error.

1. Compute eight unbiased estimates, the lanes, of the whole list in one pass
   (kernels/asking/_simrank.pyx): go backwards from the page, sampling when little is left to pass
   on; use pairs of walkers to estimate how often two that have met will meet again; go forwards to
   the pages, rounding small amounts randomly.
2. Derive the error of their mean from the spread of the lanes. If it exceeds `error` times the best
   score, compute eight more, or start again with a finer step.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.sampling import draw
from whatsrelated.kernels.scratch import scratch_of

if TYPE_CHECKING:
    from numpy import float32, float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

USUAL_ERROR = 0.05
BACK, MEETING, SIGNIFICANT, FORWARD, LAST = 0.02, 0.3, 0.03, 0.22, 0.015
"""The thresholds of an estimate's steps, as shares of the best score."""
TWINS = 10
"""Pairs of walkers per parent, up to a thousand in total, that estimate the size of scores."""
FIRST, GROWTH, MAX_FIRST = 0.122, 0.38, 2.0
"""The first step, as a share of the expected score, is FIRST times a power of the number of
parents.
"""
SMALLEST = 1e-5
"""Scores below this share of the expected score are ignored."""
PROBABILITY = 0.95
LANES = 8
"""Number of estimates computed in one pass."""
MAX_LANES = 4 * LANES
QUANTILE = 2.1701
"""Two-sided 3% quantile of the normal distribution.

We use 3% instead of 5% because estimates are kept only if their measured deviation is small enough.
"""
CLEAR = 6
"""A score counts if its square is at least this many times its variance."""
STRAY = 10
"""A lane is dropped if the spread is this many times smaller without it."""
CLASSES = (1.0, 0.25, 0.05)
"""Pages whose scores lie between two of these shares of the best are treated as equally noisy."""

ENOUGH = 4_000
"""A class needs this many pages to show whether its errors are correlated."""


@dataclass(slots=True)
class Estimate:
    """The scores, and the error of each."""

    pages: NDArray[uint32]
    scores: NDArray[float64]
    within: float
    runs: int
    read: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Estimates from one pass, the lanes; their mean, and its variance."""

    pages: NDArray[uint32]
    means: NDArray[float64]
    variances: NDArray[float64]
    lanes: NDArray[float32]
    exact: bool = False

    @property
    def count(self) -> int:
        """The number of lanes."""
        return int(self.lanes.shape[1])

    def clear(self, error: float) -> NDArray[float64]:
        """The means, or 0 for lanes that disagree too much to tell a score from 0.

        If the uncertainty exceeds `error` times the best score, a stray lane is left out.
        """
        means = np.where(self.means**2 > CLEAR * self.variances, self.means, 0.0)
        unsure = np.flatnonzero(self.variances > (error * means.max(initial=0.0)) ** 2)
        means[unsure] = np.where(means[unsure] > 0, _means_without_strays(self.lanes[unsure]), 0.0)
        return means

    def with_more(self, other: Run) -> Run:
        """The lanes of both passes.

        A page that one of them lacks is small enough to be left out.
        """
        pages, ours, theirs = np.intersect1d(
            self.pages, other.pages, assume_unique=True, return_indices=True
        )
        lanes = np.hstack([self.lanes[ours], other.lanes[theirs]])
        means = lanes.mean(axis=1, dtype=np.float64)
        variances = lanes.var(axis=1, ddof=1, dtype=np.float64) / lanes.shape[1]
        return Run(pages, means, variances, lanes)

    def noise(self, means: NDArray[float64], unseen: float) -> float:
        """The error of a mean at the stated probability, in the noisiest class of pages.

        Rare draws that no lane made are missing from their variance, so one is added to each class.
        """
        best = means.max(initial=0.0)
        noise = 0.0
        for high, low in pairwise(CLASSES):
            members = np.flatnonzero((means <= high * best) & (means > low * best))
            if len(members):
                deviation = math.sqrt(
                    (float(self.variances[members].sum()) + unseen) / len(members)
                )
                sampled = members[:: 1 + len(members) // ENOUGH]
                freedom = _freedom(self.lanes[sampled] - self.means[sampled, None])
                noise = max(noise, _quantile(freedom) * deviation)
        return noise


def _means_without_strays(lanes: NDArray[float32]) -> NDArray[float64]:
    """The means of the lanes, without the farthest lane if the others are much closer together."""
    count = lanes.shape[1]
    means: NDArray[float64] = lanes.mean(axis=1, dtype=np.float64)
    apart = lanes - means[:, None]
    squares = (apart**2).sum(axis=1)
    far = np.take_along_axis(apart, np.abs(apart).argmax(axis=1)[:, None], axis=1)[:, 0]
    stray = squares > STRAY * (squares - far**2 * count / (count - 1))
    means[stray] -= far[stray] / (count - 1)
    return means


class Estimator:
    """The estimates of one question."""

    def __init__(self, question: Question, decay: float, error: float) -> None:
        self.store, self.page = question.store, question.page
        self.decay, self.error = decay, error
        self.deadline = question.deadline
        self.key = int(draw(self.store.url(self.page), question.seed) * 2**32) << 24
        self.runs = self.read = 0
        self.expected = self._expected_score()

    def estimate(self) -> Estimate:
        """Estimate until the result is good enough, or time runs out."""
        parents = len(self.store.links_to(self.page))
        step = self.expected * min(self.error / USUAL_ERROR, 2.0)
        step *= min(FIRST * parents**GROWTH, MAX_FIRST)
        run = self._run(step)
        while True:
            means = run.clear(self.error)
            best = float(means.max(initial=0.0))
            unseen = self.decay * (FORWARD * step) ** 2 * LANES / run.count
            noise = run.noise(means, unseen)
            # A page is not listed if no parent has this much; its score is lower.
            within = 0.0 if run.exact else max(noise, SIGNIFICANT * step)
            enough = run.exact or within <= self.error * best
            late = time.monotonic() > self.deadline
            if enough or late or step < SMALLEST * self.expected:
                break
            target = 0.95 * self.error * best
            more = run.count + LANES
            hoped = noise * math.sqrt(run.count / more)
            if max(hoped, SIGNIFICANT * step) <= target and more <= MAX_LANES:
                run = run.with_more(self._run(step))
            else:
                step *= min(max(target / within * math.sqrt(LANES / run.count), 0.25), 0.8)
                run = self._run(step)
        kept = means > self.error * best / 2
        late = late and not enough
        return Estimate(run.pages[kept], means[kept], within, self.runs, self.read, late)

    def _expected_score(self) -> float:
        """The score that a page with the same parents would have."""
        parents = len(self.store.links_to(self.page))
        twins = TWINS * min(parents, 1000)
        page = np.array([self.page], np.uint32)
        met = kernels.meeting_walks.meetings(
            self.store.links,
            page,
            page,
            np.array([twins], np.int64),
            self.decay,
            self.key,
        )
        return self.decay / parents + self.decay * (1 - 1 / parents) * int(met[0]) / twins

    def _run(self, step: float) -> Run:
        self.key += 1
        pages, means, variances, read, exact, lanes = kernels.simrank.estimate(
            scratch_of(kernels.simrank.Scratch),
            self.store.links,
            self.page,
            decay=self.decay,
            key=self.key,
            back=BACK * step,
            # Meetings of pairs are too rare to show in the spread of the lanes.
            meeting=MEETING * step * step / self.expected,
            significant=SIGNIFICANT * step,
            forward=FORWARD * step,
            last=LAST * step,
        )
        self.runs += 1
        self.read += read
        return Run(pages, means, variances, lanes, exact)


def _freedom(apart: NDArray[float64]) -> float:
    """The degrees of freedom of a class's variance, from the deviations of each page's lanes.

    If the errors of all pages are perfectly correlated, it is the number of lanes minus 1; if they
    are independent, that many per page. In between, n independent directions give a Wishart matrix.
    """
    together = apart.T @ apart
    lanes = len(together)
    size = float(np.trace(together))
    if size == 0:
        return lanes - 1
    alike = float((together**2).sum()) / size**2
    ways = (lanes - 2 * alike) / max((lanes - 1) * alike - 1, 1e-9)
    return (lanes - 1) * max(ways, 1.0)


def _quantile(freedom: float) -> float:
    """The quantile of Student's t, from the normal quantile (Cornish–Fisher expansion)."""
    z = QUANTILE
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
