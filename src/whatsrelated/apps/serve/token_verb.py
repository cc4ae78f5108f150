"""`related token`: a fresh token for a client of a server, of which the file keeps the hash."""

from __future__ import annotations

import os
from pathlib import Path

import click

from whatsrelated.apps.serve.tokens import NAME, new_token, read_tables
from whatsrelated.cli.output import say
from whatsrelated.errors import OptionError


@click.command(name="token")
@click.argument("name")
@click.option(
    "--tokens",
    type=click.Path(dir_okay=False, path_type=Path),
    default="tokens.toml",
    show_default=True,
    help="The file that its hash is added to.",
)
@click.option("--graphs", metavar="NAME,NAME...", help="The graphs that it may ask; else all.")
def command(name: str, tokens: Path, graphs: str | None) -> None:
    """Make a token for NAME, and add its hash to the file that related serve --tokens reads.

    The token itself is printed, and kept nowhere.  To withdraw it, delete its table in the file.
    """
    listed = [graph.strip() for graph in (graphs or "").split(",") if graph.strip()]
    for graph in listed:
        if not NAME.fullmatch(graph.removesuffix(".graph")):
            raise OptionError(f"token: {graph!r:.80} is no name of a graph.")
    there = tokens.exists()
    if there and name in read_tables(tokens):
        raise OptionError(f"token: {tokens} has a token of {name:.80}; delete its table first.")
    token, table = new_token(name, listed)
    _append(tokens, ("\n" if there else "") + table)
    click.echo(token)
    say(f"Its hash is in {tokens}; the token is shown only here.")


def _append(file: Path, text: str) -> None:
    """Add to a file that only its owner may read; a link is not followed."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(file, flags, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
