"""`related similarity`: show how similar pages are, as a table, heat map, picture, JSON or CSV."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.heat import heat_map, save_picture
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import clean, print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import GraphChoice, by_option, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.methods import METHODS
from whatsrelated.query.request import SimilarityRequest
from whatsrelated.query.similarity import DEFAULT_MEASURE, Similarity, measures


@click.command(name="similarity", cls=LongCommand)
@click.argument(
    "pages", nargs=-1, required=True, metavar="PAGE PAGE...", shell_complete=complete_pages
)
@graph_option
@by_option(DEFAULT_MEASURE, f"The method: one of {', '.join(measures())}.")
@click.option("--json", "as_json", is_flag=True, help="Print the matrix as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the matrix as CSV.")
@click.option("--heat", is_flag=True, help="Print a heat map instead of numbers.")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Save a heat map as a picture, such as heat.png (needs whatsrelated[plots]).",
)
@options_of([SimilarityRequest, *map(METHODS.__getitem__, measures())])
def command(
    pages: tuple[str, ...],
    graph: GraphChoice,
    by: str,
    as_json: bool,
    as_csv: bool,
    heat: bool,
    picture: Path | None,
    **options: Any,
) -> int:
    """Show how similar pages are, pair by pair; a row holds the scores for one page.

    With -, read the pages from standard input, one per line.
    """
    opened = graph.open()
    with ProgressLine() as progress:
        alike = opened.similarity(
            _read_pages(pages), by=by, progress=progress, **drop_unset(options)
        )
    if picture is not None:
        save_picture(alike, picture)
    if as_json:
        print_json(alike.reply())
    elif as_csv:
        rows = zip(alike.urls, alike.rows(), strict=True)
        print_csv(["url", *alike.urls], ([url, *row] for url, row in rows))
    else:
        for note in alike.notes:
            say(note)
        print_matrix(alike, heat)
    return 0


def _read_pages(pages: tuple[str, ...]) -> list[str]:
    if pages != ("-",):
        return list(pages)
    return [line.strip() for line in sys.stdin if line.strip()]


def print_matrix(alike: Similarity, heat: bool) -> None:
    """Print numbered pages, with a column for each number."""
    if heat:
        for number, (line, url) in enumerate(zip(heat_map(alike), alike.urls, strict=True), 1):
            click.echo(f"{number:>4} {line} {clean(url)}")
        return
    numbers = [str(number) for number in range(1, len(alike) + 1)]
    rows = [
        [number, *("–" if score is None else clean(score) for score in row), url]
        for number, row, url in zip(numbers, alike.rows(), alike.urls, strict=True)
    ]
    print_table(["#", *numbers, "page"], rows)
