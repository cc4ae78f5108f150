"""PageSim: pages that get much of their PageRank from the same pages.

Every page sends its PageRank along its links, split evenly at each page, over simple paths. PG(s,
v) is the amount that reaches v from s in this way, and PG(s, s) is the PageRank of s. Two pages are
similar if the same sources give to both:

    PageSim(u, v) = Σ over sources s: min(PG(s, u), PG(s, v))

1. Go back from u to its sources, then forward from each source. Sources that give the most for the
   fewest links come first.
2. Skip the sources whose share of u is small enough to ignore. Follow the others over two links.
   The amounts they send over a third link are bounded for all sources together, and followed only
   until that bound is small for every page.
3. `prune` limits the loss; the answer states a bound on the actual loss.

Difference from LLK06: paths have at most `radius` links, unless `radius` is none. Nothing is lost
if `prune` is 0, or if the exact answer is quick to compute.

For the cost and the proof of the bound, see docs/reports/pagesim.md. At most 4 million pages and 32
million links are held in memory. LLK06, sec. 2 and 3.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.graph.degrees import highest_in_degree
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store

QUICK = 20_000_000
"""The exact answer is computed up to this product of sources and links."""
MAX_PAGES = 1 << 22
TOGETHER = 3
"""Paths of up to this many links are followed together."""
EACH = 5
"""The cost of starting from a source, in links."""
TINY = 1e-250
SHOWN = 5
SHOWN_PATHS = 3
SEARCHED = 20_000
"""Maximum number of links read to find paths for the evidence."""


@dataclass(frozen=True)
class PageSim(Method):
    """Pages that get much of their PageRank from the same pages."""

    name = "pagesim"
    scored = "the PageRank that reaches both pages from the same pages"
    compares = True

    radius: int | str = option(
        3, "maximum number of links in a path", symbol="r", low=1, words=("none",)
    )
    prune: float = option(0.1, "share of the best score that may be lost for speed", low=0, high=1)
    damping: float = option(0.85, "damping of PageRank", symbol="d", low=0, high=1)
    seconds: float = option(
        10.0, "time limit in seconds; the answer may then be incomplete", low=0, open_low=True
    )

    def find(self, question: Question) -> Candidates:
        paths = _Paths(self, question)
        sums = paths.whole()
        kept = (sums.pages != question.page) & ~np.isin(sums.pages, question.stop)
        pages, scores = sums.pages[kept], sums.scores[kept]
        if not len(pages):
            url = question.store.url(question.page)
            why = "apart from stop pages, " if len(question.stop) else ""
            reason = f"{why}{url} has no links in either direction"
            return Candidates(pages, scores, reason=reason)
        lost = sums.lost
        share = lost / scores.max()
        notes = []
        if sums.lost > 0:
            notes.append(f"Scores may be up to {lost:.3g} too low ({share:.2%} of the best).")
        if sums.late:
            notes.append(f"Time ran out after {sums.followed:,} sources.")
        return Candidates(
            pages,
            scores,
            vicinity_pages=sums.met,
            vicinity_links=sums.read,
            notes=tuple(notes),
            details={"lost": lost, "sources": sums.sources, "followed": sums.followed},
            evidence=paths.evidence,
        )

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """The amount that the page and each of the others get from the same sources, without
        pruning."""
        paths = _Paths(self, question)
        amounts = paths.amounts_of(question.page)
        return np.array([amounts.shared(paths.amounts_of(other)) for other in others], np.float64)


@dataclass(slots=True)
class _Amounts:
    """The amount that a page gets from each source, by page number, and a bound on the rest."""

    sources: NDArray[uint32]
    amounts: NDArray[float64]
    lost: float
    read: int

    def shared(self, other: _Amounts) -> float:
        _, ours, theirs = np.intersect1d(
            self.sources, other.sources, assume_unique=True, return_indices=True
        )
        return float(np.minimum(self.amounts[ours], other.amounts[theirs]).sum())


@dataclass(slots=True)
class _Shares:
    """The scores and their cost."""

    pages: NDArray[uint32]
    scores: NDArray[float64]
    lost: float
    sources: int
    followed: int
    met: int
    read: int
    late: bool = False

    def better(self, other: _Shares | None) -> bool:
        return other is None or self.lost <= other.lost


class _Paths:
    """The paths to and from pages, for one question."""

    def __init__(self, method: PageSim, question: Question) -> None:
        assert question.rank is not None
        self.store = question.store
        self.page = question.page
        self.prune = method.prune
        self.damping = method.damping
        self.radius = -1 if method.radius == "none" else int(method.radius)
        self.deadline = min(time.monotonic() + method.seconds, question.deadline)
        scores = question.rank("pagerank", damping=method.damping).scores
        self.rank = np.ascontiguousarray(scores, np.float64)

    def amounts_of(self, page: int, threshold: float = 0.0) -> _Amounts:
        """The amounts that a page gets from its sources, including itself."""
        store = self.store
        sources, values, lost, read = kernels.path_sums.arrivals(
            store.links,
            page,
            1.0,
            radius=self.radius,
            least=threshold,
            rank=self.rank,
            damping=self.damping,
            deadline=self.deadline,
        )
        amounts = self.rank[sources] * values / store.out_degree(sources)
        sources = np.append(sources, np.uint32(page))
        amounts = np.append(amounts, self.rank[page])
        sent = amounts > TINY
        sources, amounts = sources[sent], amounts[sent]
        order = np.argsort(sources)
        return _Amounts(sources[order], amounts[order], lost, read)

    def whole(self) -> _Shares:
        """The scores of all pages, and bounds on their losses."""
        if not 0 <= self.radius <= TOGETHER:
            return self._step_by_step()
        if not self.prune:
            return self._exact(self.amounts_of(self.page))
        # The loss on the way back must be small compared with the allowed loss.
        total = float(self.rank[self.page]) * 4
        for threshold in (3e-8, 1e-9, 1e-11, 0.0):
            amounts = self.amounts_of(self.page, threshold * total)
            if amounts.lost <= 0.01 * self.prune * amounts.amounts.sum():
                break
        if len(amounts.sources) * self.store.n_links <= QUICK:
            return self._exact(self.amounts_of(self.page))
        return self._pruned(amounts)

    def _exact(self, amounts: _Amounts, threshold: float = 0.0) -> _Shares:
        order = np.argsort(-amounts.amounts, kind="stable")
        pages, scores, lost, read, followed = kernels.path_sums.shared_scores(
            self.store.links,
            self.rank,
            self.page,
            amounts.sources[order],
            amounts.amounts[order],
            radius=self.radius,
            least=threshold,
            deadline=self.deadline,
        )
        return _Shares(
            pages,
            scores,
            amounts.lost + lost,
            len(amounts.sources),
            followed,
            len(pages),
            amounts.read + read,
            late=time.monotonic() > self.deadline,
        )

    def _pruned(self, amounts: _Amounts) -> _Shares:
        work = self.store.out_degree(amounts.sources) + EACH
        order = np.argsort(-amounts.amounts / work, kind="stable")
        now = time.monotonic()
        pages, scores, lost, followed, met, read = kernels.pagesim.similarities(
            scratch_of(kernels.pagesim.Scratch),
            self.store.links,
            self.rank,
            self.page,
            amounts.sources[order],
            amounts.amounts[order],
            radius=self.radius,
            allowed=self.prune,
            lost=amounts.lost,
            most_parents=most_parents(self.store),
            most_pages=MAX_PAGES,
            halfway=now + 0.4 * (self.deadline - now),
            deadline=self.deadline,
        )
        late = bool(len(scores)) and sum(lost) > self.prune * scores.max()
        return _Shares(
            pages, scores, sum(lost), len(amounts.sources), followed, met, amounts.read + read, late
        )

    def _step_by_step(self) -> _Shares:
        """For longer paths, prune less and less until the loss is small enough or time runs out."""
        best: _Shares | None = None
        for threshold in (1e-3, 1e-5, 1e-7, 1e-9, 0.0):
            scale = threshold * float(self.rank[self.page])
            shares = self._exact(self.amounts_of(self.page, scale), scale)
            if shares.better(best):
                best = shares
            enough = self.prune * shares.scores.max() if len(shares.scores) else 0.0
            if shares.late or shares.lost <= enough:
                break
        assert best is not None
        return replace(best, late=shares.late)

    def evidence(self, other: int) -> dict[str, Any]:
        """The sources that give most to both pages, and the paths from these sources."""
        self.deadline = time.monotonic() + 1
        amounts, others = self.amounts_of(self.page), self.amounts_of(other)
        both, ours, theirs = np.intersect1d(
            amounts.sources, others.sources, assume_unique=True, return_indices=True
        )
        shares = np.minimum(amounts.amounts[ours], others.amounts[theirs])
        total = float(shares.sum())
        sources: list[dict[str, Any]] = []
        order = np.lexsort((both, -shares))
        for place in order[:SHOWN].tolist():
            source = int(both[place])
            sources.append(
                {
                    "url": self.store.url(source),
                    "gives": float(amounts.amounts[ours[place]]),
                    "gives_other": float(others.amounts[theirs[place]]),
                    "share": float(shares[place]) / total,
                    "paths": self._paths(source, self.page, amounts.sources),
                    "paths_other": self._paths(source, other, others.sources),
                }
            )
        say = Wording(self.store, [self.page], other)
        return {
            **say.evidence(say.sources(both[order].tolist())),
            "shared_sources": len(both),
            "score": total,
            "sources": sources,
        }

    def _paths(self, source: int, target: int, leading: NDArray[uint32]) -> list[dict[str, Any]]:
        """The paths that carry the most, among the first ones found that lead to the target."""
        paths: list[tuple[float, list[int]]] = []
        ahead = [(1.0, [source])]
        steps = 0
        while ahead and steps < SEARCHED:
            share, path = ahead.pop(0)
            if path[-1] == target:
                paths.append((share, path))
                continue
            if len(path) == self.radius + 1:
                continue
            links = self.store.links_from(path[-1])
            useful = links[(links == target) | _among(links, leading)]
            steps += len(links)
            ahead += [
                (share / len(links), [*path, page]) for page in useful.tolist() if page not in path
            ]
        paths.sort(key=lambda item: (-item[0], len(item[1]), item[1]))
        rank = float(self.rank[source])
        return [
            {"urls": [self.store.url(page) for page in path], "carries": rank * share}
            for share, path in paths[:SHOWN_PATHS]
        ]


def _among(pages: NDArray[uint32], ascending: NDArray[uint32]) -> NDArray[Any]:
    """Which of the pages are in an ascending list."""
    places = np.searchsorted(ascending, pages)
    places[places == len(ascending)] = 0
    return np.equal(ascending[places], pages)


_most_parents: WeakKeyDictionary[Store, int] = WeakKeyDictionary()


def most_parents(store: Store) -> int:
    """The highest in-degree of a graph, at least 1."""
    if store not in _most_parents:
        _most_parents[store] = max(highest_in_degree(store), 1)
    return _most_parents[store]
