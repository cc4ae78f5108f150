"""`/api/similarity`: how alike pages are, two by two."""

from __future__ import annotations

import time
from typing import Any

from whatsrelated.methods import method_named
from whatsrelated.options import Option
from whatsrelated.query.similarity import DEFAULT_MEASURE, Comparing, measures
from whatsrelated.server import questions
from whatsrelated.server.replies import Reply, json_reply
from whatsrelated.server.route import Ask

COMPARED = {
    "url": Option(None, f"a page, by its URL or name; two to {questions.MOST_URLS} of them"),
    "by": Option(DEFAULT_MEASURE, "the method that compares", choices=tuple(measures())),
}


def similarity(ask: Ask) -> Reply:
    """The matrix of the pages: a row is what the list of one gives the others."""
    found: dict[str, Any] = ask.fields()
    asked = {name: found.pop(name) for name in COMPARED if name in found}
    route = questions.taken(asked, COMPARED, "similarity")
    method = method_named(route["by"])
    known = {**questions.options_over_http(method), **questions.options_over_http(Comparing)}
    options = questions.taken(found, known, method.name)
    stopping = time.monotonic() + 0.8 * (ask.deadline - time.monotonic())
    graph = ask.serving.graph
    alike = graph.similarity(route["url"], by=method.name, deadline=stopping, **options)
    return json_reply(alike.as_dict(), keep=time.monotonic() < stopping)


def all_options() -> dict[str, Option]:
    """Every option by name, as the first method that has it declares it."""
    found = dict(questions.options_over_http(Comparing))
    for name in measures():
        for option, told in questions.options_over_http(method_named(name)).items():
            found.setdefault(option, told)
    return found
