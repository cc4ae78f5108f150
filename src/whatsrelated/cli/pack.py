"""`related pack`: the links of a graph in fewer bytes, or as plain arrays again."""

from __future__ import annotations

import click

from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.errors import OptionError
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store


@click.command(name="pack")
@graph_option
@click.option("--plain", is_flag=True, help="Unpack: store links as plain arrays again.")
def command(graph: GraphChoice, plain: bool) -> None:
    """Pack the links of a graph: the same answers from a fifth to three fifths of the bytes."""
    old = graph.open().store
    if old.path is None:
        raise OptionError("pack: the sample Web is in memory; name a graph on disk with --graph.")
    if old.is_packed != plain:
        say(f"{old.path} has {'plain' if plain else 'packed'} links already.")
        return
    new = repack(old.path, packed=not plain)
    click.echo(
        f"{new.path}: {new.n_links:,} links, "
        f"{_bytes_a_link(old):.2f} -> {_bytes_a_link(new):.2f} bytes a link"
    )


def _bytes_a_link(store: Store) -> float:
    size = sum(store.arrays[name].nbytes for name in store.link_arrays)
    return size / max(store.n_links, 1)
