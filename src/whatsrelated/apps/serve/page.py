"""The web page: a search box, answers with reasons and a picture, comparisons, the graph.

The page, including the picture, is rendered here, so it works without JavaScript. page.js adds
completion and connects the list to the picture. Names and titles are untrusted: Jinja escapes all
of them, and only http, https and ftp URLs become links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from whatsrelated import Common, Ranking
from whatsrelated.api import Graph
from whatsrelated.api.asking import DEFAULT_METHOD, WAYS, PageSearch, Request, find_page
from whatsrelated.api.stores import facts, most_linked
from whatsrelated.apps.serve import static
from whatsrelated.apps.serve.answers import compare_methods
from whatsrelated.apps.serve.completion import Completion
from whatsrelated.apps.serve.destinations import SERVER, Destinations
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.files import addresses
from whatsrelated.apps.serve.home import examples, home
from whatsrelated.apps.serve.parameters import (
    MAX_RESULTS,
    Parameter,
    Parameters,
    pairs,
    parameters_of,
)
from whatsrelated.apps.serve.picture import draw
from whatsrelated.apps.serve.ranking import compute_rank
from whatsrelated.apps.serve.reasons import pieces, reasons
from whatsrelated.apps.serve.responses import HTML, HTTPResponse, headers_of, json_response, problem
from whatsrelated.apps.serve.scene import FRAMES, strengths
from whatsrelated.apps.serve.state import PageState, summaries
from whatsrelated.contract.markup import environment
from whatsrelated.contract.replies import PageSummary
from whatsrelated.contract.strength import GRADES, WEAK
from whatsrelated.errors import PageNotFound, RelatedError
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.ranks import RANKS

if TYPE_CHECKING:
    import jinja2

MAX_LISTED = 20
"""Maximum number of list items shown."""
MAX_COMMON = 100
MAX_MAPPED = 20_000
"""Maximum number of pages on the map; clustering more takes too long."""
MAX_AROUND = 1_000_000
"""Maximum number of pages of a graph that has a map, including pages that were not read."""
MAX_ROWS = 500
"""Number of pages on each page of the list of all pages."""
ALL_PAGES = Parameters(
    "pages", path_parameters={"skip": Parameter(declared_options(PageSearch)["skip"])}
)


def page(call: Call) -> HTTPResponse:
    """The web page: an answer, or the start page."""
    state = PageState.of(pairs(call.query))
    if state.urls:
        return _answer_page(call, state)
    return html(call, "home.html", state=state, cacheable=True, **call.served.derived("home", home))


def _example_pair(graph: Graph) -> tuple[str, str]:
    """Two pages for examples, related if possible."""
    listed = [summary.url for summary in examples(graph)]
    listed += [graph.url(page) for page in most_linked(graph.store, 2).tolist()]
    if not listed:
        return ("https://example.org/",) * 2
    try:
        near = [result.url for result in graph.related(listed[0], limit=1)]
    except RelatedError:
        near = []
    return listed[0], near[0] if near else listed[-1]


def graph_page(call: Call) -> HTTPResponse:
    """The facts about the graph, and its most linked pages."""
    overview = call.served.derived("overview", _overview)
    return html(call, "graph.html", state=PageState(), cacheable=True, **overview)


def is_mapped(graph: Graph) -> bool:
    """Whether the map of this graph is drawn; it shows only pages that were read."""
    return len(graph) <= MAX_AROUND and graph.store.read_pages <= MAX_MAPPED


def name_of(graph: Graph, title: str | None = None) -> dict[str, Any]:
    """The facts about the graph that every page shows: its name (by default, its folder's), its
    build time, and whether it has a map.
    """
    built = graph.store.manifest["built"]
    path = graph.store.path
    sources = built.get("sources", ["a graph in memory"])
    name = title or (path.name if path else ", ".join(sources))
    if path is None and title == "sample":
        name = "the sample Web"
    return {"name": name, "at": built.get("at"), "has_map": is_mapped(graph)}


def _overview(graph: Graph) -> dict[str, Any]:
    pages = most_linked(graph.store, MAX_LISTED).tolist()
    graph_facts = facts(graph.store)
    largest = max((row[way] for row in graph_facts["degrees"] for way in ("in", "out")), default=1)
    return {
        "facts": graph_facts,
        "largest": max(largest, 1),
        "most_linked": [graph.summary(page) for page in pages],
    }


def ranks_page(call: Call) -> HTTPResponse:
    """The best pages of the graph."""
    values = call.values()
    by, top = values.path_values["by"], values.path_values["top"]
    ranking = compute_rank(call, values)
    lists = [("", _rows(call.served.graph, ranking, top))]
    if ranking.hubs is not None:
        hubs = _rows(call.served.graph, ranking, top, hubs=True)
        lists = [("Authorities", lists[0][1]), ("Hubs", hubs)]
    ranks = summaries(RANKS)
    chosen = {"by": by, "about": dict(ranks)[by], "lists": lists, "ranks": ranks}
    return html(call, "ranks.html", state=PageState(), cacheable=True, **chosen)


def _rows(
    graph: Graph, ranking: Ranking, top: int, hubs: bool = False
) -> list[tuple[PageSummary, float, float]]:
    """The best pages, their scores, and their scores relative to the mean."""
    mean = float(ranking.scores_of(hubs=hubs).mean()) or 1.0
    best = ranking.top(top, hubs=hubs)
    return [(graph.summary(one.page), one.score, one.score / mean) for one in best]


def pages_page(call: Call) -> HTTPResponse:
    """All pages, most linked first."""
    skip = call.values().path_values["skip"]
    graph = call.served.graph
    listed, total = PageSearch(limit=MAX_ROWS, skip=skip).run(graph.store)
    values: dict[str, Any] = {"pages": [graph.summary(page) for page in listed], "total": total}
    return html(
        call, "pages.html", state=PageState(), cacheable=True, skip=skip, step=MAX_ROWS, **values
    )


def _answer_page(call: Call, state: PageState) -> HTTPResponse:
    try:
        if state.show == "path" and len(state.urls) > 1:
            return _path_page(call, state)
        if state.show in WAYS:
            return _common_page(call, state)
        comparison, cacheable = compare_methods(call, state.values())
    except PageNotFound as error:
        return _no_such_page(call, state, error)
    graph, answer = call.served.graph, comparison.answers[0]
    listed = comparison.answers
    values = {
        **_heading(graph, answer.answered_for),
        "answers": listed,
        "comparison": comparison,
        "notes": _new_notes(graph, state.urls, (note for each in listed for note in each.notes)),
    }
    if not state.compared:
        values["answer"] = answer
        values["strengths"] = strengths(answer)
        if answer.results:
            values["pictures"] = draw(call, answer, state.view or "answer", list(FRAMES))
        values["reasons"] = [
            reasons(graph.store, answer.answered_for, result.url, result.evidence)
            for result in answer
        ]
    template = "compare.html" if state.compared else "answer.html"
    return html(call, template, state=state, cacheable=cacheable, **values)


def _common_page(call: Call, state: PageState) -> HTTPResponse:
    """The neighbours that the query pages share."""
    graph = call.served.graph
    shared = graph.common(state.urls, state.show, limit=MAX_COMMON)
    values = _heading(graph, [graph.url(graph.page(url)) for url in state.urls])
    values["texts"] = _link_texts(graph, values["pages"], state.show, shared)
    notes = _new_notes(graph, state.urls, shared.notes)
    return html(
        call, "common.html", state=state, cacheable=True, notes=notes, shared=shared, **values
    )


def _new_notes(graph: Graph, urls: Sequence[str], notes: Iterable[str]) -> list[str]:
    """The notes, except those that say which page a name stands for; the heading shows that."""
    heading: set[str] = set()
    for url in urls:
        with suppress(PageNotFound):
            heading.update(find_page(graph.store, url)[1])
    return [note for note in dict.fromkeys(notes) if note not in heading]


def _path_page(call: Call, state: PageState) -> HTTPResponse:
    """The shortest chains of links between the query pages."""
    graph = call.served.graph
    paths = graph.path(*state.urls)
    values = _heading(graph, [graph.url(graph.page(url)) for url in state.urls])
    reply = paths.reply()
    notes = _new_notes(graph, state.urls, paths.notes)
    return html(call, "path.html", state=state, cacheable=True, notes=notes, reply=reply, **values)


def _link_texts(
    graph: Graph, pages: Sequence[PageSummary], way: str, shared: Common
) -> dict[str, str]:
    """The anchor texts of the links between a page and each neighbour, if the graph has them."""
    if len(pages) > 1:
        return {}
    url = pages[0].url
    if way == "out":
        return graph.anchors(graph.page(url))
    texts = {other.url: graph.anchors(graph.page(other.url)).get(url, "") for other in shared}
    return {other: text for other, text in texts.items() if text}


def _heading(graph: Graph, urls: Sequence[str]) -> dict[str, Any]:
    """The query pages, which are shown above every list."""
    pages = [graph.summary(graph.page(url)) for url in dict.fromkeys(urls)]
    return {"pages": pages, "title": pages[0].title or pages[0].url}


def _no_such_page(call: Call, state: PageState, error: PageNotFound) -> HTTPResponse:
    completion = call.served.derived("completion", Completion)
    missing = error.asked or state.urls[0]
    store = call.served.graph.store
    meant = [page for name in error.candidates if (page := store.names.page_of(name)) is not None]
    meant = meant or completion.pages_for(missing, 10)
    if error.nearest is not None and not meant:
        meant = [call.served.graph.page(error.nearest)]
    return html(
        call,
        "missing.html",
        state=state,
        status=404,
        missing=missing,
        meant=[call.served.graph.summary(page) for page in meant],
    )


def openapi(call: Call) -> HTTPResponse:
    return json_response(call.server.document(call.root), cacheable=True)


def api_page(call: Call) -> HTTPResponse:
    """The OpenAPI document as a page."""
    page, other = (quote(url, "") for url in call.served.derived("example pair", _example_pair))
    examples = {
        path: f"{path[1:]}?{endpoint.example.format(page=page, other=other)}".removesuffix("?")
        for path, endpoint in call.server.endpoints.items()
    }
    values: dict[str, Any] = {"document": call.server.document(call.root), "root": call.root}
    return html(call, "api.html", state=PageState(), examples=examples, cacheable=True, **values)


def error_page(error: BaseException, where: Destinations = SERVER) -> HTTPResponse:
    """An error as a page."""
    detail = problem(error)
    text = render("error.html", graph=None, where=where, state=PageState(), problem=detail)
    response = HTTPResponse(text.encode("utf-8", "replace"), HTML, detail.status)
    response.headers.update(headers_of(error))
    return response


def html(
    call: Call, template: str, *, status: int = 200, cacheable: bool = False, **values: Any
) -> HTTPResponse:
    """Render a template; the footer names the graph."""
    graph = call.served.derived("name", lambda graph: name_of(graph, call.server.name))
    where = call.where
    values["state"] = where.state(values["state"])
    text = render(template, graph=graph, opens=where.opens or _opens(call), where=where, **values)
    body = text.encode("utf-8", "replace")
    return HTTPResponse(body, media_type=HTML, status=status, cacheable=cacheable)


def _opens(call: Call) -> Callable[[str], str | None]:
    """The address that opens a page."""
    settings = call.server.settings
    return call.served.derived("addresses", lambda graph: addresses(graph, settings))


def render(template: str, **values: Any) -> str:
    return _templates().get_template(template).render({"where": SERVER, **values})


@cache
def _templates() -> jinja2.Environment:
    templates = environment(static.PACKAGE)
    templates.globals.update(
        methods=summaries(METHODS),
        has_new="new" in parameters_of(Request),
        most_results=MAX_RESULTS,
        most_listed=MAX_LISTED,
        grades=GRADES,
        steps={grade: step for step, grade in enumerate((WEAK, *reversed(GRADES)), 1)},
        default_method=DEFAULT_METHOD,
    )
    templates.filters.update(pieces=pieces)
    return templates
