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
from whatsrelated.methods import METHODS
from whatsrelated.names.display import harmless
from whatsrelated.names.hosts import host_of
from whatsrelated.query.request import Request
from whatsrelated.ranks import RANKS
from whatsrelated.server import static
from whatsrelated.server.answers import compare_methods
from whatsrelated.server.call import Call
from whatsrelated.server.completion import Completion, most_linked
from whatsrelated.server.lookups import linked_pages, page_summary
from whatsrelated.server.parameters import MOST_RESULTS, pairs, parameters_of
from whatsrelated.server.ranking import compute_rank
from whatsrelated.server.responses import HTML, Response, headers_of, json_response, problem
from whatsrelated.server.state import PageState, summaries

MOST_LISTED = 20
"""How many items of a list the page shows."""


def page(call: Call) -> Response:
    """The page: an answer where a page is asked for, else the graph at a glance."""
    state = PageState.of(pairs(call.query))
    return _answer_page(call, state) if state.urls else _home(call, state)


def _home(call: Call, state: PageState) -> Response:
    overview = call.served.derived("overview", _overview)
    return html("home.html", state=state, cacheable=True, **overview)


def _overview(graph: Graph) -> dict[str, Any]:
    pages = most_linked(graph, MOST_LISTED).tolist()
    found = facts(graph.store)
    largest = max((row[way] for row in found["degrees"] for way in ("in", "out")), default=1)
    return {
        "facts": found,
        "largest": max(largest, 1),
        "most_linked": [page_summary(graph, page) for page in pages],
    }


def ranks_page(call: Call) -> Response:
    """The best pages of the whole graph."""
    values = call.values()
    by, top = values.own["by"], values.own["top"]
    ranking = compute_rank(call, values)
    lists = [("", ranking.top(top))]
    if ranking.hubs is not None:
        lists = [("Authorities", lists[0][1]), ("Hubs", ranking.top(top, hubs=True))]
    chosen = {"by": by, "lists": lists, "ranks": summaries(RANKS)}
    return html("ranks.html", state=PageState(), cacheable=True, **chosen)


def _answer_page(call: Call, state: PageState) -> Response:
    graph = call.served.graph
    try:
        comparison, cacheable = compare_methods(call, state.values())
    except PageNotFound as error:
        return _no_such_page(call, state, error)
    listed = comparison.answers
    common = [note for note in listed[0].notes if all(note in each.notes for each in listed)]
    pages = [graph.page(url) for url in dict.fromkeys(listed[0].answered_for)]
    return html(
        "answer.html",
        state=state,
        cacheable=cacheable,
        answers=listed,
        common=common,
        comparison=comparison,
        pages=[_with_links(graph, page) for page in pages],
        title=graph.title(pages[0]) or graph.url(pages[0]),
        picture="/api/vicinity?" + urlencode([("url", graph.url(page)) for page in pages]),
    )


def _with_links(graph: Graph, page: int) -> dict[str, Any]:
    return {
        "summary": page_summary(graph, page),
        "links_in": linked_pages(graph, page, "in", 0, MOST_LISTED),
        "links_out": linked_pages(graph, page, "out", 0, MOST_LISTED),
    }


def _no_such_page(call: Call, state: PageState, error: PageNotFound) -> Response:
    completion = call.served.derived("completion", Completion)
    missing = error.asked or state.urls[0]
    store = call.served.graph.store
    meant = [page for name in error.candidates if (page := store.find(name)) is not None]
    meant = meant or completion.pages_for(missing, 10)
    if error.nearest is not None and not meant:
        meant = [call.served.graph.page(error.nearest)]
    return html(
        "missing.html",
        state=state,
        status=404,
        missing=missing,
        meant=[page_summary(call.served.graph, page) for page in meant],
    )


def openapi(call: Call) -> Response:
    return json_response(call.server.document(), cacheable=True)


def api_page(call: Call) -> Response:
    """The OpenAPI document as a page."""
    listed = call.served.derived("overview", _overview)["most_linked"]
    page = {"url": listed[0].url} if listed else {"url": "https://example.org/"}
    examples = {
        "/api/related": {**page, "limit": 5, "why": 1},
        "/api/vicinity": {**page, "nodes": 20},
        "/api/links": {**page, "limit": 10},
        "/api/pages": {"prefix": "a"},
        "/api/rank": {"by": "hits", "top": 5},
    }
    shown = {path: f"{path}?{urlencode(fields)}" for path, fields in examples.items()}
    document = call.server.document()
    return html("api.html", state=PageState(), document=document, examples=shown, cacheable=True)


def error_page(error: BaseException) -> Response:
    """An error as a page."""
    found = problem(error)
    response = html("error.html", state=PageState(), status=found.status, problem=found)
    response.headers = headers_of(error)
    return response


def html(template: str, *, status: int = 200, cacheable: bool = False, **values: Any) -> Response:
    """A page from its template."""
    text = _templates().get_template(template).render(values)
    body = text.encode("utf-8", "replace")
    return Response(body, media_type=HTML, status=status, cacheable=cacheable)


def environment(package: str) -> Any:
    """The templates of a package, where no name and no title can do harm."""
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: harmless(value) if type(value) is str else value,
    )
    templates.globals.update(static=static.address)
    templates.filters.update(number=number, outside=outside, readable=readable)
    return templates


@cache
def _templates() -> Any:
    templates = environment("whatsrelated.server")
    templates.globals.update(
        methods=summaries(METHODS),
        has_new="new" in parameters_of(Request),
        most_results=MOST_RESULTS,
        most_listed=MOST_LISTED,
    )
    return templates


def number(value: float) -> str:
    """A number for people: thousands apart, four significant digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def outside(url: str) -> str | None:
    """The address of a page on the Web, None for a plain name or another scheme."""
    return url if host_of(url) is not None and not url.lower().startswith("file:") else None


def readable(url: str) -> str:
    """A URL for the eye: without the scheme where it is the usual one."""
    return url.removeprefix("https://").removeprefix("http://")
