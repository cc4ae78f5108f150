"""`related token`: a fresh token for a client of a server, of which the file keeps the hash."""

from __future__ import annotations

from pathlib import Path

import click

from whatsrelated.apps.serve.tokens import NAME, new_token, read_tables
from whatsrelated.cli.output import say
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import open_own


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
    with open_own(tokens, "ab", private=True) as file:
        file.write((("\n" if there else "") + table).encode())
    click.echo(token)
    say(f"Its hash is in {tokens}; the token is shown only here.")
