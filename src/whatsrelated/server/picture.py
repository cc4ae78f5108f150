"""`/api/vicinity`: the pages around a page, with their roles and the links between them.

The vicinity is companion's (DH99, sec. 2.1): the query, its parents, what
stands beside it on them, its children and their other parents, and the links
between different sites.  Hub and authority are companion's too.  A picture can
show some dozens of pages only: the query, then by turns the best authorities,
the best hubs and the first children, so that each of them is seen.
"""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.methods.companion import Companion
from whatsrelated.options import Option, configured
from whatsrelated.query.request import Request
from whatsrelated.server import questions
from whatsrelated.server.replies import Reply, json_reply
from whatsrelated.server.route import Ask
from whatsrelated.vicinity.gathering import CHILD, COPARENT, PARENT, QUERY, SIBLING

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.methods.authorities import Authorities

ROLES = {
    "query": QUERY,
    "parent": PARENT,
    "sibling": SIBLING,
    "child": CHILD,
    "co-parent": COPARENT,
}
MOST_NODES = 2000

NODES = {
    "url": Option(None, f"a page, by its URL or name; up to {questions.MOST_URLS}"),
    "nodes": Option(60, "how many pages to show", low=1, high=MOST_NODES, kind=int),
    "seed": questions.options_over_http(Request)["seed"],
    "site": questions.options_over_http(Request)["site"],
    **questions.options_over_http(Companion),
}
ASIDE = ("url", "nodes", "seed", "site")


def vicinity(ask: Ask) -> Reply:
    """The pages around a page: who links to it, what stands beside it, and the links between."""
    options = ask.options()
    graph = ask.serving.graph
    pages = [graph.page(url) for url in options["url"]]
    question = graph.question(
        list(dict.fromkeys(pages)), seed=options["seed"], site=options["site"]
    )
    own = {name: value for name, value in options.items() if name not in ASIDE}
    around = configured(Companion, own).authorities(question)
    chosen = _chosen(around, options["nodes"])
    return json_reply(_told(around, chosen, options["url"]), keep=True)


def _chosen(around: Authorities, most: int) -> NDArray[int64]:
    """The places of the pages to show, the query pages first."""
    names = around.vicinity.names
    roles = around.vicinity.roles
    own = names == np.arange(len(names))
    query = np.flatnonzero(roles & QUERY)
    rest = np.flatnonzero(own & ((roles & QUERY) == 0))
    by_authority = rest[np.argsort(-around.authority[rest], kind="stable")].tolist()
    by_hub = rest[np.argsort(-around.hub[rest], kind="stable")].tolist()
    children = [place for place in rest.tolist() if roles[place] & CHILD]
    turns = zip_longest(by_authority, by_hub, by_authority[1:], children)
    order = dict.fromkeys(chain(query.tolist(), *turns))
    return np.array([place for place in order if place is not None][:most], np.int64)


def _told(around: Authorities, chosen: NDArray[int64], urls: list[str]) -> dict[str, Any]:
    vicinity = around.vicinity
    store = vicinity.question.store
    number = {place: shown for shown, place in enumerate(chosen.tolist())}
    nodes = []
    for place in chosen.tolist():
        page = int(vicinity.pages[place])
        nodes.append(
            {
                "url": store.url(page),
                "title": store.title(page),
                "roles": [name for name, bit in ROLES.items() if vicinity.roles[place] & bit],
                "hub": float(around.hub[place]),
                "authority": float(around.authority[place]),
                "in": len(store.links_to(page)),
                "out": len(store.links_from(page)),
            }
        )
    edges = [
        [number[place], number[target]]
        for place in chosen.tolist()
        for target in vicinity.targets[vicinity.starts[place] : vicinity.starts[place + 1]].tolist()
        if target in number
    ]
    counts = {name: int(np.count_nonzero(vicinity.roles & bit)) for name, bit in ROLES.items()}
    return {
        "version": 1,
        "asked": urls,
        "answered_for": [store.url(page) for page in vicinity.question.pages],
        "pages": len(vicinity.pages),
        "links": len(vicinity.targets),
        "roles": counts,
        "nodes": nodes,
        "edges": edges,
    }
