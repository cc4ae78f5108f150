"""What the page shows is its URL: read from it, checked, and written with changes.

`/?url=…&by=…&with=…&limit=…`: `with` names further methods to compare; every
option has its own name, as in the API; an empty value is the default.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from whatsrelated import ranks
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS, method_named
from whatsrelated.options import Option, declared_options
from whatsrelated.query.filters import Filters
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.ranks import rank_named
from whatsrelated.server.questions import MOST_TEXT, Query, options_over_http, queries_of

SIDE_BY_SIDE = 4
SHOWN_APART = ("limit", "new")
"""Options that stand beside the box, not among the others."""


@dataclass(frozen=True)
class State:
    """The pages asked for, the method, those to compare it with, and options as typed."""

    urls: tuple[str, ...] = ()
    by: str = DEFAULT_METHOD
    compared: tuple[str, ...] = ()
    typed: dict[str, str] = field(default_factory=dict)
    picture: bool = False

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> State:
        """The state that the fields of a URL say; empty ones say nothing."""
        urls: dict[str, None] = {}
        compared: dict[str, None] = {}
        typed: dict[str, str] = {}
        by, picture = DEFAULT_METHOD, False
        for name, value in pairs:
            value = value.strip()
            if not value:
                continue
            if name == "url":
                urls[value] = None
            elif name == "by":
                by = method_named(value).name
            elif name == "with":
                compared[method_named(value).name] = None
            elif name == "picture":
                picture = value == "1"
            else:
                typed[name] = value
        compared.pop(by, None)
        if len(compared) >= SIDE_BY_SIDE:
            raise OptionError(f"At most {SIDE_BY_SIDE} methods stand side by side.")
        known = set(options_over_http(Request))
        for name in (by, *compared):
            known.update(options_over_http(method_named(name)))
        kept = {name: value for name, value in typed.items() if name in known}
        return cls(tuple(urls), by, tuple(compared), kept, picture)

    @property
    def methods(self) -> tuple[str, ...]:
        return (self.by, *self.compared)

    @property
    def set_apart(self) -> int:
        """How many options are set among those that are folded away."""
        return sum(name not in SHOWN_APART for name in self.typed)

    def queries(self) -> list[Query]:
        """The question to each of the methods."""
        return queries_of({"url": list(self.urls), "why": True, **self.typed}, self.methods)

    def link(self, **changes: Any) -> str:
        """The address of this state with changes; None takes a field away."""
        fields: list[tuple[str, str]] = []
        urls = changes.pop("url", self.urls)
        for url in [urls] if isinstance(urls, str) else urls:
            fields.append(("url", url))
        by = changes.pop("by", self.by)
        if by != DEFAULT_METHOD:
            fields.append(("by", by))
        fields += [("with", name) for name in changes.pop("compared", self.compared)]
        picture = changes.pop("picture", self.picture)
        typed = {**self.typed, **changes}
        fields += [(name, str(value)) for name, value in typed.items() if value not in (None, "")]
        if picture:
            fields.append(("picture", "1"))
        return "/?" + urlencode(fields) if fields else "/"

    def controls(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The options to choose from: a heading each for every query and for each method."""
        every = options_over_http(Request)
        filters = declared_options(Filters)
        groups = [
            ("Leave out", {name: every[name] for name in filters}),
            ("Every method", every),
        ]
        groups += [(name, options_over_http(method_named(name))) for name in self.methods]
        seen: set[str] = {*SHOWN_APART, "stop"}
        found = []
        for heading, options in groups:
            fresh = {name: told for name, told in options.items() if name not in seen}
            seen.update(fresh)
            if fresh:
                listed = [control(name, told, self.typed.get(name)) for name, told in fresh.items()]
                found.append((heading, listed))
        return found


def control(name: str, told: Option, typed: str | None) -> dict[str, Any]:
    """An option as an element of a form."""
    shape: dict[str, Any] = {"kind": "text", "most": MOST_TEXT}
    if told.choices or told.kind is bool:
        shape = {"kind": "select", "choices": told.choices or ("true", "false")}
    elif not told.words and told.kind in (int, float):
        step = "1" if told.kind is int else "any"
        low = None if told.open_low else told.low
        shape = {"kind": "number", "low": low, "high": told.high, "step": step}
    default = "as the graph has it" if told.default is None else _shown(told.default)
    return {
        "name": name,
        "label": name.replace("_", " "),
        "sentence": told.sentence,
        "symbol": told.symbol,
        "default": default,
        "value": typed or "",
        **shape,
    }


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def method_list() -> list[tuple[str, str]]:
    """Every method with the first line of what it does."""
    return [(name, _first_line(method_named(name))) for name in METHODS]


def rank_list() -> list[tuple[str, str]]:
    """Every rank with the first line of what it does."""
    return [(name, _first_line(rank_named(name))) for name in ranks.RANKS]


def _first_line(owner: type) -> str:
    return (owner.__doc__ or "").partition("\n")[0]
