"""`related obsidian`: install the Obsidian plug-in into a vault."""

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
    """Install or update the Obsidian plug-in in VAULT: related obsidian install VAULT.

    The plug-in queries a server for the vault: related serve VAULT.
    """
    folder = install(Path(vault))
    click.echo(f"Installed into {folder}.")
    click.echo("Enable it in Obsidian: Settings, Community plugins, What's Related.")
    click.echo(f"It needs a server on this machine: related serve {vault}")


def install(vault: Path) -> Path:
    """Write the plug-in's files atomically; its settings are kept."""
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
