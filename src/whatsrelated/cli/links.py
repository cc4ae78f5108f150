"""`related links`: the neighbours of a page, in the order that the graph keeps."""

from __future__ import annotations

import click

from whatsrelated.cli.output import print_json, print_table
from whatsrelated.cli.parameters import graph_option, open_graph


@click.command(name="links")
@click.argument("page")
@graph_option
@click.option("--in", "incoming", is_flag=True, help="Only the pages that link to it.")
@click.option("--out", "outgoing", is_flag=True, help="Only the pages it links to, in page order.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(page: str, graph: str | None, incoming: bool, outgoing: bool, as_json: bool) -> None:
    """Who links to PAGE (the most linked-to first), and where it links to (in page order)."""
    opened = open_graph(graph)
    number = opened.page(page)
    both = incoming == outgoing
    found = {}
    if incoming or both:
        found["in"] = opened.links_to(number).tolist()
    if outgoing or both:
        found["out"] = opened.links_from(number).tolist()
    if as_json:
        named = {way: [opened.url(other) for other in pages] for way, pages in found.items()}
        print_json({"url": opened.url(number), **named})
        return
    arrows = {"in": "<-", "out": "->"}
    rows = [
        [arrows[way], opened.url(other), opened.title(other)]
        for way, pages in found.items()
        for other in pages
    ]
    print_table(["", "page", "title"], rows)
