"""`related config`: which options are set, and where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from whatsrelated.cli import config_files as files
from whatsrelated.cli.output import print_json, print_table, say
from whatsrelated.cli.parameters import DeclaredOption
from whatsrelated.cli.verbs import VERBS
from whatsrelated.errors import OptionError
from whatsrelated.options import declared_options


@click.command(name="config")
@click.argument("verb", required=False, metavar="[VERB]")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(verb: str | None, as_json: bool) -> int:
    """Show which options are set by files or the environment, and where.

    With VERB, show every option of that verb, including defaults.
    """
    settings = files.read(VERBS)
    rows = []
    commands = dict(_commands(verb))
    if verb is not None and verb not in commands:
        raise OptionError(f"config: no verb {verb!r:.80}{files.nearest(verb, VERBS)}")
    for name, one in commands.items():
        files.defaults(name, one, settings)  # also checks the tables of subcommands
        for row in _rows(name, one, files.settings_of(name, one, settings)):
            if verb is not None or row[2] != "default":
                rows.append(row)
    if verb is None:
        files.refuse_unknown(settings, commands.values())
    if as_json:
        keys = ("option", "value", "from")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
        return 0
    for file in files.files():
        say(f"{file}: {'read' if file.is_file() else 'not found'}")
    if rows:
        print_table(["option", "value", "from"], rows)
    return 0


def _commands(verb: str | None) -> Iterator[tuple[str, click.Command]]:
    """Every verb that can be loaded, or one verb; each with its subcommands."""
    name = (verb or "").partition(" ")[0]
    verbs = VERBS.by_name() if verb is None else {name: VERBS[name]} if name in VERBS else {}
    for name, command in verbs.items():
        yield name, command
        for below, one in files.commands_of(command).items():
            yield f"{name} {below}", one


def _rows(
    verb: str, command: click.Command, chosen: dict[str, files.Setting]
) -> Iterator[list[Any]]:
    """Each option, its value, and the source of the value."""
    for spelled, option in files.options_of(command).items():
        name = f"{verb}.{spelled}"
        variables = files.environment_names(verb, option)
        if variable := next(filter(os.environ.get, variables), None):
            yield [name, os.environ[variable], f"${variable}"]
        elif option.name in chosen:
            setting = chosen[str(option.name)]
            yield [name, setting.value, str(setting.file)]
        else:
            yield [name, _default(option), "default"]


def _default(option: click.Option) -> Any:
    """The default as JSON; None if it differs between methods."""
    default = option.default() if callable(option.default) else option.default
    if isinstance(option, DeclaredOption):
        declared = {declared_options(owner)[str(option.name)].default for owner in option.owners}
        default = declared.pop() if len(declared) == 1 else None
    elif option.is_flag and not option.secondary_opts:
        return default is True
    return default if isinstance(default, str | int | float | list | tuple) else None
