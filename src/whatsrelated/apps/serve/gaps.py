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
    shown: dict[str, Any] = {
        "report": report,
        "lists": report.lists(),
        "kinds": KINDS,
        "map": drawn,
    }
    return html(call, "gaps.html", state=PageState(), cacheable=True, **shown)


def _gaps(call: Call) -> Gaps:
    """The requested report."""
    values = call.values()
    report = gaps_of(call.served.graph, top=values.path_values["top"], **values.options[""])
    report.notes.extend(limit_notes(call.limits) if call.limits else [])
    return report
