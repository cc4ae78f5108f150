"""Questions that no method is needed for: pages by their names, links, methods, health."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Any

from whatsrelated import kernels, ranks
from whatsrelated.api import Graph
from whatsrelated.methods import METHODS, method_named
from whatsrelated.options import Configured, Option
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.ranks import rank_named
from whatsrelated.server.completion import Completion
from whatsrelated.server.questions import options_over_http
from whatsrelated.server.replies import Reply, json_reply
from whatsrelated.server.route import Ask

PREFIX = {
    "prefix": Option("", "the start, or any part, of a URL, a title or a name"),
    "limit": Option(10, "how many pages are wanted", low=1, high=100, kind=int),
}
LINKS = {
    "url": Option(None, "a page, by its URL or name"),
    "way": Option("both", "links to the page, from it, or both", choices=("both", "in", "out")),
    "limit": Option(100, "how many links of each way are wanted", low=1, high=10_000, kind=int),
    "skip": Option(0, "how many links of each way to pass over", low=0, high=2**53, kind=int),
}


def pages(ask: Ask) -> Reply:
    """Pages whose URL, title or name has this in it, the most linked first."""
    options = ask.options()
    completion = ask.serving.made("completion", Completion)
    found = completion.pages_for(options["prefix"], options["limit"])
    return json_reply(
        {"version": 1, "pages": [page_told(ask.serving.graph, page) for page in found]}, keep=True
    )


def links(ask: Ask) -> Reply:
    """The pages that link to a page, the most linked first, and those it links to, in order."""
    options = ask.options()
    graph = ask.serving.graph
    page = graph.page(options["url"][0])
    told: dict[str, Any] = {"version": 1, **page_told(graph, page)}
    for way in ("in", "out"):
        if options["way"] in ("both", way):
            told[f"links_{way}"] = links_told(graph, page, way, options["skip"], options["limit"])
    return json_reply(told, keep=True)


def links_told(graph: Graph, page: int, way: str, skip: int, limit: int) -> list[dict[str, Any]]:
    """A page's links of one way, with their texts where the graph has kept them."""
    found = graph.links_to(page) if way == "in" else graph.links_from(page)
    others = found[skip : skip + limit].tolist()
    listed = [{"url": graph.url(other), "title": graph.title(other)} for other in others]
    if graph.store.column("anchors") is None:
        return listed
    url, own = graph.url(page), graph.anchors(page)
    for each, other in zip(listed, others, strict=True):
        each["text"] = graph.anchors(other).get(url) if way == "in" else own.get(str(each["url"]))
    return listed


def page_told(graph: Graph, page: int) -> dict[str, Any]:
    """A page with its name and its degrees."""
    return {
        "url": graph.url(page),
        "title": graph.title(page),
        "in": len(graph.links_to(page)),
        "out": len(graph.links_from(page)),
    }


def methods(ask: Ask) -> Reply:
    """Every method with its options, their defaults and bounds."""
    return json_reply(all_methods(), keep=True)


@cache
def all_methods() -> dict[str, Any]:
    listed = [_told(method_named(name)) for name in METHODS]
    return {
        "version": 1,
        "default": DEFAULT_METHOD,
        "methods": listed,
        "common": _options(Request),
        "ranks": [_told(rank_named(name)) for name in ranks.RANKS],
    }


def _told(owner: type[Configured]) -> dict[str, Any]:
    sentence = (owner.__doc__ or "").strip().partition("\n")[0]
    return {"name": owner.name, "sentence": sentence, "options": _options(owner)}


def _options(owner: type) -> list[dict[str, Any]]:
    return [option_told(name, told) for name, told in options_over_http(owner).items()]


def option_told(name: str, told: Option) -> dict[str, Any]:
    """An option as JSON: its default, its bounds, its sentence, the paper's symbol."""
    return {
        "name": name,
        "kind": told.kind.__name__,
        "default": told.default,
        "sentence": told.sentence,
        "symbol": told.symbol,
        "low": told.low,
        "open_low": told.open_low,
        "high": told.high,
        "choices": list(told.choices),
        "words": list(told.words),
    }


def health(ask: Ask) -> Reply:
    """Whether the server answers, and from which generation of the graph."""
    server, store = ask.server, ask.serving.graph.store
    trouble = server.live.trouble
    told = {
        "version": 1,
        "status": "ok" if trouble is None else "old graph",
        "trouble": trouble,
        "program": metadata.version("whatsrelated"),
        "kernels": kernels.in_use(),
        "pages": store.n_pages,
        "links": store.n_links,
        "fingerprint": store.fingerprint,
        "switches": server.live.generation,
        "running": server.pool.running,
        "waiting": server.pool.waiting,
    }
    return json_reply(told)


def metrics(ask: Ask) -> Reply:
    """Counts for Prometheus, of all workers together."""
    store = ask.serving.graph.store
    server = ask.server
    server.gauge()
    text = server.board.text({"graph_pages": store.n_pages, "graph_links": store.n_links})
    return Reply(text.encode(), kind="text/plain; version=0.0.4; charset=utf-8")
