"""`/api/common`: the pages that link to most of several pages, or that most of these link to."""

from __future__ import annotations

from whatsrelated.api.asking import WAYS
from whatsrelated.apps.serve.answers import URLS
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import MOST_RESULTS, MOST_URLS, Parameter, Parameters
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.options import Option

COMMON = Parameters(
    "common",
    own={
        "url": URLS,
        "way": Parameter(
            Option("in", "pages that link to these, or that these link to", choices=WAYS)
        ),
        "without_links_to": Parameter(
            Option((), "leave out who links to this page already; with way=out, what it links to"),
            most=MOST_URLS,
            pages=True,
        ),
        "least": Parameter(
            Option(
                0,
                "with how many of the pages; 0 for more than half of them",
                low=0,
                high=MOST_URLS,
                kind=int,
            )
        ),
        "limit": Parameter(
            Option(100, "how many pages are wanted", low=1, high=MOST_RESULTS, kind=int)
        ),
    },
)


def common(call: Call) -> HTTPResponse:
    """The common neighbours of several pages."""
    own = call.values().own
    found = call.served.graph.common(
        own["url"],
        own["way"],
        without=own["without_links_to"],
        least=own["least"],
        limit=own["limit"],
    )
    return json_response(found.reply(), cacheable=True)
