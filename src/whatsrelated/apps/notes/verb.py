"""`related obsidian`: the plug-in for Obsidian, put into a vault."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file

PLUGIN = "whats-related"


@click.command(name="obsidian")
@click.argument("action", type=click.Choice(("install",)))
@click.argument("vault", metavar="VAULT")
def command(action: str, vault: str) -> None:
    """Put the plug-in into a VAULT of Obsidian (`related obsidian install VAULT`), or a newer one.

    It asks the server of the vault: related serve VAULT.
    """
    folder = install(Path(vault))
    click.echo(f"Installed into {folder}.")
    click.echo("Switch it on in Obsidian: Settings, Community plugins, What's Related.")
    click.echo(f"It asks a server on this machine: related serve {vault}")


def install(vault: Path) -> Path:
    """Write the files of the plug-in, each in one step; its settings stay."""
    if not (vault / ".obsidian").is_dir():
        raise OptionError(
            f"obsidian: {vault} is not an Obsidian vault (no .obsidian folder); "
            "open it in Obsidian once first."
        )
    folder = vault / ".obsidian" / "plugins" / PLUGIN
    source = resources.files("whatsrelated.apps.notes").joinpath("obsidian")
    for file in sorted(source.iterdir(), key=lambda one: one.name):
        write_file(folder / file.name, file.read_bytes(), parents=True)
    return folder
