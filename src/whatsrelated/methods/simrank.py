"""SimRank: pages are alike that alike pages link to.

    s(u, u) = 1,   s(u, v) = γ · the mean of s(p, q) over the parents p of u and q of v,

and 0 where one of them has no parent.  It is the chance that two walkers, who
start from u and v and go back over links, both going on with the chance γ at
each step, come to one page at the same time.

On a small graph, all pairs at once, in rounds, until nothing moves (JW02).
On any other, one page u against all:

1. Estimate the whole list eight times in one go, each time right on the average
   (kernels/_simrank.pyx): go back from u, drawing where little is left to share;
   let pairs of walkers say how often two who have met will meet again; go
   forward to the pages, rounding what is little.
2. From how far the eight are apart, tell how far their mean may be off; where
   that is more than `error` times the best score, make eight more, or begin
   again with a finer step.

Where we differ from JW02: scores on a large graph are estimates, and the
answer says how good they are.

Cost: docs/methods/simrank.md.  JW02; LLK06, eq. 1.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.query.answer import Found
from whatsrelated.query.sampling import draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float32, float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.query.question import Question

SMALL = 4_000_000
"""Pages times links: up to this, a question is answered from all pairs."""
MOST_PAGES = 5_000
"""Up to this, all pairs fit: three matrices of 0.2 GB."""
MOST_DECAY = 0.99
"""Walkers who stop less often than this are not sent out."""
SETTLED = 1e-11
MOST_ROUNDS = 10_000

USUAL_ERROR = 0.05
BACK, MEETING, SURE, FORWARD, LAST = 0.02, 0.3, 0.03, 0.22, 0.015
"""What the steps of an estimate take for little, as parts of the best score."""
TWINS = 10
"""How many pairs of walkers for each parent, up to a thousand, tell how large scores may be."""
FIRST, GROWTH, MOST_FIRST = 0.122, 0.38, 2.0
"""The first step, as a part of what is expected: the first times a power of the parents."""
SMALLEST = 1e-5
"""Scores below this part of what is expected are not looked for."""
PROBABILITY = 0.95
LANES = 8
"""Estimates that are made in one go."""
MOST_LANES = 4 * LANES
QUANTILE = 2.1701
"""Of the normal distribution: what is exceeded, either way, 3 times in 100.

Not 5: the estimates that are kept are those whose deviation was found to be small enough.
"""
CLEAR = 6
"""A score counts whose square is so many times its variance."""
STRAY = 10
"""By how many times the lanes must differ less without one of them for that to be left out."""
CLASSES = (1.0, 0.25, 0.05)
"""Pages between two of these parts of the best score are taken to be equally noisy."""

ENOUGH = 4_000
"""So many pages of a class tell whether its pages are off together."""

SHOWN = 5
WALKERS = 20_000
"""How many pairs of walkers look for the evidence."""


@dataclass(frozen=True)
class SimRank(Method):
    """Pages that alike pages link to."""

    name: ClassVar[str] = "simrank"
    compares: ClassVar[bool] = True

    decay: float = option(
        0.8, "what one step weighs beside the step before", symbol="γ", low=0, high=1, open_low=True
    )
    error: float = option(
        USUAL_ERROR,
        "what a score may be off, as a part of the best score; 0: nothing",
        low=0,
        high=1,
    )

    def find(self, question: Question) -> Found:
        store, page = question.store, question.page
        if not len(store.links_to(page)):
            return Found.nothing(f"no page links to {store.url(page)}")
        estimate = self._whole(question)
        kept = question.answerable(estimate.pages) & (estimate.scores > 0)
        pages, scores = estimate.pages[kept], estimate.scores[kept]
        if not len(pages):
            return Found.nothing(f"the pages that link to {store.url(page)} lead to no other page")
        within = estimate.within / float(scores.max())
        notes = []
        if within > 0 and estimate.runs:
            notes.append(
                f"Each score is within {within:.2%} of the best, with a probability of "
                f"{PROBABILITY:.0%}."
            )
        elif within > 0:
            notes.append(f"Any score may be up to {within:.2%} of the best too low.")
        if estimate.late:
            notes.append("The time was up before that was little enough.")
        return Found(
            pages,
            scores,
            vicinity_pages=len(estimate.pages) + 1,
            vicinity_links=estimate.read,
            notes=tuple(notes),
            details={"within": estimate.within, "runs": estimate.runs},
            evidence=lambda other: _Evidence(self, question, other).told(),
        )

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """SimRank with each of the others; 1 with itself."""
        scores = super().compare(question, others)
        scores[np.array(others) == question.page] = 1.0
        return scores

    def exact(self, store: Store) -> bool:
        """Whether all pairs are computed, instead of estimates for one page."""
        if store.n_pages * store.n_links <= SMALL:
            return True
        if self.error > 0 and self.decay <= MOST_DECAY:
            return False
        if store.n_pages <= MOST_PAGES:
            return True
        what = "decay must be at most 0.99" if self.error > 0 else "error must be above 0"
        got = self.decay if self.error > 0 else self.error
        raise OptionError(
            f"simrank: {what} on a graph of more than {MOST_PAGES:,} pages, got {got:g}."
        )

    def _whole(self, question: Question) -> _Estimate:
        store = question.store
        if not self.exact(store):
            return _Estimating(self, question).whole()
        deadline = math.inf if question.deadline is None else question.deadline
        pairs = all_pairs(store, self.decay, deadline=deadline)
        row = pairs.scores[question.page]
        pages = np.flatnonzero(row).astype(np.uint32)
        return _Estimate(pages, row[pages], pairs.lacking, 0, store.n_links, bool(pairs.lacking))


@dataclass(frozen=True, slots=True)
class Pairs:
    """SimRank of every two pages, and what a score may lack."""

    decay: float
    scores: NDArray[float64]
    lacking: float = 0.0


_kept: WeakKeyDictionary[Store, Pairs] = WeakKeyDictionary()


def all_pairs(
    store: Store, decay: float, settled: float = SETTLED, deadline: float = math.inf
) -> Pairs:
    """SimRank of every two pages, in rounds until nothing moves; the last of a graph is kept.

    After k rounds a score lacks at most decay ** (k + 1), two walkers' chance to go on so long.
    """
    kept = _kept.get(store)
    if kept is not None and kept.decay == decay:
        return kept
    scores = np.eye(store.n_pages)
    means, turned = np.empty_like(scores), np.empty_like(scores)
    arrays = store.in_offsets, store.in_links
    rounds, moved = 0, math.inf
    while moved > settled and rounds < MOST_ROUNDS:
        if rounds and time.monotonic() > deadline:
            return Pairs(decay, scores, decay ** (rounds + 1))
        kernels.pairs.mean_rows(*arrays, scores, decay, means)
        kernels.pairs.turned(means, turned)
        kernels.pairs.mean_rows(*arrays, turned, 1.0, means)
        np.fill_diagonal(means, 1.0)
        np.subtract(means, scores, out=turned)
        moved = max(turned.max(initial=0.0), -turned.min(initial=0.0))
        scores, means = means, scores
        rounds += 1
    pairs = Pairs(decay, scores)
    if settled <= SETTLED:
        _kept[store] = pairs
    return pairs


@dataclass(slots=True)
class _Estimate:
    """The scores, and how far off each may be."""

    pages: NDArray[uint32]
    scores: NDArray[float64]
    within: float
    runs: int
    read: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class _Run:
    """Estimates made in one go, the lanes; their mean, and its variance."""

    pages: NDArray[uint32]
    means: NDArray[float64]
    variances: NDArray[float64]
    lanes: NDArray[float32]
    exact: bool = False

    @property
    def count(self) -> int:
        """How many lanes there are."""
        return int(self.lanes.shape[1])

    def clear(self, error: float) -> NDArray[float64]:
        """The means; 0 for what the lanes do not agree on: it is not known to be there at all.

        Where one is unsure by more than `error` times the best, a stray lane is left out.
        """
        means = np.where(self.means**2 > CLEAR * self.variances, self.means, 0.0)
        unsure = np.flatnonzero(self.variances > (error * means.max(initial=0.0)) ** 2)
        means[unsure] = np.where(means[unsure] > 0, _steadied(self.lanes[unsure]), 0.0)
        return means

    def with_more(self, other: _Run) -> _Run:
        """The lanes of both; a page that one of them leaves out is little enough to be left out."""
        pages, at, there = np.intersect1d(
            self.pages, other.pages, assume_unique=True, return_indices=True
        )
        lanes = np.hstack([self.lanes[at], other.lanes[there]])
        means = lanes.mean(axis=1, dtype=np.float64)
        variances = lanes.var(axis=1, ddof=1, dtype=np.float64) / lanes.shape[1]
        return _Run(pages, means, variances, lanes)

    def noise(self, means: NDArray[float64], unseen: float) -> float:
        """What a mean may be off with the probability stated, in the noisiest class of pages.

        What no lane has drawn is not in their variance: one such draw is added to each class.
        """
        best = means.max(initial=0.0)
        noise = 0.0
        for high, low in pairwise(CLASSES):
            own = np.flatnonzero((means <= high * best) & (means > low * best))
            if len(own):
                deviation = math.sqrt((float(self.variances[own].sum()) + unseen) / len(own))
                some = own[:: 1 + len(own) // ENOUGH]
                freedom = _freedom(self.lanes[some] - self.means[some, None])
                noise = max(noise, _quantile(freedom) * deviation)
        return noise


def _steadied(lanes: NDArray[float32]) -> NDArray[float64]:
    """The means of lanes, without the farthest where the others are much nearer together."""
    count = lanes.shape[1]
    means: NDArray[float64] = lanes.mean(axis=1, dtype=np.float64)
    apart = lanes - means[:, None]
    squares = (apart**2).sum(axis=1)
    far = np.take_along_axis(apart, np.abs(apart).argmax(axis=1)[:, None], axis=1)[:, 0]
    stray = squares > STRAY * (squares - far**2 * count / (count - 1))
    means[stray] -= far[stray] / (count - 1)
    return means


class _Estimating:
    """One question's estimates."""

    def __init__(self, method: SimRank, question: Question) -> None:
        self.store, self.page = question.store, question.page
        self.decay, self.error = method.decay, method.error
        self.deadline = math.inf if question.deadline is None else question.deadline
        self.key = int(draw(self.store.url(self.page), question.seed) * 2**32) << 24
        self.runs = self.read = 0
        self.about = self._about()

    def whole(self) -> _Estimate:
        parents = len(self.store.links_to(self.page))
        step = self.about * min(self.error / USUAL_ERROR, 2.0)
        step *= min(FIRST * parents**GROWTH, MOST_FIRST)
        run = self._run(step)
        while True:
            means = run.clear(self.error)
            best = float(means.max(initial=0.0))
            unseen = self.decay * (FORWARD * step) ** 2 * LANES / run.count
            noise = run.noise(means, unseen)
            # A page with no parent of so much is not listed, and has less than that.
            within = 0.0 if run.exact else max(noise, SURE * step)
            enough = run.exact or within <= self.error * best
            late = time.monotonic() > self.deadline
            if enough or late or step < SMALLEST * self.about:
                break
            wanted = 0.95 * self.error * best
            more = run.count + LANES
            hoped = noise * math.sqrt(run.count / more)
            if max(hoped, SURE * step) <= wanted and more <= MOST_LANES:
                run = run.with_more(self._run(step))
            else:
                step *= min(max(wanted / within * math.sqrt(LANES / run.count), 0.25), 0.8)
                run = self._run(step)
        kept = means > self.error * best / 2
        late = late and not enough
        return _Estimate(run.pages[kept], means[kept], within, self.runs, self.read, late)

    def _about(self) -> float:
        """How alike a page with the same parents would be."""
        parents = len(self.store.links_to(self.page))
        twins = TWINS * min(parents, 1000)
        here = np.array([self.page], np.uint32)
        met = kernels.simrank.meetings(
            self.store.in_offsets,
            self.store.in_links,
            here,
            here,
            np.array([twins], np.int64),
            self.decay,
            self.key,
        )
        return self.decay / parents + self.decay * (1 - 1 / parents) * int(met[0]) / twins

    def _run(self, step: float) -> _Run:
        self.key += 1
        pages, means, variances, read, exact, lanes = kernels.simrank.estimate(
            scratch_of("simrank"),
            self.store.in_offsets,
            self.store.in_links,
            self.store.out_offsets,
            self.store.out_links,
            self.page,
            self.decay,
            self.key,
            BACK * step,
            # A pair that meets is rare, and is not to be seen in how far the lanes are apart.
            MEETING * step * step / self.about,
            SURE * step,
            FORWARD * step,
            LAST * step,
        )
        self.runs += 1
        self.read += read
        return _Run(pages, means, variances, lanes, exact)


def _freedom(apart: NDArray[Any]) -> float:
    """How many draws tell the variance of a class, by how far each page's lanes are from its mean.

    Where all pages are off together, these are as many as the lanes, less 1; where each is off in
    its own way, so many for each page.  What the pages of n such ways have is a Wishart matrix.
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
    """Of Student's t, from that of the normal distribution (Cornish and Fisher's expansion)."""
    z = QUANTILE
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


class _Evidence:
    """The pairs of parents that make two pages alike."""

    def __init__(self, method: SimRank, question: Question, other: int) -> None:
        self.decay = method.decay
        self.store = question.store
        self.exact = method.exact(self.store)
        self.own = np.sort(self.store.links_to(question.page))
        self.its = np.sort(self.store.links_to(other))
        self.all = len(self.own) * len(self.its)
        self.key = int(draw(self.store.url(other), question.seed) * 2**32)

    def told(self) -> dict[str, Any]:
        shared = np.intersect1d(self.own, self.its, assume_unique=True)
        ones, twos, scores, apart = self._apart()
        score = self.decay * (len(shared) + apart) / self.all
        pairs = [(1.0, page, page) for page in shared[:SHOWN].tolist()]
        alike = list(zip(scores.tolist(), ones.tolist(), twos.tolist(), strict=True))
        pairs += [pair for pair in alike if pair[0] > 0]
        pairs.sort(key=lambda pair: (-pair[0], pair[1:]))
        part = len(shared) / (len(shared) + apart) if len(shared) + apart else 0.0
        make = "parent in common makes" if len(shared) == 1 else "parents in common make"
        sentence = f"{len(shared):,} {make} {part:.0%} of the score"
        if alike and alike[0][0] > 0:
            one, two = (self.store.url(page) for page in alike[0][1:])
            sentence += f", parents that are alike the rest, most {one} and {two}"
        return {
            "sentence": sentence + ".",
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
        """Pairs of different parents that are much alike, and the sum over all such pairs."""
        if self.exact:
            table = all_pairs(self.store, self.decay).scores[np.ix_(self.own, self.its)]
            table = np.where(self.own[:, None] == self.its, 0.0, table)
            places = np.argsort(-table, axis=None, kind="stable")[:SHOWN]
            places = places[table.ravel()[places] > 0]
            rows, columns = np.unravel_index(places, table.shape)
            found = table[rows, columns]
            return self.own[rows], self.its[columns], found, float(table.sum())
        rng = np.random.default_rng(self.key)
        places = rng.integers(self.all, size=WALKERS)
        if self.all <= WALKERS:
            places = np.resize(np.arange(self.all), max(WALKERS // self.all, 1) * self.all)
        ones, twos = self.own[places // len(self.its)], self.its[places % len(self.its)]
        apart = ones != twos
        met = self._met(ones[apart], twos[apart], 1)
        total = float(met.sum()) * self.all / len(places)
        likely, counts = np.unique(places[apart][met > 0], return_counts=True)
        likely = likely[np.argsort(-counts, kind="stable")[: 4 * SHOWN]]
        ones, twos = self.own[likely // len(self.its)], self.its[likely % len(self.its)]
        scores = self._met(ones, twos, WALKERS // 20) / (WALKERS // 20)
        best = np.argsort(-scores, kind="stable")[:SHOWN]
        return ones[best], twos[best], scores[best], total

    def _met(self, ones: NDArray[uint32], twos: NDArray[uint32], walkers: int) -> NDArray[Any]:
        counts = np.full(len(ones), walkers, np.int64)
        met: NDArray[Any] = kernels.simrank.meetings(
            self.store.in_offsets,
            self.store.in_links,
            np.ascontiguousarray(ones),
            np.ascontiguousarray(twos),
            counts,
            self.decay,
            self.key,
        )
        return met
