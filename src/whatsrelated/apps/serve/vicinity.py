"""`/api/vicinity`: the pages around a page, with their roles and the links between them.

The vicinity is companion's (DH99, sec. 2.1): the query, its parents, its siblings, its children and
their other parents, and the links between different sites. Hub and authority scores are companion's
too. A picture can show only a few dozen pages: first the query, then alternately the best
authorities, the best hubs and the first children.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, get_args

import numpy as np

from whatsrelated import Companion
from whatsrelated.api.asking import CHILD, COPARENT, PARENT, QUERY, SIBLING, Request, limit_notes
from whatsrelated.apps.serve.answers import URLS
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import Parameter, Parameters, parameters_of
from whatsrelated.apps.serve.replies import Role, VicinityNode, VicinityReply
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.options import Option, configure, declared_options

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.api.asking import Authorities

ROLES: dict[Role, int] = dict(
    zip(get_args(Role), (QUERY, PARENT, SIBLING, CHILD, COPARENT), strict=True)
)
MAX_NODES = 2000

VICINITY = Parameters(
    "vicinity",
    path_parameters={
        "url": URLS,
        "nodes": Parameter(Option(60, "maximum number of pages", low=1, high=MAX_NODES, kind=int)),
        "seed": parameters_of(Request)["seed"],
        "site": parameters_of(Request)["site"],
        **parameters_of(Companion),
    },
)


def vicinity(call: Call) -> HTTPResponse:
    """The pages around a page: parents, siblings and children, and the links between them."""
    values = call.values().path_values
    graph = call.served.graph
    pages = [graph.page(url) for url in values["url"]]
    question = graph.question(list(dict.fromkeys(pages)), seed=values["seed"], site=values["site"])
    options = {name: values[name] for name in declared_options(Companion)}
    around = configure(Companion, options).authorities(question)
    shown = shown_places(around, values["nodes"])
    reply = _reply(around, shown, values["url"], limit_notes(call.limits) if call.limits else [])
    return json_response(reply, cacheable=True)


def shown_places(around: Authorities, max_pages: int) -> NDArray[int64]:
    """The positions of the pages to show, query pages first."""
    names = around.vicinity.names
    roles = around.vicinity.roles
    is_representative = names == np.arange(len(names))
    query = np.flatnonzero(roles & QUERY)
    rest = np.flatnonzero(is_representative & ((roles & QUERY) == 0))
    by_authority = rest[np.argsort(-around.authority[rest], kind="stable")].tolist()
    by_hub = rest[np.argsort(-around.hub[rest], kind="stable")].tolist()
    children = [place for place in rest.tolist() if roles[place] & CHILD]
    turns = zip_longest(by_authority, by_hub, by_authority[1:], children)
    order = dict.fromkeys(chain(query.tolist(), *turns))
    return np.array([place for place in order if place is not None][:max_pages], np.int64)


def _reply(
    around: Authorities, shown: NDArray[int64], urls: Sequence[str], notes: list[str]
) -> VicinityReply:
    vicinity = around.vicinity
    places = shown.tolist()
    number = {place: n for n, place in enumerate(places)}
    edges = [
        (number[place], number[target])
        for place in places
        for target in vicinity.targets[vicinity.starts[place] : vicinity.starts[place + 1]].tolist()
        if target in number
    ]
    return VicinityReply(
        asked=list(urls),
        answered_for=[vicinity.question.store.url(page) for page in vicinity.question.pages],
        pages=len(vicinity.pages),
        links=len(vicinity.targets),
        roles={role: int(np.count_nonzero(vicinity.roles & bit)) for role, bit in ROLES.items()},
        nodes=[_node(around, place) for place in places],
        edges=edges,
        notes=notes,
    )


def _node(around: Authorities, place: int) -> VicinityNode:
    vicinity = around.vicinity
    store = vicinity.question.store
    page = int(vicinity.pages[place])
    return VicinityNode(
        url=store.url(page),
        title=store.title(page),
        roles=[role for role, bit in ROLES.items() if vicinity.roles[place] & bit],
        hub=float(around.hub[place]),
        authority=float(around.authority[place]),
        links_to_it=len(store.links_to(page)),
        links_from_it=len(store.links_from(page)),
    )
