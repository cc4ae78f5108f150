"""Options of the command line, made from the tables where they are declared."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from whatsrelated.options import Option, declared_options

if TYPE_CHECKING:
    from whatsrelated.api import Graph

F = TypeVar("F", bound=Callable[..., Any])

graph_option = click.option(
    "--graph",
    "-g",
    metavar="FOLDER",
    help="The graph; else $RELATED_GRAPH, else ./web.graph. `sample` is the sample Web.",
)


def open_graph(path: str | None) -> Graph:
    """The graph that a command is asked of."""
    from whatsrelated import api

    chosen = chosen_graph(path)
    if chosen is None:
        from whatsrelated import sample

        return api.Graph.from_pages(sample.pages())
    return api.open(chosen)


def chosen_graph(path: str | None) -> Path | None:
    """The folder of that graph; None for the sample Web, which has none."""
    chosen = path or os.environ.get("RELATED_GRAPH") or "web.graph"
    return None if chosen == "sample" and not Path(chosen).exists() else Path(chosen)


def options_of(owners: Iterable[type]) -> Callable[[F], F]:
    """A click option for every declared option of these, each name once."""
    declared: dict[str, tuple[Option, list[str]]] = {}
    for owner in owners:
        for name, told in declared_options(owner).items():
            called = getattr(owner, "family", "") or getattr(owner, "name", "")
            listed = declared.setdefault(name, (told, []))[1]
            listed.extend([called] if called not in listed else [])

    def decorate(function: F) -> F:
        for name, (told, methods) in reversed(declared.items()):
            function = _option(name, told, methods)(function)
        return function

    return decorate


def _option(name: str, told: Option, methods: list[str]) -> Callable[[F], F]:
    flag = "--" + name.replace("_", "-")
    of = (
        f" [{', '.join(methods)}]" if methods not in ([], ["related"], ["build"], ["serve"]) else ""
    )
    symbol = f" ({told.symbol})" if told.symbol else ""
    if told.kind is bool:
        return click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=told.sentence + of)
    kind = click.Choice(told.choices) if told.choices else None
    several = told.kind is tuple
    default = "" if told.default is None or several else f"; default {told.default}"
    return click.option(
        flag,
        name,
        type=kind,
        default=None,
        multiple=several,
        metavar="PAGE" if several else None if told.choices else told.kind.__name__.upper(),
        help=f"{told.sentence}{symbol}{default}{of}",
    )


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The options that were given on the command line."""
    return {name: value for name, value in values.items() if value not in (None, ())}
