"""`related pack`: compress a graph's links, or turn them back into plain arrays."""

from __future__ import annotations

import click

from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.errors import OptionError
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store


@click.command(name="pack")
@graph_option
@click.option("--plain", is_flag=True, help="Unpack: store the links as plain arrays.")
def command(graph: GraphChoice, plain: bool) -> None:
    """Compress the links of a graph to between 20% and 60% of their size; answers stay the same."""
    old = graph.open().store
    if old.path is None:
        raise OptionError("pack: the sample Web is not on disk; name another graph with --graph.")
    if old.is_packed != plain:
        say(f"{old.path} already has {'plain' if plain else 'packed'} links.")
        return
    new = repack(old.path, packed=not plain)
    click.echo(
        f"{new.path}: {new.n_links:,} links, "
        f"{_bytes_a_link(old):.2f} -> {_bytes_a_link(new):.2f} bytes per link"
    )


def _bytes_a_link(store: Store) -> float:
    size = sum(store.arrays[name].nbytes for name in store.link_arrays)
    return size / max(store.n_links, 1)
