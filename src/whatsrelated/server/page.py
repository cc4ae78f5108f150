"""The page: search, results with their reasons, methods side by side, the graph itself.

Rendered here, so that it works without JavaScript; page.js adds completion
and the picture.  Names and titles come from anybody: Jinja escapes all of
them, and only http, https and ftp become links to the outside.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

from whatsrelated.api import Graph
from whatsrelated.errors import PageNotFound
from whatsrelated.graph.facts import facts
from whatsrelated.names.hosts import host_of
from whatsrelated.query.comparison import Comparison
from whatsrelated.query.request import Request
from whatsrelated.server import questions, ranking, static
from whatsrelated.server.answers import answered
from whatsrelated.server.completion import Completion, most_linked
from whatsrelated.server.lookups import links_told, page_told
from whatsrelated.server.replies import HTML, Reply, headers_of, json_reply, problem
from whatsrelated.server.route import Ask
from whatsrelated.server.state import State, method_list, rank_list

MOST_LISTED = 20
"""How many items of a list the page shows."""


def page(ask: Ask) -> Reply:
    """The page: an answer where a page is asked for, else the graph at a glance."""
    state = State.of(questions.fields(ask.query))
    return _answer_page(ask, state) if state.urls else _home(ask, state)


def _home(ask: Ask, state: State) -> Reply:
    overview = ask.serving.made("overview", _overview)
    return html("home.html", state=state, keep=True, **overview)


def _overview(graph: Graph) -> dict[str, Any]:
    pages = most_linked(graph, MOST_LISTED).tolist()
    told = facts(graph.store)
    largest = max((row[way] for row in told["degrees"] for way in ("in", "out")), default=1)
    return {
        "facts": told,
        "largest": max(largest, 1),
        "most_linked": [page_told(graph, page) for page in pages],
    }


def ranks_page(ask: Ask) -> Reply:
    """The best pages of the whole graph."""
    options = questions.taken(ask.fields(), ranking.TOP, "rank")
    found = ranking.ranked(ask, options["by"], {})
    lists = [("", found.top(options["top"]))]
    if found.hubs is not None:
        lists = [("Authorities", lists[0][1]), ("Hubs", found.top(options["top"], hubs=True))]
    chosen = {"by": options["by"], "lists": lists, "ranks": rank_list()}
    return html("ranks.html", state=State(), keep=True, **chosen)


def _answer_page(ask: Ask, state: State) -> Reply:
    graph = ask.serving.graph
    try:
        answers = [answered(ask, query) for query in state.queries()]
    except PageNotFound as error:
        return _no_such_page(ask, state, error)
    keep = all(kept for _, kept in answers)
    listed = [answer for answer, _ in answers]
    common = [note for note in listed[0].notes if all(note in each.notes for each in listed)]
    pages = [graph.page(url) for url in dict.fromkeys(listed[0].answered_for)]
    return html(
        "answer.html",
        state=state,
        keep=keep,
        answers=listed,
        common=common,
        comparison=Comparison(state.methods, tuple(listed)),
        pages=[_with_links(graph, page) for page in pages],
        title=graph.title(pages[0]) or graph.url(pages[0]),
        picture="/api/vicinity?" + urlencode([("url", graph.url(page)) for page in pages]),
    )


def _with_links(graph: Graph, page: int) -> dict[str, Any]:
    return {
        **page_told(graph, page),
        "links_in": links_told(graph, page, "in", 0, MOST_LISTED),
        "links_out": links_told(graph, page, "out", 0, MOST_LISTED),
    }


def _no_such_page(ask: Ask, state: State, error: PageNotFound) -> Reply:
    completion = ask.serving.made("completion", Completion)
    missing = error.asked or state.urls[0]
    meant = completion.pages_for(missing, 10)
    if error.nearest is not None and not meant:
        meant = [ask.serving.graph.page(error.nearest)]
    return html(
        "missing.html",
        state=state,
        status=404,
        missing=missing,
        meant=[page_told(ask.serving.graph, page) for page in meant],
    )


def openapi(ask: Ask) -> Reply:
    return json_reply(ask.server.document(), keep=True)


def api_page(ask: Ask) -> Reply:
    """The OpenAPI document as a page."""
    listed = ask.serving.made("overview", _overview)["most_linked"]
    page = {"url": listed[0]["url"]} if listed else {"url": "https://example.org/"}
    examples = {
        "/api/related": {**page, "limit": 5, "why": 1},
        "/api/vicinity": {**page, "nodes": 20},
        "/api/links": {**page, "limit": 10},
        "/api/pages": {"prefix": "a"},
        "/api/rank": {"by": "hits", "top": 5},
    }
    shown = {path: f"{path}?{urlencode(fields)}" for path, fields in examples.items()}
    told = ask.server.document()
    return html("api.html", state=State(), document=told, examples=shown, keep=True)


def wrong_page(error: BaseException) -> Reply:
    """An error as a page."""
    told = problem(error)
    reply = html("wrong.html", state=State(), status=told["status"], problem=told)
    reply.headers = headers_of(error)
    return reply


def html(template: str, *, status: int = 200, keep: bool = False, **values: Any) -> Reply:
    """A page from its template."""
    text = _templates().get_template(template).render(values)
    return Reply(text.encode("utf-8", "replace"), kind=HTML, status=status, keep=keep)


@cache
def _templates() -> Any:
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("whatsrelated.server"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals.update(
        methods=method_list(),
        has_new="new" in questions.options_over_http(Request),
        most_listed=MOST_LISTED,
        static=static.address,
    )
    made.filters.update(number=number, outside=outside, readable=readable)
    return made


def number(value: float) -> str:
    """A number for people: thousands apart, four digits that count."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def outside(url: str) -> str | None:
    """The address of a page on the Web, None for a plain name or another scheme."""
    return url if host_of(url) is not None and not url.lower().startswith("file:") else None


def readable(url: str) -> str:
    """A URL for the eye: without the scheme where it is the usual one."""
    return url.removeprefix("https://").removeprefix("http://")
