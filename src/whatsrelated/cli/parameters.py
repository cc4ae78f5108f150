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

EVERYONE = ("", "related", "build", "serve")
"""Whose options are not of one method, rank or reader: they are not named."""

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


class DeclaredOption(click.Option):
    """An option of the command line that `owners` declare: methods, ranks, readers and so on."""

    def __init__(self, *words: Any, owners: tuple[type, ...], **more: Any) -> None:
        super().__init__(*words, **more)
        self.owners = owners


def options_of(owners: Iterable[type]) -> Callable[[F], F]:
    """A click option for every declared option of these, each name once."""
    declared: dict[str, dict[str, Option]] = {}
    declaring: dict[str, tuple[type, ...]] = {}
    for owner in owners:
        called = getattr(owner, "family", "") or getattr(owner, "name", "")
        for name, told in declared_options(owner).items():
            declared.setdefault(name, {}).setdefault(called, told)
            declaring[name] = (*declaring.get(name, ()), owner)

    def decorate(function: F) -> F:
        for name, told in reversed(declared.items()):
            function = _option(name, told, declaring[name])(function)
        return function

    return decorate


def _option(name: str, told: dict[str, Option], owners: tuple[type, ...]) -> Callable[[F], F]:
    """One option of all that have it, by their names."""
    flag = "--" + name.replace("_", "-")
    first = next(iter(told.values()))
    if first.kind is bool:
        return click.option(
            f"{flag}/--no-{flag[2:]}",
            name,
            cls=DeclaredOption,
            owners=owners,
            default=None,
            help=_help(told),
        )
    return click.option(
        flag,
        name,
        cls=DeclaredOption,
        owners=owners,
        type=click.Choice(first.choices) if first.choices else None,
        default=None,
        multiple=first.kind is tuple or first.lines,
        metavar=None if first.choices else _metavar(told),
        help=_help(told),
    )


def _metavar(told: dict[str, Option]) -> str:
    kinds = {one.kind for one in told.values()}
    kind = float if float in kinds else next(iter(told.values())).kind
    words = dict.fromkeys(word for one in told.values() for word in one.words)
    return "|".join(["PAGE" if kind is tuple else kind.__name__.upper(), *words])


def _help(told: dict[str, Option]) -> str:
    """What an option is, to each that has it: they may differ in the default, and in all."""
    said: dict[str, dict[str, list[str]]] = {}
    symbols = {one.sentence: f" ({one.symbol})" for one in told.values() if one.symbol}
    for called, one in told.items():
        symbol = symbols.get(one.sentence, "")
        plain = one.default is None or one.kind in (bool, tuple)
        default = "" if plain else f"default {one.default}"
        said.setdefault(one.sentence + symbol, {}).setdefault(default, []).append(called)
    everyone = all(called in EVERYONE for called in told)
    parts = []
    for sentence, defaults in said.items():
        for default, names in defaults.items():
            sentence += f"; {default}" if default else ""
            sentence += "" if everyone else f" [{', '.join(names)}]"
        parts.append(sentence)
    return "; or ".join(parts)


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The options that were given on the command line."""
    return {name: value for name, value in values.items() if value not in (None, ())}
