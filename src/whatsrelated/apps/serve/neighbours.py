"""`/api/common`: the neighbours that several pages share."""

from __future__ import annotations

from whatsrelated.api.asking import WAYS
from whatsrelated.apps.serve.answers import URLS
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import MAX_RESULTS, MAX_URLS, Parameter, Parameters
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.options import Option

COMMON = Parameters(
    "common",
    path_parameters={
        "url": URLS,
        "way": Parameter(
            Option("in", "pages that link to these, or that these link to", choices=WAYS)
        ),
        "without_links_to": Parameter(
            Option((), "leave out pages that link to this one; with way=out, pages it links to"),
            max_count=MAX_URLS,
            pages=True,
        ),
        "least": Parameter(
            Option(
                0,
                "minimum number of the pages that share it; 0 for more than half",
                low=0,
                high=MAX_URLS,
                kind=int,
            )
        ),
        "limit": Parameter(
            Option(100, "maximum number of pages", low=1, high=MAX_RESULTS, kind=int)
        ),
    },
)


def common(call: Call) -> HTTPResponse:
    """The neighbours that several pages share."""
    values = call.values().path_values
    shared = call.served.graph.common(
        values["url"],
        values["way"],
        without=values["without_links_to"],
        least=values["least"],
        limit=values["limit"],
    )
    return json_response(shared.reply(), cacheable=True)
