"""`related common`: the neighbours that several pages share."""

from __future__ import annotations

import click

from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.errors import OptionError


@click.command(name="common")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...", shell_complete=complete_pages)
@graph_option
@click.option("--in", "incoming", is_flag=True, help="List the pages that link to most of them.")
@click.option("--out", "outgoing", is_flag=True, help="List the pages that most of them link to.")
@click.option(
    "--without-links-to",
    "without",
    metavar="PAGE",
    multiple=True,
    help="Leave out pages that already link to PAGE; with --out, pages that PAGE links to.",
)
@click.option(
    "--least",
    type=click.IntRange(0),
    default=0,
    help="Number of the pages that must share a neighbour; more than half by default.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Maximum number of pages to print.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV.")
def command(
    pages: tuple[str, ...],
    graph: GraphChoice,
    incoming: bool,
    outgoing: bool,
    without: tuple[str, ...],
    least: int,
    limit: int,
    as_json: bool,
    as_csv: bool,
) -> int:
    """List the pages that link to most of PAGE... (--in), or that most of them link to (--out).

    Pages with few links come first. Use --without-links-to ME to find pages that link to similar
    pages but not to ME.
    """
    if incoming and outgoing:
        raise OptionError("common: use --in or --out, not both.")
    way = "out" if outgoing else "in"
    common = graph.open().common(list(pages), way, without=list(without), least=least, limit=limit)
    rows = [
        [page.shared, page.links_to_it, page.links_from_it, page.url, page.title or ""]
        for page in common
    ]
    if as_json:
        print_json(common.reply())
    elif as_csv:
        print_csv(["shared", "in", "out", "url", "title"], rows)
    else:
        for note in common.notes:
            say(note)
        if rows:
            print_table(["shared", "in", "out", "page", "title"], rows)
        if common.found > len(rows):
            say(f"Showing {len(rows):,} of {common.found:,} pages; use --limit to see more.")
        if not rows:
            say("No pages found.")
    return 0 if rows else 1
