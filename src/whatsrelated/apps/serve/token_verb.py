"""`related token`: create an access token; the file stores only its hash."""

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
    help="The file to which the token's hash is added.",
)
@click.option("--graphs", metavar="NAME,NAME...", help="The graphs it may query; all by default.")
@click.option("--read-only", is_flag=True, help="Reject its changes, even with serve --writable.")
def command(name: str, tokens: Path, graphs: str | None, read_only: bool) -> None:
    """Create a token for NAME, and add its hash to the file that related serve --tokens reads.

    The token itself is printed and not stored.  To revoke it, delete its table in the file.
    """
    listed = [graph.strip() for graph in (graphs or "").split(",") if graph.strip()]
    for graph in listed:
        if not NAME.fullmatch(graph.removesuffix(".graph")):
            raise OptionError(f"token: {graph!r:.80} is not a valid graph name.")
    exists = tokens.exists()
    if exists and name in read_tables(tokens):
        raise OptionError(f"token: {tokens} has a token for {name:.80}; delete its table first.")
    token, table = new_token(name, listed, read_only=read_only)
    with open_own(tokens, "ab", private=True) as file:
        file.write((("\n" if exists else "") + table).encode())
    click.echo(token)
    say(f"Added its hash to {tokens}; the token will not be shown again.")
