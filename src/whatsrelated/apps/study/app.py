"""The application of a study: a judge's link in, pages and ratings out.

    /                       a sentence: every judge has a link of his own
    /j/TOKEN                what is to be rated, and how far the judge is
    /j/TOKEN/3              the third query, its pages as a list; POST saves ratings r1, r2, …
    /j/TOKEN/3/7            its seventh page alone; POST saves `rating`

The token is the only key; it is drawn at random, compared by its digest, and never sent
to the pages that a judge opens.  After a POST without JavaScript comes the next page to
rate; a script is told how many are rated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import resources
from urllib.parse import parse_qsl

from whatsrelated.apps.serve import admission, static
from whatsrelated.apps.serve.cors import Receive, Scope, Send
from whatsrelated.apps.serve.responses import JSON, HTTPError, Response, json_response
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.study.journal import Journal, Rating
from whatsrelated.apps.study.pages import JudgesView, error_page, message
from whatsrelated.errors import OptionError

FORM = "application/x-www-form-urlencoded"
FILES = {"/study.css": "text/css; charset=utf-8", "/study.js": "text/javascript; charset=utf-8"}


class StudyServer:
    """An ASGI application that takes the ratings of one study."""

    def __init__(self, journal: Journal, settings: Settings | None = None) -> None:
        self.journal = journal
        self.settings = settings or Settings()
        self._hosts = admission.allowed_hosts(self.settings)
        self._judges = {_digest(judge.token): judge for judge in journal.judges.values()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _run_lifespan(receive, send)
        elif scope["type"] == "http":
            try:
                response = await self._response(scope, dict(scope["headers"]), receive)
            except Exception as error:
                response = error_page(error)
            start, body = response.start(False)
            await send(start)
            await send({"type": "http.response.body", "body": body})

    async def _response(
        self, scope: Scope, headers: admission.Headers, receive: Receive
    ) -> Response:
        admission.refuse_two_hosts(scope)
        admission.refuse_unknown_host(headers, self._hosts)
        path, method = scope["path"], scope["method"]
        if method not in ("GET", "HEAD", "POST"):
            raise HTTPError(405, f"{method:.20} is not allowed.", allow="GET, HEAD, POST")
        if path == "/":
            return message("A study of related pages", "Open the link that you were given.")
        if path in FILES:
            return _file(path)
        if path in static.paths():
            return static.response(path.rpartition("/")[2])
        view, number, place = self._place(path)
        if method == "POST" and number is not None:
            body = await admission.read_body(self.settings, scope, headers, receive, FORM)
            return self._rate(
                view, number, place, body, JSON.encode() in headers.get(b"accept", b"")
            )
        return view.overview() if number is None else view.query(number, place)

    def _place(self, path: str) -> tuple[JudgesView, int | None, int | None]:
        """The judge, the query and the page that an address means."""
        unknown = HTTPError(404, "This is not a link of the study; use yours as you were given it.")
        first, *parts = path.strip("/").split("/")
        judge = self._judges.get(_digest(parts[0])) if first == "j" and parts else None
        if judge is None or len(parts) > 3:
            raise unknown
        view = JudgesView(self.journal, judge)
        number = _within(parts[1], len(view.pools)) if len(parts) > 1 else None
        place = None
        if number is not None and len(parts) > 2:
            place = _within(parts[2], len(view.pools[number - 1].pages))
        if (len(parts) > 1 and number is None) or (len(parts) > 2 and place is None):
            raise unknown
        return view, number, place

    def _rate(
        self, view: JudgesView, number: int, place: int | None, body: bytes, script: bool
    ) -> Response:
        """Save what a form says; then the next page to rate."""
        pool = view.pools[number - 1]
        pages = view.pages(pool)
        ratings = []
        for name, value in _fields(body, len(pages)):
            at = (
                place if place and name == "rating" else _within(name.removeprefix("r"), len(pages))
            )
            if at is None or value not in map(str, self.journal.plan.ratings):
                raise HTTPError(400, f"A form of the study has no {name:.40}={value:.40}.")
            page = pages[at - 1].url
            ratings.append(Rating(view.judge.name, pool.query.url, page, int(value)))
        try:
            self.journal.rate(ratings)
        except OSError as error:
            why = error.strerror or "the disk failed"
            raise HTTPError(503, f"What you said could not be saved: {why}; try again.") from error
        if script:
            return json_response({"done": view.done})
        after = number if view.unrated(number) is None else number - 1
        return _redirect(view.go_on(after, one_by_one=place is not None))


def _fields(body: bytes, most: int) -> list[tuple[str, str]]:
    try:
        text = body.decode("utf-8")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=most + 5)
    except ValueError as error:
        raise HTTPError(400, "This is no form of the study.") from error


def _within(text: str, most: int) -> int | None:
    """A number from 1 to `most`, written plainly."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    return int(text) if 1 <= int(text) <= most else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _redirect(address: str) -> Response:
    return Response(b"", status=303, headers={"location": address, "cache-control": "no-store"})


@cache
def _file(path: str) -> Response:
    data = resources.files("whatsrelated.apps.study").joinpath("static", path[1:]).read_bytes()
    return Response(data, FILES[path], headers={"cache-control": "no-cache"})


async def _run_lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def serve(server: StudyServer, ready: Callable[[str], None]) -> int:
    """Serve a study until a signal ends it; `ready` gets the address once it answers."""
    from whatsrelated.apps.serve.workers import BoundedServer, address_of, listen

    if not server.journal.judges:
        raise OptionError("study: there are no judges; name them with --judges.")
    sockets = listen(server.settings)
    ready(address_of(sockets[0]))
    BoundedServer(server, server.settings).run(sockets)
    return 0
