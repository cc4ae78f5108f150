"""What a request asks, checked: every parameter has a bound, and a wrong one a sentence.

A query is the same over HTTP as in Python: `url` (several for pages related to
all of them), `by`, `why`, and every option by its own name.  Options come from
the methods' tables; where an option has no upper bound of its own, it has one
here, because others pay for what is asked.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from whatsrelated.errors import OptionError
from whatsrelated.methods import method_named
from whatsrelated.names.canonical import MAX_BYTES
from whatsrelated.options import Option, declared_options
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.server.replies import Wrong

MOST_FIELDS = 200
MOST_URLS = 20
MOST_TEXT = 1000
MOST_RESULTS = 1000
STOP = re.compile(r"auto:[0-9]{1,4}")

URL = Option(None, f"a page, by its URL or name; up to {MOST_URLS} for pages related to all")
BY = Option(DEFAULT_METHOD, "the method that answers")
WHY = Option(False, "whether to give the reasons for every result", kind=bool)


def fields(query: bytes) -> list[tuple[str, str]]:
    """The names and values of a query string, as they come."""
    try:
        return parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except UnicodeDecodeError:
        raise Wrong(400, "The query string is not UTF-8, percent-encoded.") from None
    except ValueError:
        raise Wrong(400, f"The query string has more than {MOST_FIELDS} fields.") from None


def single(pairs: Iterable[tuple[str, str]], repeated: frozenset[str]) -> dict[str, Any]:
    """The fields by name: a list for those that may be repeated, one value for the others."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in repeated:
            found.setdefault(name, []).append(value)
        elif name in found:
            raise OptionError(f"{name!r:.80} is given twice; give it once.")
        else:
            found[name] = value
    return found


def taken(found: Mapping[str, Any], options: Mapping[str, Option], owner: str) -> dict[str, Any]:
    """The values of these options, defaults where they are not given; others are refused."""
    for name in found:
        if name not in options:
            raise OptionError(f"{owner} has no option {name!r:.80}; it has: {', '.join(options)}.")
    return {
        name: within(option, found.get(name), owner, name)
        if name in found or name == "url"
        else option.default
        for name, option in options.items()
    }


def within(option: Option, value: Any, owner: str, name: str) -> Any:
    """`value` in the option's own type, within what is allowed over HTTP."""
    if name == "url":
        return checked_urls(value)
    if option.kind is tuple:
        return tuple(checked_urls(value))
    if isinstance(value, str) and len(value) > MOST_TEXT:
        raise OptionError(f"{owner}: {name} may have {MOST_TEXT:,} characters, got {len(value):,}.")
    if isinstance(value, list | dict):
        raise OptionError(f"{owner}: {name} must be one value, got {value!r:.80}.")
    return option.checked(value, owner, name)


def options_over_http(owner: type) -> dict[str, Option]:
    """The options of a method or of every query, each with an upper bound."""
    if owner not in _over_http:
        declared = declared_options(owner)
        _over_http[owner] = {name: _bounded(name, told) for name, told in declared.items()}
    return _over_http[owner]


_over_http: dict[type, dict[str, Option]] = {}


def _bounded(name: str, told: Option) -> Option:
    if name == "limit":
        return dataclasses.replace(told, high=MOST_RESULTS)
    if name == "max_rounds":
        return dataclasses.replace(told, high=told.default)
    if told.high is None and told.kind in (int, float):
        room = 2**53 if name == "seed" else max(10_000, 10 * (told.default or 0))
        return dataclasses.replace(told, high=room)
    return told


@dataclasses.dataclass(frozen=True, slots=True)
class Query:
    """One question: pages, a method, its options, and whether reasons are wanted."""

    urls: list[str]
    by: str
    options: dict[str, Any]
    why: bool = False


REPEATED = frozenset(["url"])
LISTS = frozenset(["teleport"])
"""Options that are a list of pages: one field for each."""


def query_of(found: Mapping[str, Any], by: str | None = None) -> Query:
    """The query that these fields ask."""
    rest = dict(found)
    urls = checked_urls(rest.pop("url", None))
    method = method_named(_text(rest.pop("by", by or DEFAULT_METHOD), "by"))
    why = WHY.checked(rest.pop("why", False), "related", "why")
    common, own = options_over_http(Request), options_over_http(method)
    options = {}
    for name, value in rest.items():
        told = common.get(name) or own.get(name)
        if told is None:
            listed = ", ".join([*own, *common])
            raise OptionError(f"{method.name} has no option {name!r:.80}; it has: {listed}.")
        if name == "stop" and not STOP.fullmatch(str(value)):
            raise OptionError(f"{method.name}: stop must be auto:N, got {value!r:.80}.")
        options[name] = within(told, value, method.name, name)
    return Query(urls, method.name, options, why)


MOST_COMPARED = 10
"""How many methods may stand side by side."""


def queries_of(found: Mapping[str, Any], methods: Sequence[str]) -> list[Query]:
    """The same query to several methods: an option is given to each that has it."""
    named = list(dict.fromkeys(methods))
    if not named:
        raise OptionError("compare: no method was named; give by=, such as by=companion,lli.")
    if len(named) > MOST_COMPARED:
        raise OptionError(f"compare: at most {MOST_COMPARED} methods, got {len(named):,}.")
    own = {name: {*options_over_http(method_named(name))} for name in named}
    every = {"url", "why", *options_over_http(Request)}
    for name in found:
        if name not in every.union(*own.values()):
            listed = ", ".join(sorted(every.union(*own.values()) - {"url", "why"}))
            raise OptionError(f"compare has no option {name!r:.80}; it has: {listed}.")
    return [
        query_of({k: v for k, v in found.items() if k in every or k in own[name]}, by=name)
        for name in named
    ]


def checked_urls(urls: Any, most: int = MOST_URLS) -> list[str]:
    """The pages that are asked for: at least one, and not too many."""
    listed = [urls] if isinstance(urls, str) else urls
    if not isinstance(listed, list) or not listed:
        raise OptionError("related: no page was asked for; give url=, a URL or a name.")
    if len(listed) > most:
        raise OptionError(f"related: at most {most} url at a time, got {len(listed):,}.")
    for url in listed:
        if not isinstance(url, str) or not url.strip():
            raise OptionError("related: url must be the URL or the name of a page, got none.")
        if len(url) > MAX_BYTES:
            raise Wrong(400, f"A URL may have {MAX_BYTES:,} characters, got {len(url):,}.")
    return listed


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise OptionError(f"related: {name} must be a name, got {value!r:.80}.")
    return value
