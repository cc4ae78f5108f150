"""`related compare`: several methods side by side."""

from __future__ import annotations

from typing import Any

import click

from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import GraphChoice, by_option, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.methods import METHODS
from whatsrelated.query.comparison import Comparison
from whatsrelated.query.request import DEFAULT_METHOD, Request

USUAL = f"{DEFAULT_METHOD},cocitation,companion,extended-cocitation,lli"


@click.command(name="compare", cls=LongCommand)
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...", shell_complete=complete_pages)
@graph_option
@by_option(USUAL, f"Methods to compare, separated by commas: {', '.join(METHODS)}.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print positions, overlap and answers as JSON."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print every page and its positions as CSV.")
@options_of([Request, *METHODS.values()])
def command(
    pages: tuple[str, ...],
    graph: GraphChoice,
    by: str,
    as_json: bool,
    as_csv: bool,
    **options: Any,
) -> int:
    """Show where each method ranks the pages related to PAGE, and how much the methods agree.

    An option applies to every method that has it.
    """
    methods = [name.strip() for name in by.split(",") if name.strip()]
    opened = graph.open()
    with ProgressLine() as progress:
        comparison = opened.compare(
            list(pages), by=methods, progress=progress, **drop_unset(options)
        )
    if as_json:
        print_json(comparison.reply())
    elif as_csv:
        rows = ([row.url, row.title or "", *map(_place, row.places)] for row in comparison.rows())
        print_csv(["url", "title", *comparison.methods], rows)
    else:
        print_comparison(comparison)
    return 0 if comparison.rows() else 1


def print_comparison(comparison: Comparison) -> None:
    """Print each page's position, then the shared pages and agreement of each pair of methods."""
    for note in dict.fromkeys(note for answer in comparison.answers for note in answer.notes):
        say(note)
    rows = comparison.rows()
    if not rows:
        say("No related pages found.")
        return
    print_table(
        [*comparison.methods, "page", "title"],
        [[*map(_place, row.places), row.url, row.title] for row in rows],
    )
    click.echo()
    print_table(["shared, agreement", *comparison.methods], _overlaps(comparison))


def _overlaps(comparison: Comparison) -> list[list[str]]:
    shared, agreement = comparison.shared(), comparison.agreement()
    rows = []
    for i, name in enumerate(comparison.methods):
        alike = (_share(value) for value in agreement[i])
        pairs = zip(shared[i], alike, strict=True)
        rows.append([name, *(f"{count} {share}".rstrip() for count, share in pairs)])
    return rows


def _place(place: int | None) -> str:
    return "" if place is None else str(place)


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
