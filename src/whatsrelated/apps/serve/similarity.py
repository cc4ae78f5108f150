"""`/api/similarity`: how alike pages are, two by two."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from whatsrelated.api.asking import DEFAULT_MEASURE, SimilarityRequest
from whatsrelated.apps.serve.answers import URLS
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import MOST_URLS, OwnerChoice, Parameters
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.methods import METHODS
from whatsrelated.options import Option


def _compares(method: Any) -> bool:
    return bool(method.compares)


SIMILARITY = Parameters(
    "similarity",
    own={
        "url": dataclasses.replace(
            URLS, option=Option(None, f"a page, by its URL or name; two to {MOST_URLS} of them")
        )
    },
    choice=OwnerChoice(METHODS, DEFAULT_MEASURE, "the method that compares", _compares),
    common=SimilarityRequest,
)


def similarity(call: Call) -> HTTPResponse:
    """The matrix of the pages: a row is what the list of one gives the others."""
    values = call.values()
    by, stopping = values.own["by"], call.time_to_stop()
    alike = call.served.graph.similarity(
        values.own["url"], by=by, deadline=stopping, **values.options[by]
    )
    return json_response(alike.reply(), cacheable=time.monotonic() < stopping)
