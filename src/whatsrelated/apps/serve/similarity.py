"""`/api/similarity`: how similar pages are, pair by pair."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from whatsrelated.api.asking import DEFAULT_MEASURE, SimilarityRequest
from whatsrelated.apps.serve.answers import URLS
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import MAX_URLS, OwnerChoice, Parameters
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.methods import METHODS
from whatsrelated.options import Option


def _compares(method: Any) -> bool:
    return bool(method.compares)


SIMILARITY = Parameters(
    "similarity",
    path_parameters={
        "url": dataclasses.replace(
            URLS, option=Option(None, f"a page, by URL or name; two to {MAX_URLS} pages")
        )
    },
    choice=OwnerChoice(METHODS, DEFAULT_MEASURE, "the method to use", _compares),
    common=SimilarityRequest,
)


def similarity(call: Call) -> HTTPResponse:
    """The similarity matrix; a row holds the scores for one page."""
    values = call.values()
    by, stopping = values.path_values["by"], call.time_to_stop()
    alike = call.served.graph.similarity(
        values.path_values["url"], by=by, deadline=stopping, **values.options[by]
    )
    return json_response(alike.reply(), cacheable=time.monotonic() < stopping)
