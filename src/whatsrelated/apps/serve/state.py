"""The state of the web page is its URL, which is read, checked and rewritten here.

`/?url=…&by=…&with=…&limit=…`: `with` names further methods to compare. `show` selects the list (the
answer, or shared neighbours), `view` the picture, and `add` requests one more query page. Options
have the same names as in the API. An empty value means the default. Links are relative, so the page
works under any path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from whatsrelated.api.asking import DEFAULT_METHOD, Filters, Request
from whatsrelated.apps.serve.answers import COMPARE
from whatsrelated.apps.serve.lookups import summary_line
from whatsrelated.apps.serve.parameters import (
    MAX_TEXT,
    Parameter,
    Values,
    parameters_of,
    present_fields,
)
from whatsrelated.contract.strength import GRADES, least_strength
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import Option, declared_options
from whatsrelated.registry import Registry

SIDE_BY_SIDE = 4
OUTSIDE_FORM = ("limit", "new", "min_strength")
"""Options shown next to the method or the results instead of in the folded section."""
SHOWN = {"show": ("", "in", "out", "path"), "view": ("", "hubs"), "add": ("", "1")}
"""Fields that control what the page shows, and their allowed values."""


@dataclass(frozen=True)
class PageState:
    """The query pages, the method, methods to compare, and options as typed."""

    urls: tuple[str, ...] = ()
    by: str = DEFAULT_METHOD
    compared: tuple[str, ...] = ()
    typed: dict[str, str] = field(default_factory=dict)
    show: str = ""
    view: str = ""
    add: str = ""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> PageState:
        """The state in the fields of a URL; empty fields count as absent."""
        urls: dict[str, None] = {}
        compared: dict[str, None] = {}
        typed: dict[str, str] = {}
        by = DEFAULT_METHOD
        for name, value in pairs:
            value = value.strip()
            if not value or (name == "min_strength" and value == "0"):
                continue
            if name == "url":
                urls[value] = None
            elif name == "by":
                by = _method(value)
            elif name == "with":
                compared[_method(value)] = None
            else:
                typed[name] = value
        compared.pop(by, None)
        if len(compared) >= SIDE_BY_SIDE:
            raise OptionError(f"At most {SIDE_BY_SIDE} methods can be shown side by side.")
        owners: list[type] = [Request, *(METHODS[name] for name in (by, *compared))]
        known = {name: each for owner in owners for name, each in parameters_of(owner).items()}
        fields = present_fields(typed, known, "related")
        options = {name: value for name, value in fields.items() if name in known}
        shown = {name: typed[name] for name, may in SHOWN.items() if typed.get(name) in may}
        return cls(tuple(urls), by, tuple(compared), options, **shown)

    @property
    def methods(self) -> tuple[str, ...]:
        return (self.by, *self.compared)

    @property
    def changed(self) -> int:
        """The number of options that are set in the folded section."""
        return sum(name not in OUTSIDE_FORM for name in self.typed)

    @property
    def may_cut(self) -> bool:
        """Whether the results have strengths by which the list can be cut."""
        return bool(METHODS[self.by].percent) and not self.compared

    @property
    def least_strength(self) -> float:
        """The minimum strength as a number."""
        typed = self.typed.get("min_strength", "0")
        return least_strength(typed if typed in GRADES else float(typed))

    def values(self) -> Values:
        """The checked query for each of the methods."""
        return COMPARE.read({"url": list(self.urls), "by": list(self.methods), **self.typed})

    def link(self, **changes: Any) -> str:
        """The URL of this state with changes; None removes a field."""
        fields: list[tuple[str, str]] = []
        urls = changes.pop("url", self.urls)
        for url in [urls] if isinstance(urls, str) else urls:
            fields.append(("url", url))
        by = changes.pop("by", self.by)
        if by != DEFAULT_METHOD:
            fields.append(("by", by))
        fields += [("with", name) for name in changes.pop("compared", self.compared)]
        shown = {"show": self.show, "view": self.view, "add": ""}
        typed = {**self.typed, **shown, **changes}
        fields += [(name, str(value)) for name, value in typed.items() if value not in (None, "")]
        return "./?" + urlencode(fields) if fields else "./"

    def to(self, url: str) -> str:
        """The URL of the answer for another page, by the same method."""
        return self.link(url=url, show="")

    def file(self, path: str) -> str:
        """The URL of the picture as a file or as JSON."""
        fields = [("url", url) for url in self.urls] + [("by", self.by), *self.typed.items()]
        return f"{path}?{urlencode([*fields, ('view', self.view or 'answer')])}"

    def hidden(self) -> list[tuple[str, str]]:
        """Hidden form fields that preserve the state: the views."""
        return [
            (name, value) for name, value in (("show", self.show), ("view", self.view)) if value
        ]

    def controls(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The options to choose from, under a heading for every query and for each method."""
        every = parameters_of(Request)
        filters = declared_options(Filters)
        groups: list[tuple[str, Mapping[str, Parameter]]] = [
            ("Filters", {name: every[name] for name in filters if name in every}),
            ("Every method", every),
            *((name, parameters_of(METHODS[name])) for name in self.methods),
        ]
        seen: set[str] = {*OUTSIDE_FORM, "stop", "known"}
        shown = []
        for heading, options in groups:
            fresh = {name: each.option for name, each in options.items() if name not in seen}
            seen.update(fresh)
            if fresh:
                typed = self.typed
                listed = [control(name, each, typed.get(name)) for name, each in fresh.items()]
                shown.append((heading, listed))
        return shown


def _method(name: str) -> str:
    """The checked name of a method."""
    METHODS[name]
    return name


def control(name: str, option: Option, typed: str | None) -> dict[str, Any]:
    """An option as a form element."""
    shape: dict[str, Any] = {"kind": "text", "most": MAX_TEXT}
    if option.choices or option.kind is bool:
        shape = {"kind": "select", "choices": option.choices or ("true", "false")}
    elif not option.words and option.kind in (int, float):
        step = "1" if option.kind is int else "any"
        low = None if option.open_low else option.low
        shape = {"kind": "number", "low": low, "high": option.high, "step": step}
    default = "depends on the graph" if option.default is None else _shown(option.default)
    return {
        "name": name,
        "label": name.replace("_", " "),
        "sentence": option.sentence,
        "symbol": option.symbol,
        "default": default,
        "value": typed or "",
        **shape,
    }


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def summaries(registry: Registry[Any]) -> list[tuple[str, str]]:
    """All entries of a registry by name, with the first line of each docstring."""
    return [(name, summary_line(owner)) for name, owner in registry.by_name().items()]
