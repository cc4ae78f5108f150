"""HubFinder: the best hubs around some pages, in a search that widens step by step.

Pages are found by following links from the start pages in both directions.  To keep the set
from growing without bound, each step keeps only the best new pages by a criterion, fewer the
farther away they are.  From the query pages Γ:

1. extend Γ with all pages that it links to and, for each page, with the best d pages that link to
   it by the criterion; drop new pages with fewer than 3 links;
2. repeat σ times, at distance D = 2, 3, …: extend the pages kept by the previous step; of the N new
   pages, keep the best N·(100 - 10·log₁₀N)/(1 + α(D-1)) percent, and of these the pages with at
   least min(2 + D, 10) links;
3. return the best pages of Γ by the criterion, without the query pages.

Ties go to the lower page number throughout. A page dropped by one step may be found again by a
later one. If a result was found in several ways, the evidence shows the first: links from earlier
pages come before links to them, and lower page numbers come first.

Cost: one read of the links of the kept pages, in both directions. CON04, sec. 4.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.graph.terms import text_of
from whatsrelated.methods import Method
from whatsrelated.methods.criteria import Criterion, criterion_name, is_criterion
from whatsrelated.options import option
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from numpy import int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph import Store
    from whatsrelated.methods.criteria import Scorer


@dataclass(frozen=True)
class HubFinder(Method):
    """The best hubs around some pages, in a search that widens step by step."""

    name = "hubfinder"
    scored = "the page's value by the criterion, HubRank by default"
    joint = True

    steps: int = option(2, "number of steps after the first", symbol="σ", low=0, high=5)
    inlinks: int = option(50, "number of in-links to add for each page", symbol="d", low=0)
    decay: float = option(
        1.0, "how fast the number of pages kept falls with distance", symbol="α", low=0
    )
    criterion: Any = option(  # noqa: RUF009
        "hubrank",
        "criterion for pages: a rank, hits:hubs, local, local:authorities, or a function",
        also=is_criterion,
    )
    trim: bool = option(True, "keep only the best new pages of each step")
    min_out: bool = option(True, "leave out pages with few links; false to look for authorities")
    like: float | None = option(
        None,
        "return only pages whose text is this similar to a query page's (cosine)",
        low=0,
        high=1,
        kind=float,
    )

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "criterion": criterion_name(self.criterion)}

    def find(self, question: Question) -> Candidates:
        terms = text_of(question.store, "like") if self.like is not None else None
        search = Search(question, self)
        for step in range(self.steps + 1):
            if time.monotonic() > question.deadline:
                search.notes.append(f"Time ran out before step {step}.")
                break
            search.widen(step)
        pages = search.pool[~np.isin(search.pool, search.start)]
        reason = "" if len(pages) else search.reason()
        if terms is not None and self.like is not None and len(pages):
            before = len(pages)
            pages = pages[terms.likeness(search.start, pages) > self.like]
            search.notes.append(f"{len(pages):,} of {before:,} pages have similar text.")
            reason = "" if len(pages) else f"no page found has text like {search.names}"
        scores = search.criterion.among(search.pool)(pages)
        return Candidates(
            pages,
            scores,
            ties=(-pages.astype(np.float64),),
            vicinity_pages=search.seen,
            vicinity_links=search.links,
            notes=tuple(search.notes),
            details={"steps": [step.as_dict() for step in search.steps]},
            evidence=search.evidence,
            reason=reason,
        )


def how_many(new: int, distance: int, decay: float) -> int:
    """The number of new pages to keep at a distance, at least one."""
    share = (100 - 10 * log10(new)) / (1 + decay * (distance - 1)) / 100
    return max(1, min(new, int(new * share)))


@dataclass(frozen=True, slots=True)
class Step:
    """The pages that one step found and kept, and the page that led to each."""

    distance: int
    least_links: int
    pages: NDArray[uint32]
    via: NDArray[uint32]
    forward: NDArray[np.bool_]
    trimmed: int
    kept: NDArray[uint32]

    def as_dict(self) -> dict[str, int]:
        return {
            "distance": self.distance,
            "new": len(self.pages),
            "after_trimming": self.trimmed,
            "least_links": self.least_links,
            "kept": len(self.kept),
        }

    def __str__(self) -> str:
        text = f"Step {self.distance - 1}: {len(self.pages):,} new pages"
        if self.trimmed < len(self.pages):
            text += f", the best {self.trimmed:,} of them"
        if self.least_links:
            text += f", {len(self.kept):,} with at least {self.least_links} links"
        return text + "."


class Search:
    """One search for hubs: the pages found so far, and the steps that led to them."""

    def __init__(self, question: Question, method: HubFinder) -> None:
        self.question = question
        self.store: Store = question.store
        self.method = method
        self.criterion = Criterion(method.criterion, question)
        self.start = np.unique(np.array(question.pages, np.uint32))
        self.names = " and ".join(self.store.url(page) for page in question.pages)
        self.pool = self.frontier = self.start
        self.steps: list[Step] = []
        self.notes: list[str] = []
        self.seen = len(self.start)
        self.links = 0

    def widen(self, step: int) -> None:
        """Extend the pages kept by the previous step, and keep the best new ones."""
        distance = step + 1
        pages, via, forward = self._extension(self.criterion.among(self.pool))
        kept = pages
        if self.method.trim and step and len(pages):
            scores = self.criterion.among(self.pool, pages)(pages)
            limit = how_many(len(pages), distance, self.method.decay)
            whole = np.array([0, len(pages)], np.int64)
            kept = pages[kernels.best_pages.best(whole, pages, scores, limit)]
        trimmed = len(kept)
        min_links = min(2 + distance, 10) if self.method.min_out else 0
        if min_links:
            kept = kept[self.store.out_degree(kept) >= min_links]
        self.steps.append(Step(distance, min_links, pages, via, forward, trimmed, kept))
        self.notes.append(str(self.steps[-1]))
        self.pool = np.sort(np.concatenate([self.pool, kept]))
        self.frontier = kept
        self.seen += len(pages)

    def _extension(
        self, scorer: Scorer
    ) -> tuple[NDArray[uint32], NDArray[uint32], NDArray[np.bool_]]:
        """The new pages around those that the last step kept, ascending, with the page that led to
        each and the direction.
        """
        from_, children = self._rows(backward=False)
        to, parents = self._rows(backward=True)
        self.links += len(children) + len(parents)
        starts = np.searchsorted(to, np.arange(len(self.frontier) + 1))
        many = np.repeat(np.diff(starts) > self.method.inlinks, np.diff(starts))
        scores = np.zeros(len(parents))
        scores[many] = scorer(parents[many])
        best = kernels.best_pages.best(starts, parents, scores, self.method.inlinks)
        pages = np.concatenate([children, parents[best]])
        owners = np.concatenate([from_, to[best]])
        pages, first = _first_places(pages)
        new = ~_among(self.pool, pages)
        first = first[new]
        return pages[new], self.frontier[owners[first]], first < len(children)

    def _rows(self, *, backward: bool) -> tuple[NDArray[int64], NDArray[uint32]]:
        """The links of the pages that the last step kept, without stop pages, and the page that
        each comes from.
        """
        store = self.store
        sizes = store.in_degree(self.frontier) if backward else store.out_degree(self.frontier)
        owners = np.repeat(np.arange(len(sizes)), sizes)
        pages = store.rows_of(self.frontier, backward=backward)
        if len(self.question.stop):
            stays = ~_among(self.question.stop, pages)
            owners, pages = owners[stays], pages[stays]
        return owners, pages

    def path(self, page: int) -> list[tuple[int, bool]]:
        """The path to a page from a query page: each page, and whether it was reached by its own
        link.
        """
        way: list[tuple[int, bool]] = []
        for step in reversed(self.steps):
            place = int(np.searchsorted(step.kept, page))
            if place < len(step.kept) and step.kept[place] == page:
                place = int(np.searchsorted(step.pages, page))
                way.append((page, not step.forward[place]))
                page = int(step.via[place])
        return [(page, False), *reversed(way)]

    def evidence(self, page: int) -> dict[str, Any]:
        """The path by which a page was found, and its value by the criterion."""
        path = self.path(page)
        way = [(self.store.url(other), backward) for other, backward in path]
        score = float(self.criterion.among(self.pool)(np.array([page], np.uint32))[0])
        links = len(self.store.links_from(page))
        say = Wording(self.store, [path[0][0]], page)
        return {
            **say.evidence(say.found_by(path, links)),
            "path": [
                {"url": url, "found_by": "link from it" if backward else "link to it"}
                for url, backward in way[1:]
            ],
            "start": way[0][0],
            "distance": len(way) - 1,
            "links": links,
            "criterion": self.criterion.name,
            "score": score,
        }

    def reason(self) -> str:
        """Why nothing was found."""
        if not self.steps:
            return "time ran out before any page was found"
        if not len(self.steps[0].pages):
            return f"{self.names} has no links in either direction"
        min_links = self.steps[0].least_links
        return f"no page around {self.names} has at least {min_links} links"


def _first_places(pages: NDArray[uint32]) -> tuple[NDArray[uint32], NDArray[int64]]:
    """The distinct pages, ascending, and the first position of each."""
    packed = pages.astype(np.uint64) << np.uint64(32) | np.arange(len(pages), dtype=np.uint64)
    packed.sort()
    ascending = (packed >> np.uint64(32)).astype(np.uint32)
    new = np.ones(len(pages), bool)
    new[1:] = ascending[1:] != ascending[:-1]
    return ascending[new], (packed[new] & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _among(ascending: NDArray[uint32], pages: NDArray[uint32]) -> NDArray[np.bool_]:
    places = np.minimum(np.searchsorted(ascending, pages), len(ascending) - 1)
    return np.asarray(ascending[places] == pages)
