"""`related links`: list the neighbours of a page, in stored order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.output import print_json, print_table
from whatsrelated.cli.parameters import GraphChoice, graph_option

if TYPE_CHECKING:
    from whatsrelated.api import Graph

ARROWS = {"in": "<-", "out": "->"}


@click.command(name="links")
@click.argument("page", shell_complete=complete_pages)
@graph_option
@click.option("--in", "incoming", is_flag=True, help="List only the pages that link to it.")
@click.option(
    "--out", "outgoing", is_flag=True, help="List only the pages it links to, in page order."
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(page: str, graph: GraphChoice, incoming: bool, outgoing: bool, as_json: bool) -> None:
    """List the pages that link to PAGE (most linked first) and the pages it links to."""
    opened = graph.open()
    number = opened.page(page)
    both = incoming == outgoing
    neighbours = {}
    if incoming or both:
        neighbours["in"] = opened.links_to(number).tolist()
    if outgoing or both:
        neighbours["out"] = opened.links_from(number).tolist()
    texts = {way: link_texts(opened, number, way, pages) for way, pages in neighbours.items()}
    has_texts = opened.store.column("anchors") is not None
    if as_json:
        named = {way: [opened.url(other) for other in pages] for way, pages in neighbours.items()}
        print_json({"url": opened.url(number), **named, **({"texts": texts} if has_texts else {})})
        return
    head = ["way", "page", "title", *(["text of the link"] if has_texts else [])]
    rows = [
        [ARROWS[way], opened.url(other), opened.title(other), text][: len(head)]
        for way, pages in neighbours.items()
        for other, text in zip(pages, texts[way], strict=True)
    ]
    print_table(head, rows)


def link_texts(graph: Graph, page: int, way: str, others: list[int]) -> list[str | None]:
    """The anchor texts of the links between a page and others, if the graph stores them."""
    if way == "in":
        url = graph.url(page)
        return [graph.anchors(other).get(url) for other in others]
    anchors = graph.anchors(page)
    return [anchors.get(graph.url(other)) for other in others]
