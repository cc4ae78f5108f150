"""Queries: `/api/related` for one, or for a list of them by POST; `/api/compare`."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from whatsrelated.errors import OptionError, RelatedError
from whatsrelated.methods import method_named
from whatsrelated.options import Option, declared_options
from whatsrelated.query.answer import Answer
from whatsrelated.query.comparison import Comparison
from whatsrelated.server.pool import Late
from whatsrelated.server.questions import URL, Query, queries_of, query_of
from whatsrelated.server.replies import Reply, json_reply, problem
from whatsrelated.server.route import Ask

MOST_QUERIES = 100
"""How many queries one POST may hold."""


def related(ask: Ask) -> Reply:
    """The pages related to a page, or to all of several."""
    query = query_of(ask.fields())
    answer, keep = answered(ask, query)
    return json_reply(answer.as_dict(query.why), keep=keep)


def related_to_each(ask: Ask) -> Reply:
    """The answers to a list of queries, an error in the place of each that has none."""
    try:
        body = msgspec.json.decode(ask.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"The body is not JSON: {error}.") from None
    queries = body.get("queries") if isinstance(body, dict) else None
    if not isinstance(queries, list) or set(body) != {"queries"}:
        raise OptionError('The body must be {"queries": [{"url": …}, …]}.')
    if len(queries) > MOST_QUERIES:
        raise OptionError(f"At most {MOST_QUERIES} queries at a time, got {len(queries):,}.")
    if not all(isinstance(each, dict) for each in queries):
        raise OptionError('Each query must be an object, such as {"url": …, "by": …}.')
    return json_reply({"version": 1, "answers": [_one_of_many(ask, each) for each in queries]})


def _one_of_many(ask: Ask, found: dict[str, Any]) -> dict[str, Any]:
    try:
        if time.monotonic() >= ask.deadline:
            raise Late
        query = query_of(found)
        return answered(ask, query)[0].as_dict(query.why)
    except (RelatedError, Late) as error:
        return {"error": problem(error)}


COMPARED = {
    "url": URL,
    "by": Option(None, "the methods, repeated or with commas between them"),
}


def compare(ask: Ask) -> Reply:
    """Where each method puts the pages, what the methods share, and how far they agree."""
    found = ask.fields("by")
    named = [name.strip() for each in found.pop("by", []) for name in each.split(",")]
    queries = queries_of(found, [name for name in named if name])
    answers = [answered(ask, query) for query in queries]
    comparison = Comparison(
        tuple(query.by for query in queries), tuple(answer for answer, _ in answers)
    )
    return json_reply(comparison.as_dict(), keep=all(keep for _, keep in answers))


def answered(ask: Ask, query: Query) -> tuple[Answer, bool]:
    """The answer to a query, and whether asking again would give the same."""
    options, note = query.options, None
    if ask.thin:
        options, note = _thinned(ask, query)
    if ask.server.settings.stop and "stop" not in options:
        options = {**options, "stop": ask.server.settings.stop}
    stopping = time.monotonic() + 0.8 * (ask.deadline - time.monotonic())
    answer = ask.serving.graph.related(query.urls, by=query.by, deadline=stopping, **options)
    if note:
        answer.notes.append(note)
        ask.thinned = True
    return answer, note is None and time.monotonic() < stopping


def _thinned(ask: Ask, query: Query) -> tuple[dict[str, Any], str | None]:
    """A smaller B where the server is busy: DH99's own remedy (sec. 4.5)."""
    most = ask.server.settings.busy_parents
    told = declared_options(method_named(query.by)).get("parents")
    if told is None or query.options.get("parents", told.default) <= most:
        return query.options, None
    note = f"The server is busy: at most {most:,} parents were sampled."
    return {**query.options, "parents": most}, note
