"""The options of a build are the same on one machine and on many, and reach what builds."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click
import pytest

from whatsrelated import api
from whatsrelated.apps import spark
from whatsrelated.apps.spark.verb import build_command as spark_build
from whatsrelated.cli.build import command as build
from whatsrelated.cli.build_options import build_options, build_settings
from whatsrelated.names.naming import Naming
from whatsrelated.options import declared_options
from whatsrelated.sources import settings


def parameters(command: click.Command) -> dict[str, tuple[list[str], str | None]]:
    """The names of each parameter of a command, and what it says of it."""
    return {
        str(one.name): (one.opts, getattr(one, "help", None))
        for one in command.params
        if not isinstance(one, click.Argument)
    }


@pytest.mark.parametrize(("command", "function"), [(build, api.build), (spark_build, spark.build)])
def test_every_option_reaches_the_function(
    command: click.Command, function: Callable[..., Any]
) -> None:
    shared = parameters(click.command(build_options(lambda: None)))
    assert shared.items() <= parameters(command).items()
    unset = {name: None for name in shared if name not in ("output", "files_from")}
    given = build_settings({**unset, "kind": "edges", "unordered": True, "least_parents": 2})
    assert given == {"format": "edges", "ordered": False, "least_parents": 2}
    declared = {name for owner in (Naming, *settings()) for name in declared_options(owner)}
    own = {"format", "ordered", *unset} - {"kind", "unordered"} - declared
    assert own <= set(inspect.signature(function).parameters)
