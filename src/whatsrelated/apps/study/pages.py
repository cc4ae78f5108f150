"""The pages that a judge sees. None of them reveals which method found a result.

Links to the Web open in a new tab and send no referrer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whatsrelated.apps.serve import static
from whatsrelated.apps.serve.responses import HTML, NOT_CACHED, HTTPResponse, headers_of, problem
from whatsrelated.apps.study.journal import Journal, Judge
from whatsrelated.apps.study.own import MIN_OWN
from whatsrelated.apps.study.plan import CLOSE, RELATED, UNOPENED, UNRELATED, Candidate, QueryPool
from whatsrelated.contract import markup

PACKAGE = "whatsrelated.apps.study"
LABELS = {
    CLOSE: "Closely related",
    RELATED: "Related",
    UNRELATED: "Not related",
    UNOPENED: "Could not open",
}


class JudgesView:
    """The study as one judge sees it: pools in that judge's order, and their ratings so far.

    With `bring`, the judge may add pages.
    """

    def __init__(self, journal: Journal, judge: Judge, bring: bool = False) -> None:
        self.journal, self.judge, self.bring = journal, judge, bring
        self.pools = journal.pools_of(judge.name)
        self.home = f"/j/{judge.token}"

    def pages(self, pool: QueryPool) -> list[Candidate]:
        return pool.order_for(self.judge.name, self.journal.plan.seed)

    def ratings_of(self, pool: QueryPool) -> dict[str, int]:
        """The judge's ratings of a pool."""
        keys = ((page.url, (self.judge.name, pool.query.url, page.url)) for page in pool.pages)
        ratings = self.journal.ratings
        return {url: ratings[key] for url, key in keys if key in ratings}

    def unrated(self, number: int) -> int | None:
        """The first position in a pool, counted from 1, that the judge has not rated."""
        pool = self.pools[number - 1]
        ratings = self.ratings_of(pool)
        places = enumerate(self.pages(pool), 1)
        return next((place for place, page in places if page.url not in ratings), None)

    def next_query(self, after: int = 0) -> int | None:
        """The first query after this one that has pages left to rate."""
        numbers = [*range(after + 1, len(self.pools) + 1), *range(1, after + 1)]
        return next((number for number in numbers if self.unrated(number) is not None), None)

    @property
    def own_queries(self) -> list[str]:
        """The pages that the judge has brought."""
        return self.journal.own_queries.get(self.judge.name, [])

    def overview(self, text: str = "", reasons: Sequence[str] = ()) -> HTTPResponse:
        """The queries to rate; `text` has pages that were entered but rejected, and `reasons`
        explains why.
        """
        pools = [
            {"query": pool.query, "pages": pool.pages, "done": len(self.ratings_of(pool))}
            for pool in self.pools
        ]
        empty = [self.journal.pools[url].query for url in self.own_queries]
        return self._html(
            "overview.html",
            status=400 if reasons else 200,
            pools=pools,
            unanswered=[query for query in empty if not self.journal.pools[query.url].pages],
            next=self.go_on(),
            bring=self.bring,
            own_pages=self.own_queries,
            least=MIN_OWN,
            lines=text.splitlines(),
            reasons=reasons,
        )

    def go_on(self, after: int = 0, one_by_one: bool = True) -> str:
        """The URL of the next page to rate."""
        number = self.next_query(after)
        if number is None:
            return self.home
        return f"{self.home}/{number}" + (f"/{self.unrated(number)}" if one_by_one else "")

    def query(self, number: int, place: int | None = None) -> HTTPResponse:
        """A query with all its pages, or with only the page at `place`."""
        pool = self.pools[number - 1]
        pages = self.pages(pool)
        return self._html(
            "query.html",
            number=number,
            pools=len(self.pools),
            query=pool.query,
            pages=pages,
            one=place is not None,
            place=place,
            candidate=pages[place - 1] if place else None,
            unrated=self.unrated(number) or 1,
            ratings=self.ratings_of(pool),
            labels=[(rating, LABELS[rating]) for rating in self.journal.plan.ratings],
        )

    @property
    def done(self) -> int:
        return sum(len(self.ratings_of(pool)) for pool in self.pools)

    def _html(self, template: str, **values: Any) -> HTTPResponse:
        total = sum(len(pool.pages) for pool in self.pools)
        common: dict[str, Any] = {
            "judge": self.judge.name,
            "home": self.home,
            "done": self.done,
            "total": total,
            "own": self.journal.plan.own,
            "second": self.journal.plan.second_grade,
        }
        return render(template, **common, **values)


def message(title: str, sentence: str, status: int = 200) -> HTTPResponse:
    """A page that shows one sentence."""
    return render("message.html", status=status, title=title, sentence=sentence)


def error_page(error: BaseException) -> HTTPResponse:
    """A page that shows an error."""
    reply = problem(error)
    response = message("This cannot be shown", reply.sentence, reply.status)
    response.headers.update(headers_of(error))
    return response


def render(template: str, status: int = 200, **values: Any) -> HTTPResponse:
    text = markup.render(PACKAGE, template, static=static.address, **values)
    return HTTPResponse(text.encode("utf-8", "replace"), HTML, status, NOT_CACHED)
