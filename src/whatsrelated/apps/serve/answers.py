"""Queries: `/api/related` for one query, or a list of queries by POST, and `/api/compare`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from whatsrelated import Answer, Comparison
from whatsrelated.api.asking import DEFAULT_METHOD, MAX_WEIGHTED, Request, read_weights
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import MAX_URLS, OwnerChoice, Parameter, Parameters, Values
from whatsrelated.apps.serve.pool import Late
from whatsrelated.apps.serve.replies import AnswersReply, ErrorReply
from whatsrelated.apps.serve.responses import HTTPResponse, json_response, problem
from whatsrelated.contract.replies import AnswerReply
from whatsrelated.errors import OptionError, RelatedError
from whatsrelated.methods import METHODS
from whatsrelated.options import Option, declared_options

MAX_QUERIES = 100
"""Maximum number of queries in one POST."""
MAX_COMPARED = 10
"""Maximum number of methods to compare."""

URLS = Parameter(
    Option(None, f"a page, by URL or name; up to {MAX_URLS} pages"),
    max_count=MAX_URLS,
    pages=True,
    required=True,
)
WEIGHTED_URLS = Parameter(
    Option(
        None,
        f"a page, by URL or name, or URL:WEIGHT; up to {MAX_WEIGHTED} pages",
    ),
    max_count=MAX_WEIGHTED,
    pages=True,
    required=True,
)
UNLIKE = Parameter(
    Option(None, "a page to move away from, or URL:WEIGHT; may be repeated"),
    max_count=MAX_URLS,
    pages=True,
)
WHY = Parameter(Option(False, "include the reasons for every result", kind=bool))

CHOICE = OwnerChoice(METHODS, DEFAULT_METHOD, "the method to use")

RELATED = Parameters(
    "related",
    path_parameters={"url": WEIGHTED_URLS, "unlike": UNLIKE, "why": WHY},
    choice=CHOICE,
    common=Request,
)
COMPARE = Parameters(
    "compare",
    path_parameters={"url": URLS, "why": WHY},
    choice=OwnerChoice(
        METHODS, None, "the methods, repeated or separated by commas", max_count=MAX_COMPARED
    ),
    common=Request,
)


def related(call: Call) -> HTTPResponse:
    """Pages related to one page, or to several together."""
    values = call.values()
    answer, cacheable = answer_one(call, values)
    return json_response(answer.reply(values.path_values["why"]), cacheable=cacheable)


def related_to_each(call: Call) -> HTTPResponse:
    """The answers to a list of queries; a query that fails has an error instead."""
    try:
        body = msgspec.json.decode(call.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"The body is not JSON: {error}.") from None
    queries = body.get("queries") if isinstance(body, dict) else None
    if not isinstance(queries, list) or set(body) != {"queries"}:
        raise OptionError('The body must be {"queries": [{"url": …}, …]}.')
    if len(queries) > MAX_QUERIES:
        raise OptionError(f"Send at most {MAX_QUERIES} queries at a time, got {len(queries):,}.")
    if not all(isinstance(each, dict) for each in queries):
        raise OptionError('Each query must be an object, such as {"url": …, "by": …}.')
    return json_response(AnswersReply(answers=[_one_of_many(call, each) for each in queries]))


def _one_of_many(call: Call, fields: dict[str, Any]) -> AnswerReply | ErrorReply:
    try:
        if time.monotonic() >= call.deadline:
            raise Late
        values = RELATED.read(fields)
        return answer_one(call, values)[0].reply(values.path_values["why"])
    except (RelatedError, Late) as error:
        return ErrorReply(problem(error))


def compare(call: Call) -> HTTPResponse:
    """Where each method ranks the pages, which pages the methods share, and how well they agree."""
    values = call.values()
    comparison, cacheable = compare_methods(call, values)
    return json_response(comparison.reply(values.path_values["why"]), cacheable=cacheable)


def compare_methods(call: Call, values: Values) -> tuple[Comparison, bool]:
    """The answers of several methods, and whether they are reproducible."""
    urls = values.path_values["url"]
    answers = [ask_method(call, urls, by, options) for by, options in values.options.items()]
    comparison = Comparison(tuple(values.options), tuple(answer for answer, _ in answers))
    return comparison, all(cacheable for _, cacheable in answers)


def answer_one(call: Call, values: Values) -> tuple[Answer, bool]:
    """The answer of the chosen method, and whether it is reproducible."""
    by = values.path_values["by"]
    unlike = values.path_values.get("unlike") or ()
    return ask_method(call, values.path_values["url"], by, values.options[by], unlike)


def ask_method(
    call: Call,
    urls: Sequence[str],
    by: str,
    options: dict[str, Any],
    unlike: Sequence[str] = (),
) -> tuple[Answer, bool]:
    """A method's answer, and whether it is reproducible."""
    options = {**call.server.settings.of_queries(), **options}
    store = call.served.graph.store
    pages, away = read_weights(store, urls), read_weights(store, unlike)
    if call.server.stored_answers is not None and not away:
        graph = call.served.graph
        stored = call.server.stored_answers.answer(graph, list(urls), graph.asker(by, **options))
        if stored is not None:
            return stored, True
    note = None
    if call.overloaded:
        options, note = _sample_fewer(call, by, options)
    stopping = call.time_to_stop()
    answer = call.served.graph.related(pages, by=by, unlike=away, deadline=stopping, **options)
    if answer.options["pairs"]:  # do not reveal the folder
        answer.options["pairs"] = Path(answer.options["pairs"]).name
    if note:
        answer.notes.append(note)
        call.sampled_fewer = True
    return answer, note is None and time.monotonic() < stopping


def _sample_fewer(
    call: Call, by: str, options: dict[str, Any]
) -> tuple[dict[str, Any], str | None]:
    """Use a smaller B if the server is busy, as DH99 suggest (sec. 4.3)."""
    max_parents = call.server.settings.busy_parents
    declared = declared_options(METHODS[by]).get("parents")
    if declared is None or options.get("parents", declared.default) <= max_parents:
        return options, None
    note = f"The server is busy, so only {max_parents:,} of the pages that link to it were sampled."
    return {**options, "parents": max_parents}, note
