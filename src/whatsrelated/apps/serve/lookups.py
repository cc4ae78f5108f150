"""Queries without a method: pages by name, links, methods, health."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import UNSET
from starlette.exceptions import HTTPException

from whatsrelated import __version__
from whatsrelated.api import Graph
from whatsrelated.api.asking import DEFAULT_METHOD, PageSearch, Request
from whatsrelated.api.limits import kernels_in_use
from whatsrelated.apps.serve.completion import Completion
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import Parameter, Parameters, parameters_of
from whatsrelated.apps.serve.replies import (
    HealthReply,
    LinkedPage,
    LinksReply,
    MethodsReply,
    OptionReply,
    OwnerReply,
)
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.contract.replies import PagesReply
from whatsrelated.methods import METHODS
from whatsrelated.options import Configured, Option, configure, declared_options
from whatsrelated.ranks import RANKS

SEARCH = declared_options(PageSearch)
PAGES = Parameters(
    "pages",
    path_parameters={
        "prefix": Parameter(Option("", "any part of a URL, title or name")),
        "limit": Parameter(Option(10, "maximum number of pages", low=1, high=100, kind=int)),
        **{name: Parameter(one) for name, one in SEARCH.items() if name != "limit"},
    },
)
LINKS = Parameters(
    "links",
    path_parameters={
        "url": Parameter(Option(None, "a page, by URL or name"), pages=True, required=True),
        "way": Parameter(
            Option("both", "links to the page, from it, or both", choices=("both", "in", "out"))
        ),
        "limit": Parameter(
            Option(100, "maximum number of links in each direction", low=1, high=10_000, kind=int)
        ),
        "skip": Parameter(
            Option(0, "number of links in each direction to skip", low=0, high=2**53, kind=int)
        ),
    },
)


WAIT = 0.2
"""How long a search waits for the word index, as a share of its time limit."""


def pages(call: Call) -> HTTPResponse:
    """Pages with these words, or with this text in their URL, title or name."""
    values = call.values().path_values
    if not values["prefix"] and any(values[name] != one.default for name, one in SEARCH.items()):
        search = configure(PageSearch, {name: values[name] for name in SEARCH})
        if search.words and not call.served.has_word_index(
            WAIT * (call.deadline - time.monotonic())
        ):
            sentence = "The word index of this graph is being built; try again in a moment."
            raise HTTPException(503, sentence, {"retry-after": "5"})
        pages, total = search.run(call.served.graph.store)
        listed = [call.served.graph.summary(page) for page in pages]
        return json_response(PagesReply(pages=listed, total=total), cacheable=True)
    completion = call.served.derived("completion", Completion)
    pages_found = completion.pages_for(values["prefix"], values["limit"])
    listed = [call.served.graph.summary(page) for page in pages_found]
    return json_response(PagesReply(pages=listed), cacheable=True)


def links(call: Call) -> HTTPResponse:
    """The pages that link to a page, most linked first, and the pages it links to, in page
    order.
    """
    values = call.values().path_values
    graph = call.served.graph
    page = graph.page(values["url"])
    lists = {
        way: linked_pages(graph, page, way, values["skip"], values["limit"])
        if values["way"] in ("both", way)
        else UNSET
        for way in ("in", "out")
    }
    reply = LinksReply(
        url=graph.url(page),
        title=graph.title(page),
        links_to_it=len(graph.links_to(page)),
        links_from_it=len(graph.links_from(page)),
        links_in=lists["in"],
        links_out=lists["out"],
    )
    return json_response(reply, cacheable=True)


def linked_pages(graph: Graph, page: int, way: str, skip: int, limit: int) -> list[LinkedPage]:
    """A page's links in one direction, with their anchor texts if the graph has them."""
    neighbours = graph.links_to(page) if way == "in" else graph.links_from(page)
    others = neighbours[skip : skip + limit].tolist()
    listed = [LinkedPage(graph.url(other), graph.title(other)) for other in others]
    if graph.store.column("anchors") is None:
        return listed
    url, own_texts = graph.url(page), graph.anchors(page)
    for each, other in zip(listed, others, strict=True):
        each.text = graph.anchors(other).get(url) if way == "in" else own_texts.get(each.url)
    return listed


def methods(call: Call) -> HTTPResponse:
    """Every method with its options, their defaults and bounds."""
    return json_response(all_methods(), cacheable=True)


@cache
def all_methods() -> MethodsReply:
    return MethodsReply(
        default=DEFAULT_METHOD,
        methods=_owners(METHODS.by_name()),
        common=_options(Request),
        ranks=_owners(RANKS.by_name()),
    )


def _owners(owners: Mapping[str, type[Configured]]) -> list[OwnerReply]:
    return [
        OwnerReply(name, summary_line(owner), _options(owner)) for name, owner in owners.items()
    ]


def summary_line(owner: type) -> str:
    """The first line of a method's or rank's docstring."""
    return (owner.__doc__ or "").strip().partition("\n")[0]


def _options(owner: type) -> list[OptionReply]:
    return [_option(name, each.option) for name, each in parameters_of(owner).items()]


def _option(name: str, option: Option) -> OptionReply:
    return OptionReply(
        name=name,
        kind=option.kind.__name__,
        default=option.default,
        sentence=option.sentence,
        symbol=option.symbol,
        low=option.low,
        open_low=option.open_low,
        high=option.high,
        choices=list(option.choices),
        words=list(option.words),
    )


def health(call: Call) -> HTTPResponse:
    """Whether the server is healthy; with a token, also which generation of the graph it serves."""
    server, store = call.server, call.served.graph.store
    trouble = server.live.trouble
    status: Literal["ok", "old graph"] = "ok" if trouble is None else "old graph"
    if call.anonymous:
        return json_response({"status": status})
    return json_response(
        HealthReply(
            status=status,
            trouble=trouble,
            program=__version__,
            kernels=kernels_in_use(),
            pages=store.n_pages,
            links=store.n_links,
            fingerprint=store.fingerprint,
            switches=server.live.switches,
            running=server.pool.running,
            waiting=server.pool.waiting,
        )
    )


def metrics(call: Call) -> HTTPResponse:
    """Counters for Prometheus, summed over all workers."""
    store = call.served.graph.store
    server = call.server
    server.update_gauges()
    text = server.metrics.text({"graph_pages": store.n_pages, "graph_links": store.n_links})
    return HTTPResponse(text.encode(), media_type="text/plain; version=0.0.4; charset=utf-8")
