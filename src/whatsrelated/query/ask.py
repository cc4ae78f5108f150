"""Turn a request into an answer: choose the pages to query and the results to return.

1. find the pages that the user means, and the pages above them (`resolve`);
2. run the method for all query pages at once or for each in turn; if a page has too few results,
   use the page above it (chopping; DH99, sec. 2.2);
3. join the lists of several query pages (`join`), or ask one question with weights (`weights`);
4. sort the results, without those that the filters leave out (`filters`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates, Result, order, with_pages
from whatsrelated.contract.question import Question
from whatsrelated.contract.strength import least_strength
from whatsrelated.errors import OptionError
from whatsrelated.query.anchors import calls_of
from whatsrelated.query.answer import Answer, Cluster
from whatsrelated.query.clusters import MAX_RESULTS, find_clusters
from whatsrelated.query.decisions import NOTHING_CHOSEN, PairDecisions
from whatsrelated.query.filters import Sieve
from whatsrelated.query.join import join
from whatsrelated.query.resolve import find_page, list_attempts, pages_to_ask
from whatsrelated.query.unread import at_edge
from whatsrelated.query.weights import MAX_WEIGHTED, Weights, add_lists, explain_weighted
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from numpy import bool_, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import RankService
    from whatsrelated.graph.store import Store
    from whatsrelated.methods import Method
    from whatsrelated.query.request import Request
    from whatsrelated.query.resolve import Attempts
    from whatsrelated.query.stop_lists import StopList

UNORDERED = "The source has no link order, so links are read in the order in which it lists them."
LEVELS = {
    "host": ("Each page of this graph is a whole host.",),
    "domain": ("Each page of this graph is a whole domain.",),
}
TOO_FEW = "Too few results; these are for the page above."
PAGES_ARE_SITES = "All links of the page stay on its own site, so each page counts as a site."


@dataclass(frozen=True, slots=True)
class Asker:
    """A method and a request that can be applied to one page after another.

    It keeps no state about a query, so threads can share it. The caller sets limits for each query:
    `keep_within(question_limits(…))`.
    """

    store: Store
    method: Method
    request: Request
    stop: StopList
    known: StopList
    ranks: RankService
    chosen: PairDecisions = NOTHING_CHOSEN

    def answer(
        self,
        names: Sequence[str],
        limits: kernels.limits.Limits,
        weights: Weights | None = None,
    ) -> Answer:
        """The answer for pages as users name them; `limits` must be active."""
        store, method, request = self.store, self.method, self.request
        begun = time.perf_counter()
        attempts = [list_attempts(store, text, method, request) for text in names]
        excluded = {attempt.asked for attempt in attempts if attempt.asked is not None}
        notes = [UNORDERED] if method.reads_order and not store.ordered else []
        notes += LEVELS.get(store.manifest["built"].get("level", ""), ())
        notes += [*self.stop.notes, *self.known.notes, *self.chosen.notes]
        notes += [note for attempt in attempts for note in attempt.notes]
        hints = self._hints(len(names) + len(weights.away if weights else ()), notes)
        if weights is not None or hints:
            candidates, answered = self._ask_weighted(attempts, weights, hints, notes)
            candidates = candidates.without(excluded.difference(answered))
        elif method.asks_once and len(names) > 1:
            answered = [attempt.pages[0] for attempt in attempts]
            candidates = self.ask_method(tuple(answered)).without(excluded.difference(answered))
        else:
            candidates, answered = self._ask_each([one.pages for one in attempts], excluded, notes)
        pinned = self.chosen.pinned(one.asked for one in attempts if one.asked is not None)
        excluded.update(answered)
        results = self._results(candidates, excluded, notes, pinned)
        clusters = None if request.clusters == "none" else self._divide(results, notes)
        reason = [] if len(candidates) else [candidates.reason]
        return Answer(
            asked=list(names),
            answered_for=[store.url(page) for page in answered],
            by=method,
            options={**method.settings(), **request.settings()},
            results=results,
            vicinity={"pages": candidates.vicinity_pages, "links": candidates.vicinity_links},
            took_ms=round((time.perf_counter() - begun) * 1000, 3),
            notes=[*notes, *candidates.notes, *limit_notes(limits), *reason],
            details=candidates.details,
            clusters=clusters,
            weights=dict(weights.pages) if weights else None,
            unlike=dict(weights.away) if weights and weights.away else None,
            hints=len(hints),
        )

    def best(self, page: int, allowed: NDArray[bool_] | None = None) -> tuple[Candidates, int]:
        """The ordered results of `answer` for a page number, and the page they are for.

        That is the page itself, or the page above it (chopping). `allowed` marks the pages that may
        be results. Names, titles and notes are not computed, and reasons only by calling
        `evidence`.
        """
        attempts = pages_to_ask(self.store, page, self.method, self.request)
        candidates, answered = self._ask_with_chopping(attempts, {page})
        pinned = self.chosen.pinned((page,))
        candidates = with_pages(candidates, pinned)
        places = self._select(candidates, {page, answered}, pinned, allowed)
        evidence = self._evidence(candidates, candidates.pages[places])
        return Candidates(
            candidates.pages[places], candidates.scores[places], evidence=evidence
        ), answered

    def ask_method(self, pages: tuple[int, ...]) -> Candidates:
        """Everything that the method finds for these pages."""
        return self._find(self._question(pages))

    def _question(self, pages: tuple[int, ...]) -> Question:
        return Question.about(
            self.store,
            pages,
            site=self.request.site,
            stop=self.stop.pages,
            seed=self.request.seed,
            ranks=self.ranks,
        )

    def _find(self, question: Question) -> Candidates:
        store, request = self.store, self.request
        candidates = self._strong_enough(self.method.find(question))
        if question.sites is None and request.site == "auto" and store.auto_site != "page":
            candidates.notes = (*candidates.notes, PAGES_ARE_SITES)
        return candidates

    def _hints(self, others: int, notes: list[str]) -> list[int]:
        """The known pages, if they are hints for this method."""
        known = self.known.pages.tolist() if self.request.hints and self.method.weighs else []
        if len(known) + others > MAX_WEIGHTED:
            notes.append(
                f"The list of known pages has {len(known):,} pages, too many to use as hints; "
                "they are only left out."
            )
            return []
        return known

    def _ask_weighted(
        self,
        attempts: Sequence[Attempts],
        weights: Weights | None,
        hints: Sequence[int],
        notes: list[str],
    ) -> tuple[Candidates, list[int]]:
        """The results of one question with weights, and the pages they are for."""
        store, method = self.store, self.method
        each_weight = list(weights.pages.values()) if weights else [1.0] * len(attempts)
        away: dict[int, float] = {}
        for name, weight in weights.away.items() if weights else ():
            page, called = find_page(store, name)
            away[page] = away.get(page, 0.0) + weight
            notes += called
        if not method.weighs:
            return self._add_each(attempts, each_weight, away)
        pages: dict[int, float] = {}
        for attempt, weight in zip(attempts, each_weight, strict=True):
            pages[attempt.pages[0]] = pages.get(attempt.pages[0], 0.0) + weight
        answered, total = list(pages), sum(pages.values())
        for page in hints:
            if page not in pages and page not in away:
                pages[page] = self.request.hints * total / len(hints)
        question = replace(
            self._question(tuple(pages)),
            weights=tuple(pages.values()),
            away=tuple(page for page in away if page not in pages),
            away_weights=tuple(weight for page, weight in away.items() if page not in pages),
        )
        candidates = self._find(question)
        if question.is_weighted:
            candidates.evidence = explain_weighted(question, method)
        return candidates, answered

    def _add_each(
        self, attempts: Sequence[Attempts], weights: Sequence[float], away: dict[int, float]
    ) -> tuple[Candidates, list[int]]:
        """The weighted sum of the lists of the query pages, and the pages they are for."""
        answered, lists = [], []
        excluded = {attempt.pages[0] for attempt in attempts} | away.keys()
        for attempt in attempts:
            candidates, page = self._ask_with_chopping(attempt.pages, excluded)
            answered.append(page)
            lists.append(candidates)
        lists += [self.ask_method((page,)) for page in away]
        total = sum(weights)
        every_weight = [weight / total for weight in (*weights, *(-w for w in away.values()))]
        excluded.update(answered)
        lists = [candidates.without(excluded) for candidates in lists]
        scaled = self.method.adds
        return add_lists(lists, every_weight, answered, self.store, scaled=scaled), answered

    def _strong_enough(self, candidates: Candidates) -> Candidates:
        """The results that have at least the minimum strength."""
        minimum = least_strength(self.request.min_strength)
        if not minimum or not len(candidates):
            return candidates
        best = candidates.scores.max()
        candidates = candidates.only(candidates.scores >= minimum)
        if not len(candidates):
            candidates.reason = (
                f"the strongest result has {best:.2g}, below min_strength {minimum:g}"
            )
        return candidates

    def _ask_with_chopping(self, pages: list[int], excluded: set[int]) -> tuple[Candidates, int]:
        """The results of the first page that has enough of them. If none has, the results of the
        first page with any, or of the first page.
        """
        tried: list[tuple[Candidates, int]] = []
        for page in pages:
            candidates = self.ask_method((page,)).without(excluded - {page})
            if self.method.has_enough(candidates):
                return candidates, page
            tried.append((candidates, page))
        return next((pair for pair in tried if len(pair[0])), tried[0])

    def _ask_each(
        self, attempts: list[list[int]], excluded: set[int], notes: list[str]
    ) -> tuple[Candidates, list[int]]:
        """The joined results for each query page, and the pages they are for."""
        url, lists, answered = self.store.url, [], []
        for pages in attempts:
            candidates, page = self._ask_with_chopping(pages, excluded)
            lists.append(candidates)
            answered.append(page)
            if page != pages[0]:
                which = f" for {url(pages[0])}" if len(attempts) > 1 else ""
                notes.append(TOO_FEW.replace("results", f"results{which}"))
        if len(lists) == 1:
            return lists[0], answered
        lists = [candidates.without(answered) for candidates in lists]
        for pages, candidates in zip(attempts, lists, strict=True):
            if not len(candidates):
                notes.append(f"Nothing was found for {url(pages[0])}: {candidates.reason}.")
        return join(lists, answered, self.store), answered

    def _select(
        self,
        candidates: Candidates,
        excluded: Collection[int],
        pinned: Sequence[int],
        allowed: NDArray[bool_] | None = None,
    ) -> NDArray[int64]:
        """The positions of the pinned pages, then of the best results that pass the filters."""
        store, request = self.store, self.request
        if allowed is None and not request.in_force(store):
            return order(candidates, store.links, request.limit)
        sites = store.domains if request.site == "domain" else store.hosts
        known = self.known.pages if request.known else None
        chosen = self.chosen if request.pairs else None
        sieve = Sieve(request, store, excluded, sites, allowed, known, chosen)
        first = [int(np.flatnonzero(candidates.pages == page)[0]) for page in pinned]
        best = sieve.select(candidates, request.limit)
        return np.array([*first, *best[~np.isin(best, first)]], np.int64)[: request.limit]

    def _results(
        self,
        candidates: Candidates,
        excluded: Collection[int],
        notes: list[str],
        pinned: Sequence[int],
    ) -> list[Result]:
        """The best results, with their names."""
        store, request = self.store, self.request
        candidates = with_pages(candidates, pinned)
        places = self._select(candidates, excluded, pinned)
        if len(places) < min(request.limit, len(candidates)):
            passed = f"{len(places):,} passed the filters ({', '.join(request.in_force(store))})"
            notes.append(f"Of {len(candidates):,} pages found, {passed}.")
        pages = candidates.pages[places]
        columns = (
            pages.tolist(),
            store.urls(pages),
            store.titles(pages),
            candidates.scores[places].tolist(),
        )
        evidence = self._evidence(candidates, pages)
        results = [Result(*row, evidence) for row in zip(*columns, strict=True)]
        for result in results:
            result.pinned = result.page in pinned
        return results

    def _evidence(
        self, candidates: Candidates, pages: NDArray[uint32]
    ) -> Callable[[int], dict[str, Any]]:
        """The method's evidence for these pages, and what the graph knows about any page."""
        store = self.store
        candidates.explained[:] = pages.tolist()
        edge: set[int] | None = None

        def explain(page: int) -> dict[str, Any]:
            nonlocal edge
            edge = at_edge(store, pages) if edge is None else edge
            evidence = candidates.evidence(page)
            if called := calls_of(store, page):
                evidence = {**evidence, "called": called}
            if "sentence" in evidence and page in edge:
                unread = Wording(store, (), page).unread
                sentence = f"{evidence['sentence']} {unread}"
                evidence = {**evidence, "sentence": sentence, "read": False, "unread": unread}
            return evidence

        return explain

    def _divide(self, results: list[Result], notes: list[str]) -> list[Cluster]:
        """The clusters of the results."""
        if len(results) > MAX_RESULTS:
            notes.append(f"Only the first {MAX_RESULTS} results are divided into clusters.")
        pages = [result.page for result in results]
        return find_clusters(self.store, pages, self.request.clusters, self.ranks)


def require_strengths(method: Method, request: Request) -> None:
    """Raise an OptionError if a minimum strength is set for a method without strengths."""
    if request.min_strength and not method.percent:
        raise OptionError(
            f"{method.name}: min_strength works only with methods whose scores are strengths; "
            f"leave it out, or use the default method."
        )


def limit_notes(limits: kernels.limits.Limits) -> list[str]:
    """The notes for a query that reached its limits."""
    if not limits.reached:
        return []
    room = f"{limits.memory >> 20:,} MB"
    return [f"The memory limit of {room} was reached; some pages or links were left out."]
