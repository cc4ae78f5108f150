"""Command-line options shared by every build, on one machine or a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from whatsrelated import sources
from whatsrelated.api.building import BuildOptions
from whatsrelated.cli.parameters import READ_TEXT, options_of

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
        type=READ_TEXT,
        multiple=True,
        help="A file that lists sources, one per line; `-` for standard input; may be repeated.",
    ),
)


def build_options(kind: type[BuildOptions]) -> Callable[[F], F]:
    """Add a build's arguments and options: sources, output, build options and reader options."""

    def decorate(function: F) -> F:
        function = options_of([kind, *sources.settings()])(function)
        for declare in reversed(DECLARED):
            function = declare(function)
        return function

    return decorate
