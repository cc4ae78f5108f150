"""One question to a method: which page answers for it, and which results are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.errors import PageNotFound
from whatsrelated.graph.store import Store
from whatsrelated.methods import Method
from whatsrelated.names.lookup import ancestors, likely_names, slash_twin
from whatsrelated.query.answer import Found, Result, order
from whatsrelated.query.filters import Sieve
from whatsrelated.query.join import join
from whatsrelated.query.question import Question
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.ranks.ranking import Ranking


class Asking:
    """One call of `related`: which page answers, and how its results are put in order."""

    def __init__(
        self,
        store: Store,
        method: Method,
        request: Request,
        stop: NDArray[uint32],
        rank: Callable[..., Ranking],
        deadline: float | None = None,
    ) -> None:
        self.store = store
        self.method = method
        self.request = request
        self.stop = stop
        self.rank = rank
        self.deadline = deadline
        self.notes: list[str] = []
        self.excluded: set[int] = set()
        if method.reads_order and not self.store.ordered:
            self.notes.append("The source had no link order: pages are read in the order given.")

    def answer(self, asked: list[str]) -> tuple[Found, list[int]]:
        """What the method finds, and the pages that it answered for."""
        attempts = [self._attempts(text) for text in asked]
        if self.method.joint and len(asked) > 1:
            pages = [attempt[0] for attempt in attempts]
            return self._find(tuple(pages)), pages
        answers = [self._first_enough(attempt) for attempt in attempts]
        if len(answers) == 1:
            return answers[0][0], [answers[0][1]]
        for text, (found, _) in zip(asked, answers, strict=True):
            if not len(found):
                self.notes.append(f"Nothing was found for {text}: {found.reason}.")
        pages = [page for _, page in answers]
        return join([found for found, _ in answers], list(map(self._url, pages))), pages

    def results(self, found: Found) -> list[Result]:
        """The best of what was found, in order, without what the filters leave out."""
        limit, filters = self.request.limit, self.request.in_force()
        if filters:
            sites = self.store.domains if self.request.site == "domain" else self.store.hosts
            places = Sieve(self.request, self.store, self.excluded, sites).chosen(found, limit)
            if len(places) < min(limit, len(found)):
                self.notes.append(
                    f"Of {len(found):,} pages found, {len(places):,} passed the filters "
                    f"({', '.join(filters)})."
                )
        else:
            places = order(found, self.store.links, limit)
        pages = found.pages[places]
        return [
            Result(*told, found.evidence)
            for told in zip(
                pages.tolist(),
                self.store.urls(pages),
                self.store.titles(pages),
                found.scores[places].tolist(),
                strict=True,
            )
        ]

    def _attempts(self, text: str) -> list[int]:
        """The pages to ask for, in order: the page itself, then its ancestors."""
        request = self.request
        try:
            page, note = find_page(self.store, text)
        except PageNotFound:
            above = self._above(likely_names(text)) if request.chop is not False else []
            if not above:
                raise
            self.notes.append(f"{text} is no page of the graph; asked for {self._url(above[0])}.")
            self.excluded.update(above[:1])
            return above
        if note:
            self.notes.append(note)
        self.excluded.add(page)
        chop = request.chop
        if chop is None:
            chop = self.method.chops and self.site(page) != "page"
        return [page, *self._above([self._url(page)])] if chop else [page]

    def _above(self, names: Iterable[str]) -> list[int]:
        """The pages above a URL, nearest first; of several spellings, the first that has any."""
        for name in names:
            found: list[int] = []
            for higher in ancestors(name):
                twin = slash_twin(higher)
                for spelt in (higher, twin) if twin else (higher,):
                    page = self.store.find(spelt)
                    if page is not None:
                        found.append(page)
                        break
            if found:
                return list(dict.fromkeys(found))
        return []

    def _first_enough(self, attempts: list[int]) -> tuple[Found, int]:
        """The first page whose answer is enough, else the first with any, else the first."""
        tried: list[tuple[Found, int]] = []
        for page in attempts:
            found = self._find((page,))
            if self.method.enough_found(found):
                break
            tried.append((found, page))
        else:
            found, page = next((pair for pair in tried if len(pair[0])), tried[0])
        self.excluded.add(page)
        if page != attempts[0]:
            self.notes.append(f"{self._url(attempts[0])} had too thin an answer; chopped.")
        return found, page

    def _find(self, pages: tuple[int, ...]) -> Found:
        self.excluded.update(pages)
        site = self.site(*pages)
        found = self.method.find(self.question(pages, site))
        if site == "page" != self.store.auto_site and self.request.site == "auto":
            note = "All links of the page are on its own site: every page counts as a site."
            found.notes = (*found.notes, note)
        return found.without(self.excluded.difference(pages))

    def question(self, pages: tuple[int, ...], site: str) -> Question:
        """What the method is asked for these pages."""
        return Question(
            store=self.store,
            pages=pages,
            sites=self._sites(site),
            stop=self._stop_for(pages),
            seed=self.request.seed,
            rank=self.rank,
            deadline=self.deadline,
        )

    def _stop_for(self, pages: tuple[int, ...]) -> NDArray[uint32]:
        """The stop list, empty where a query page is on it (DH99, sec. 2.1.1)."""
        listed = len(self.stop) and np.isin(pages, self.stop).any()
        return self.stop[:0] if listed else self.stop

    def site(self, *pages: int) -> str:
        """What a site is for these pages."""
        if self.request.site != "auto":
            return self.request.site
        if self.store.auto_site == "page":
            return "page"
        return "page" if all(map(self._is_inward, pages)) else self.store.auto_site

    def _is_inward(self, page: int) -> bool:
        """Whether a page has parents or children, all of them on its own host."""
        inward: bool = self.store.links.is_inward(self.store.hosts, page)
        return inward

    def _sites(self, site: str) -> NDArray[uint32] | None:
        return {"page": None, "host": self.store.hosts, "domain": self.store.domains}[site]

    def _url(self, page: int) -> str:
        return self.store.url(page)


def find_page(store: Store, text: str) -> tuple[int, str | None]:
    """The page somebody means, and a note where it is spelt otherwise."""
    page = store.page(text)
    name = store.url(page)
    return page, None if name == text else f"{text} is here as {name}."


def most_linked(store: Store, count: int, sites: NDArray[uint32] | None) -> NDArray[uint32]:
    """The pages that the most sites link to; a page is linked from no more sites than pages."""
    degrees = np.diff(store.in_offsets.astype(np.int64))
    best: list[tuple[int, int]] = []
    if not count:
        return np.empty(0, np.uint32)
    for page in np.argsort(-degrees, kind="stable").tolist():
        if len(best) >= count and degrees[page] < -best[count - 1][0]:
            break
        parents = store.links_to(page)
        linking = len(parents) if sites is None else len(np.unique(sites[parents]))
        best.append((-linking, page))
        best.sort()
        del best[count:]
    return np.unique(np.array([page for _, page in best], np.uint32))
