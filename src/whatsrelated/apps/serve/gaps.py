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
from whatsrelated.apps.mentions.accepted import accepted_links
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.mentions import finder_for, patch_of
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
    path_parameters={
        "limit": Parameter(
            Option(50, "maximum number of rows per other list", low=0, high=MAX_RESULTS, kind=int)
        ),
        "top": dataclasses.replace(_TOP, option=dataclasses.replace(_TOP.option, high=MAX_RESULTS)),
    },
    common=GapOptions,
)


def gaps(call: Call) -> HTTPResponse:
    """The gaps of the site, as JSON."""
    report = _gaps(call)
    limit = call.values().path_values["limit"]
    lists = {kind: getattr(report, kind)[:limit] for kind in KINDS if kind != "missing"}
    reply = GapsReply(
        counts=report.counts(),
        pages=report.pages,
        links=report.links,
        missing=report.missing,
        **lists,
        unchecked_pages=report.unchecked_pages,
        unchecked_links=report.unchecked_links,
        suggested=report.suggested,
        dismissed=report.dismissed,
        notes=report.notes,
    )
    return json_response(reply, cacheable=True)


def gaps_page(call: Call) -> HTTPResponse:
    """The same report as a web page."""
    report = _gaps(call)
    drawn = call.served.derived("map", draw_map)
    accepts = _accepts(call)
    shown: dict[str, Any] = {
        "report": report,
        "accepted": set(accepted_links(patch_of(call))) if accepts else None,
        "lists": report.lists(),
        "kinds": KINDS,
        "map": drawn,
    }
    return html(call, "gaps.html", state=PageState(), cacheable=not accepts, **shown)


def _gaps(call: Call) -> Gaps:
    """The requested report."""
    values = call.values()
    report = gaps_of(
        call.served.graph,
        top=values.path_values["top"],
        places=finder_for(call) if _accepts(call) else None,
        **values.options[""],
    )
    report.notes.extend(limit_notes(call.limits) if call.limits else [])
    return report


def _accepts(call: Call) -> bool:
    """Whether the page shows the place of each link, and a button that accepts it."""
    return call.endpoint.page and call.server.settings.accept_into is not None
