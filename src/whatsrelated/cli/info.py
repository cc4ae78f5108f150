"""`related info`: the size of a graph, its degrees, how it was built, what it costs."""

from __future__ import annotations

import click

from whatsrelated.cli.output import print_json
from whatsrelated.cli.parameters import graph_option, open_graph
from whatsrelated.graph.facts import facts


@click.command(name="info")
@graph_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(graph: str | None, as_json: bool) -> None:
    """Describe a graph: its size, its degrees, and how it was built."""
    store = open_graph(graph).store
    description = facts(store)
    if as_json:
        print_json(description)
        return
    degrees = description.pop("degrees")
    for name, value in description.items():
        text = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        click.echo(
            f"{name.replace('_', ' '):<18}{text:,}"
            if isinstance(text, int)
            else f"{name.replace('_', ' '):<18}{text}"
        )
    click.echo("degrees           pages by links in and out")
    for row in degrees:
        click.echo(f"  {row['degree']:>15}  in {row['in']:>12,}  out {row['out']:>12,}")
