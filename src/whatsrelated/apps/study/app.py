"""The web application of a study: judges follow their links and rate pages.

    /                       a sentence: every judge needs a personal link
    /j/TOKEN                the queries to rate, and the judge's progress; POST adds the
                            judge's own pages, the lines of `pages`
    /j/TOKEN/3              the third query, its pages as a list; POST saves ratings r1, r2, …
    /j/TOKEN/3/7            its seventh page; POST saves `rating`

The token is the only key. It is random, is compared by its digest, and is never sent to the pages
that a judge opens. After a POST without JavaScript, the next page to rate is shown; a script gets
the number of ratings so far.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Scope

from whatsrelated.apps.serve import static
from whatsrelated.apps.serve.access_log import Exchange
from whatsrelated.apps.serve.front import Front, read_body
from whatsrelated.apps.serve.responses import JSON, NOT_CACHED, HTTPResponse, json_response
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.study.journal import Journal, Rating
from whatsrelated.apps.study.own import OwnPages, PagesRejected
from whatsrelated.apps.study.pages import PACKAGE, JudgesView, error_page, message
from whatsrelated.errors import OptionError

FORM = "application/x-www-form-urlencoded"


class StudyServer(Front):
    """An ASGI application that collects the ratings of one study.

    With `own_pages`, judges may bring pages.
    """

    def __init__(
        self,
        journal: Journal,
        settings: Settings | None = None,
        own_pages: OwnPages | None = None,
    ) -> None:
        self.journal, self.own_pages = journal, own_pages
        self._judges = {_digest(judge.token): judge for judge in journal.judges.values()}
        forms = ["GET", "POST"]
        paths = [
            Route("/", self._welcome),
            Route("/j/{token}", self._overview, methods=forms if own_pages else ["GET"]),
            Route("/j/{token}/{number}", self._query, methods=forms),
            Route("/j/{token}/{number}/{place}", self._query, methods=forms),
            static.mount(PACKAGE),
        ]
        super().__init__(Router(paths), settings or Settings())

    def error(self, path: str, scope: Scope, error: Exception) -> HTTPResponse:
        if isinstance(error, HTTPException) and error.status_code == 404:
            sentence = "This is not a link of the study; use the exact link that you were given."
            error = HTTPException(404, sentence)
        return error_page(self.explained(path, scope, error))

    def record(self, exchange: Exchange) -> None:
        """Log nothing, because URLs contain judges' tokens."""

    async def _welcome(self, request: Request) -> HTTPResponse:
        return message("A study of related pages", "Open the link that you were given.")

    async def _overview(self, request: Request) -> Response:
        """Show the judge's queries; add the pages of a form."""
        view = self._view(request)
        if request.method != "POST" or self.own_pages is None:
            return view.overview()
        fields = _fields(await read_body(self.settings, request, FORM), 1)
        text = "\n".join(value for name, value in fields if name == "pages")
        try:
            brought = await asyncio.to_thread(
                self.own_pages.bring, view.judge.name, text, view.own_queries
            )
        except PagesRejected as error:
            return view.overview(text, error.reasons)
        with _saving("Your pages"):
            self.journal.bring(brought)
        return RedirectResponse(view.home, 303, NOT_CACHED)

    async def _query(self, request: Request) -> Response:
        """Show a query or one of its pages; save ratings from a form."""
        view = self._view(request)
        number = _within(request.path_params["number"], len(view.pools))
        pages = len(view.pools[number - 1].pages)
        place = request.path_params.get("place")
        place = None if place is None else _within(place, pages)
        if request.method != "POST":
            return view.query(number, place)
        body = await read_body(self.settings, request, FORM)
        return self._rate(view, number, place, body, JSON in request.headers.get("accept", ""))

    def _view(self, request: Request) -> JudgesView:
        judge = self._judges.get(_digest(request.path_params["token"]))
        if judge is None:
            raise HTTPException(404)
        return JudgesView(self.journal, judge, bring=self.own_pages is not None)

    def _rate(
        self, view: JudgesView, number: int, place: int | None, body: bytes, script: bool
    ) -> Response:
        """Save the ratings of a form, then show the next page to rate."""
        pool = view.pools[number - 1]
        pages = view.pages(pool)
        ratings = []
        for name, value in _fields(body, len(pages)):
            at = (
                place if place and name == "rating" else _number(name.removeprefix("r"), len(pages))
            )
            if at is None or value not in map(str, self.journal.plan.ratings):
                raise HTTPException(400, f"The form has an unknown field {name:.40}={value:.40}.")
            page = pages[at - 1].url
            ratings.append(Rating(view.judge.name, pool.query.url, page, int(value)))
        with _saving("Your rating"):
            self.journal.rate(ratings)
        if script:
            return json_response({"done": view.done})
        after = number if view.unrated(number) is None else number - 1
        address = view.go_on(after, one_by_one=place is not None)
        return RedirectResponse(address, 303, NOT_CACHED)


@contextmanager
def _saving(what: str) -> Iterator[None]:
    """If something could not be saved, show the judge what and why."""
    try:
        yield
    except OSError as error:
        why = error.strerror or "the disk failed"
        raise HTTPException(503, f"{what} could not be saved: {why}; try again.") from error


def _fields(body: bytes, max_fields: int) -> list[tuple[str, str]]:
    try:
        text = body.decode("utf-8")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=max_fields + 5)
    except ValueError as error:
        raise HTTPException(400, "This is not a form of the study.") from error


def _within(text: str, highest: int) -> int:
    """A number from 1 to `highest`; anything else raises a 404."""
    number = _number(text, highest)
    if number is None:
        raise HTTPException(404)
    return number


def _number(text: str, highest: int) -> int | None:
    """A number from 1 to `highest`, in plain digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    return int(text) if 1 <= int(text) <= highest else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def serve(server: StudyServer, ready: Callable[[str], None]) -> int:
    """Serve a study until a signal arrives; call `ready` with the address once it is listening."""
    from whatsrelated.apps.serve.connection import BoundedServer
    from whatsrelated.apps.serve.workers import address_of, listen

    if not server.journal.judges:
        raise OptionError("study: no judges; name them with --judges.")
    sockets = listen(server.settings)
    ready(address_of(sockets[0]))
    BoundedServer(server, server.settings).run(sockets)
    return 0
