"""The options that every build of a graph has, on one machine or on many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from whatsrelated import sources
from whatsrelated.cli.parameters import drop_unset, options_of
from whatsrelated.graph.packing import STORES
from whatsrelated.names.naming import Naming

F = TypeVar("F", bound=Callable[..., Any])

DECLARED = (
    click.argument("paths", nargs=-1, metavar="SOURCE..."),
    click.option(
        "-o",
        "--output",
        default="web.graph",
        show_default=True,
        help="The folder of the new graph.",
    ),
    click.option(
        "--files-from",
        multiple=True,
        help="A file with the path of a source on each line, `-` for standard input; "
        "may be repeated.",
    ),
    click.option("--format", "kind", help="The format of the sources, if it is not recognised."),
    click.option(
        "--names-file",
        multiple=True,
        help="A file with the names of the pages that the sources number; may be repeated.",
    ),
    click.option(
        "--text", is_flag=True, help="Store the counts of the first 1,000 words of every page."
    ),
    click.option("--unordered", is_flag=True, help="The links of the sources are in no order."),
    click.option(
        "--strict", is_flag=True, help="Stop at the first bad line instead of counting it."
    ),
    click.option(
        "--allow-empty", is_flag=True, help="Build the graph even if the sources have no links."
    ),
    click.option(
        "--least-parents",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Leave out pages that were not read and have no links, if fewer than so many others "
        "link to them.",
    ),
    click.option(
        "--keep",
        type=click.IntRange(1),
        help="How many generations of the graph to keep, this one included; by default as many "
        "as now.",
    ),
    click.option(
        "--store",
        type=click.Choice(STORES),
        default="auto",
        show_default=True,
        help="How links are stored: plain; packed, in a fifth to three fifths of the bytes; or, if "
        "there are many, packed.",
    ),
)


def build_options(function: F) -> F:
    """What every build takes."""
    function = options_of([Naming, *sources.settings()])(function)
    for declare in reversed(DECLARED):
        function = declare(function)
    return function


def build_settings(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a command as the arguments of a function that builds."""
    given = drop_unset(options)
    return {"format": given.pop("kind", None), "ordered": not given.pop("unordered"), **given}
