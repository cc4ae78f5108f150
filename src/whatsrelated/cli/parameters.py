"""Create command-line options from their declarations."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from whatsrelated.cli.candidates import complete_methods
from whatsrelated.errors import PageNotFound
from whatsrelated.options import Bytes, FilePaths, Formerly, Option, declared_options

if TYPE_CHECKING:
    from whatsrelated.api import Graph

F = TypeVar("F", bound=Callable[..., Any])
Completion = Callable[[click.Context, click.Parameter, str], list[str]]

EVERYONE = (
    *("", "related", "similarity", "pages", "path", "build", "update", "spark", "spark build"),
    *("crawl", "gaps", "mcp", "serve", "site", "study"),
)
"""Owners that help does not name, because they are not a single method, rank or reader."""


@dataclass(frozen=True)
class GraphChoice:
    """The graph that a command works on, and how to open it: `--graph` and its companions.

    A server keeps this choice, since other threads reopen the graph when it has changed.
    """

    path: str | None = None
    verify: str = "lazy"
    generation: int | None = None

    def at(self, path: str | None) -> GraphChoice:
        """This choice with another path, if one is given."""
        return replace(self, path=path) if path else self

    @property
    def is_given(self) -> bool:
        """Whether the graph was named on the command line, not by $RELATED_GRAPH."""
        return self.path is not None and self.path != os.environ.get("RELATED_GRAPH")

    @property
    def folder(self) -> Path | None:
        """The folder of the graph; None for the sample Web, which is not on disk."""
        name = self.path or os.environ.get("RELATED_GRAPH") or "web.graph"
        return None if name == "sample" and not Path(name).exists() else Path(name)

    def open(self) -> Graph:
        """Open the graph."""
        from whatsrelated import api, kernels

        kernels.faults.exit_on_bus_error()
        if self.folder is None:
            return api.open("sample")
        return api.open(self.folder, verify=self.verify, generation=self.generation)


def by_option(
    default: str, sentence: str, complete: Completion = complete_methods
) -> Callable[[F], F]:
    """Add `--by`: the methods or ranks that a command uses."""
    return click.option(
        "--by", shell_complete=complete, default=default, show_default=True, help=sentence
    )


def report_option(sentence: str) -> Callable[[F], F]:
    """`--report`, the HTML page that a command writes."""
    path = click.Path(dir_okay=False)
    return click.option("--report", type=path, metavar="FILE", help=sentence)


def graph_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--graph`, `--generation` and `--verify` to a command, as one `GraphChoice`."""

    @wraps(command)
    def with_graph(*, graph: str | None, verify: str, generation: int | None, **values: Any) -> Any:
        try:
            return command(graph=GraphChoice(graph, verify, generation), **values)
        except PageNotFound as error:
            if not error.nearest:
                named = f" -g {graph}" if graph else ""
                error.add_note(
                    f"related pages{named} lists all pages; add words to search names and titles."
                )
            raise

    verified = click.option(
        "--verify",
        cls=RareOption,
        type=click.Choice(("full", "lazy", "none")),
        default="lazy",
        envvar="RELATED_VERIFY",
        help="When to verify checksums: full, always; lazy, only if quick or if a file has "
        "changed; none, never.",
    )
    named = click.option(
        "--graph",
        "-g",
        metavar="FOLDER",
        envvar="RELATED_GRAPH",
        help="The graph; $RELATED_GRAPH or ./web.graph by default. `sample` is the sample Web.",
    )
    older = click.option(
        "--generation",
        cls=RareOption,
        type=click.IntRange(1),
        help="Query an older generation of the graph, if it was kept (see update --keep).",
    )
    return named(older(verified(with_graph)))


class ReadText(click.types.StringParamType):
    """The type of an option whose value is not a path, or is a path that is only read.

    A value of any other text option may name an output; see `config_files`.
    """


READ_TEXT = ReadText()


class RareOption(click.Option):
    """An option of a verb that only `--help-all` lists."""


class ChangingOption(click.Option):
    """An option that changes or deletes the user's data; only the user may set it.

    The `related.toml` of a project may not set it; see `config_files`.
    """


class DeclaredOption(click.Option):
    """A command-line option declared by `owners`: methods, ranks, readers and so on."""

    def __init__(
        self, *words: Any, owners: tuple[type, ...], formerly: Formerly, **more: Any
    ) -> None:
        super().__init__(*words, **more)
        self.owners, self.formerly = owners, formerly
        declared = [declared_options(owner).get(self.name or "") for owner in owners]
        self.common = any(one is not None and one.common for one in declared)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Also accept former names, which help does not show."""
        super().add_to_parser(parser, ctx)
        for name, meanings in self.formerly.items():
            word = name.replace("_", "-")
            if self.is_flag and not any(isinstance(value, str) for value in meanings):
                for flag, value in ((f"--{word}", True), (f"--no-{word}", False)):
                    const = meanings.get(value, value)
                    parser.add_option(self, [flag], self.name, "store_const", const=const)
            else:
                action = "append" if self.multiple else "store"
                parser.add_option(self, [f"--{word}"], self.name, action)

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """The value of the option's environment variable, which may have a former name."""
        value = super().resolve_envvar_value(ctx)
        former = (f"{ctx.auto_envvar_prefix}_{name.upper()}" for name in self.formerly)
        return value or next(filter(None, map(os.environ.get, former)), None)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The value converted to the option's type.

        A former value is replaced by the current one.
        """
        for meanings in self.formerly.values():
            value = meanings.get(value, value) if isinstance(value, str) else value
        return super().type_cast_value(ctx, value)


def options_of(owners: Iterable[type], without: Collection[str] = ()) -> Callable[[F], F]:
    """One click option per name for the options that `owners` declare, except those in
    `without`.
    """
    declarations: dict[str, dict[str, Option]] = {}
    declaring: dict[str, tuple[type, ...]] = {}
    for owner in owners:
        owner_name = getattr(owner, "family", "") or getattr(owner, "name", "")
        for name, declared in declared_options(owner).items():
            if name in without:
                continue
            declarations.setdefault(name, {}).setdefault(owner_name, declared)
            declaring[name] = (*declaring.get(name, ()), owner)

    def decorate(function: F) -> F:
        for name, by_owner in reversed(declarations.items()):
            function = _option(name, by_owner, declaring[name])(function)
        return function

    return decorate


def _option(name: str, by_owner: dict[str, Option], owners: tuple[type, ...]) -> Callable[[F], F]:
    """The click option for a name that several owners may share."""
    flag = "--" + name.replace("_", "-")
    first = next(iter(by_owner.values()))
    settings: dict[str, Any] = {
        "cls": DeclaredOption,
        "owners": owners,
        "formerly": {old: new for one in by_owner.values() for old, new in one.formerly.items()},
        "default": None,
        "help": option_help(by_owner),
    }
    if first.kind is bool:
        return click.option(f"{flag}/--no-{flag[2:]}", name, **settings)
    read_text = READ_TEXT if all(one.only_read for one in by_owner.values()) else None
    return click.option(
        flag,
        name,
        type=click.Choice(first.choices) if first.choices else read_text,
        multiple=first.kind in (tuple, FilePaths) or first.lines,
        metavar=None if first.choices else _metavar(by_owner),
        **settings,
    )


def _metavar(by_owner: dict[str, Option]) -> str:
    kinds = {one.kind for one in by_owner.values()}
    kind = float if float in kinds else next(iter(by_owner.values())).kind
    words = dict.fromkeys(word for one in by_owner.values() for word in one.words)
    return "|".join([_METAVARS.get(kind, kind.__name__.upper()), *words])


_METAVARS = {tuple: "PAGE", Bytes: "SIZE", FilePaths: "PATH"}


def option_help(by_owner: dict[str, Option]) -> str:
    """The help of an option: a sentence, the paper's symbol and the default.

    Owners may have different defaults, or different sentences and defaults.
    """
    meanings: dict[str, dict[str, list[str]]] = {}
    symbols = {one.sentence: f" ({one.symbol})" for one in by_owner.values() if one.symbol}
    for owner, one in by_owner.items():
        plain = one.default is None or one.default is False or one.kind in (tuple, FilePaths)
        default = "" if plain else "true" if one.default is True else str(one.default)
        meanings.setdefault(one.sentence, {}).setdefault(default, []).append(owner)
    everyone = all(owner in EVERYONE for owner in by_owner)
    parts = []
    for sentence, defaults in meanings.items():
        parts.append(f"{sentence[0].upper()}{sentence[1:]}{symbols.get(sentence, '')}.")
        shown = [
            default if everyone else f"{default} ({', '.join(owners)})"
            for default, owners in defaults.items()
            if default
        ]
        notes = [f"default: {', '.join(shown)}"] if shown else []
        notes += [", ".join(defaults[""])] if "" in defaults and not everyone else []
        parts += [f"[{'; '.join(notes)}]"] if notes else []
    return " ".join(parts)


def drop_unset(values: dict[str, Any]) -> dict[str, Any]:
    """The options that the user set."""
    return {name: value for name, value in values.items() if value not in (None, ())}
