"""The start page: a live example, what the graph holds, and how to use your own pages."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from whatsrelated.api import Graph
from whatsrelated.api.asking import DEFAULT_METHOD
from whatsrelated.api.limits import check_time
from whatsrelated.api.stores import facts, most_linked
from whatsrelated.apps.serve.scene import FRAMES, draw_answer
from whatsrelated.errors import OutOfTime, RelatedError
from whatsrelated.names.hosts import host_of

if TYPE_CHECKING:
    from whatsrelated import Answer
    from whatsrelated.contract.replies import PageSummary

EXAMPLES, CANDIDATES = 6, 40
"""Number of examples, and size of the pool of well-linked pages they come from."""
SHOWN = 5
"""Number of results of the live example."""


def home(graph: Graph) -> dict[str, Any]:
    """The contents of the start page."""
    offered = examples(graph)
    values: dict[str, Any] = {"examples": offered, "facts": facts(graph.store), "example": None}
    values["is_sample"] = graph.store.path is None
    if offered:
        answer: Answer = graph.related(offered[0].url, by=DEFAULT_METHOD, limit=SHOWN, chop=False)
        (picture,) = draw_answer(graph, answer, [FRAMES["narrow"]], float("inf"))
        values.update(example=offered[0], answer=answer, picture=picture)
    return values


def examples(graph: Graph) -> list[PageSummary]:
    """Well-linked pages of different sites and titles with strong answers, which excludes counters
    and portals.

    If half of the time for the start page is over, the examples found so far must do.
    """
    begun = time.monotonic()
    seen: set[str] = set()
    strong: dict[str, tuple[float, int]] = {}
    for page in most_linked(graph.store, 4 * CANDIDATES).tolist():
        site = graph.site(page, "domain") if host_of(graph.url(page)) else graph.url(page)
        if len(seen) == CANDIDATES or site in seen:
            continue
        if strong and not _has_time(time.monotonic() - begun):
            break
        seen.add(site)
        try:
            best = graph.related(graph.url(page), limit=3, chop=False).results
        except RelatedError:
            continue
        if len(best) == 3:
            name = graph.title(page) or graph.url(page)
            strong.setdefault(name, (best[-1].score, page))
    strongest = sorted(strong.values(), key=lambda one: -one[0])[:EXAMPLES]
    return [graph.summary(page) for _, page in strongest]


def _has_time(seconds: float) -> bool:
    """Whether this thread's query has so many seconds left."""
    try:
        check_time(seconds)
    except OutOfTime:
        return False
    return True
