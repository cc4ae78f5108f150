"""`related info`: show the size of a graph, its degrees, and how it was built."""

from __future__ import annotations

import shutil
import sys

import click
from click.formatting import wrap_text

from whatsrelated.cli.output import clean, print_json
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.graph.facts import facts


@click.command(name="info")
@graph_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(graph: GraphChoice, as_json: bool) -> None:
    """Describe a graph: its size, its degrees, and how it was built."""
    store = graph.open().store
    description = facts(store)
    if as_json:
        print_json(description)
        return
    degrees = description.pop("degrees")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    for name, value in description.items():
        text = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        value = format(text, ",") if isinstance(text, int) else clean(text)
        line = f"{name.replace('_', ' '):<18}{value}"
        click.echo(wrap_text(line, width, subsequent_indent=" " * 18) if width else line)
    click.echo("degrees           pages by links in and out")
    for row in degrees:
        click.echo(f"  {row['degree']:>15}  in {row['in']:>12,}  out {row['out']:>12,}")
