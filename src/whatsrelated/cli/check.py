"""`related check`: verify every byte of a graph, and check that both directions of its links
agree."""

from __future__ import annotations

import click

from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.errors import GraphFormatError


@click.command(name="check")
@graph_option
def command(graph: GraphChoice) -> None:
    """Verify every file of a graph against its checksum, and check that links in and out agree."""
    store = graph.open().store
    fault = store.check()
    if fault:
        raise GraphFormatError(f"{store.path or 'The graph'}: {fault}; build it again.")
    click.echo(f"{store.n_pages:,} pages and {store.n_links:,} links: no damage found.")
