"""`related export`: write a graph as files that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from whatsrelated.apps import export
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.machine.remote import output_url


@click.command(name="export")
@graph_option
@click.option("-o", "--output", required=True, help="The file to write; `-` for standard output.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(export.WRITERS)),
    help="The format, if the output's name does not imply it.",
)
@options_of(export.WRITERS.values())
def command(graph: GraphChoice, output: str, kind: str | None, **options: Any) -> None:
    """Export a graph as links, pages or arrays for other programs."""
    store = graph.open().store
    with ProgressLine() as progress:
        written = export.export(store, Path(output), kind, progress=progress, **drop_unset(options))
    say(f"{output_url(written) or written}: {store.n_pages:,} pages, {store.n_links:,} links")
