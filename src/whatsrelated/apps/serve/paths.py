"""`/api/path`: the shortest chains of links between pages."""

from __future__ import annotations

import dataclasses

from whatsrelated.api.asking import PathRequest
from whatsrelated.apps.serve.answers import URLS
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import MAX_URLS, Parameters
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.options import Option

PATH = Parameters(
    "path",
    path_parameters={
        "url": dataclasses.replace(
            URLS, option=Option(None, f"a page, by URL or name; two to {MAX_URLS} pages, in order")
        )
    },
    common=PathRequest,
)


def path(call: Call) -> HTTPResponse:
    """The shortest chains of links from each page to the next."""
    values = call.values()
    paths = call.served.graph.path(*values.path_values["url"], **values.options[""])
    return json_response(paths.reply(), cacheable=True)
