"""`/api/gaps` and `/gaps`: suggested fixes for the site's owner.

A report reads the whole graph, so it uses the thread for ranks. It is rejected as soon as it is
clear that it cannot meet the deadline. Its lists are cut to `limit`; the counts are complete.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from whatsrelated.api.asking import limit_notes
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.gaps.findings import KINDS, Gaps
from whatsrelated.apps.gaps.site_gaps import GapOptions
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.page import html
from whatsrelated.apps.serve.parameters import MAX_RESULTS, Parameter, Parameters, parameters_of
from whatsrelated.apps.serve.replies import GapsReply
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.apps.serve.site_map import draw_map
from whatsrelated.apps.serve.state import PageState
from whatsrelated.options import Option

_TOP = parameters_of(GapOptions)["top"]
GAPS = Parameters(
    "gaps",
    own={
        "limit": Parameter(
            Option(50, "maximum number of rows per other list", low=0, high=MAX_RESULTS, kind=int)
        ),
        "top": dataclasses.replace(_TOP, option=dataclasses.replace(_TOP.option, high=MAX_RESULTS)),
    },
    common=GapOptions,
)


def gaps(call: Call) -> HTTPResponse:
    """What the site's owner should fix."""
    found = _gaps(call)
    limit = call.values().own["limit"]
    lists = {kind: getattr(found, kind)[:limit] for kind in KINDS if kind != "missing"}
    reply = GapsReply(
        counts=found.counts(),
        pages=found.pages,
        links=found.links,
        missing=found.missing,
        **lists,
        unchecked_pages=found.unchecked_pages,
        unchecked_links=found.unchecked_links,
        suggested=found.suggested,
        dismissed=found.dismissed,
        notes=found.notes,
    )
    return json_response(reply, cacheable=True)


def gaps_page(call: Call) -> HTTPResponse:
    """The same report as a web page."""
    found = _gaps(call)
    drawn = call.served.derived("map", draw_map)
    shown: dict[str, Any] = {"found": found, "lists": found.lists(), "kinds": KINDS, "map": drawn}
    return html(call, "gaps.html", state=PageState(), cacheable=True, **shown)


def _gaps(call: Call) -> Gaps:
    """The requested report."""
    values = call.values()
    found = gaps_of(call.served.graph, top=values.own["top"], **values.options[""])
    found.notes.extend(limit_notes(call.limits) if call.limits else [])
    return found
