"""`related rank`: show the best pages of a graph, or compare several ranks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated.cli.candidates import complete_ranks
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import GraphChoice, by_option, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import output_file
from whatsrelated.machine.packages import load
from whatsrelated.query.rankings import DEFAULT_RANK
from whatsrelated.ranks import RANKS
from whatsrelated.ranks.comparison import PERSISTENCE, RankComparison, compare_ranks

if TYPE_CHECKING:
    from whatsrelated.ranks.ranking import Ranking

BATCH = 1 << 18
"""Number of pages written to Parquet at a time."""


@click.command(name="rank", cls=LongCommand)
@graph_option
@by_option(DEFAULT_RANK, f"The rank: one of {', '.join(RANKS)}.", complete_ranks)
@click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="Number of pages to print."
)
@click.option("--hubs", is_flag=True, help="Print the best hubs instead of the best authorities.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print position, score, URL and title as CSV.")
@click.option("--parquet", metavar="FILE", help="Write the scores of all pages to this file.")
@click.option(
    "--compare",
    metavar="RANK,RANK...",
    shell_complete=complete_ranks,
    help="Compare these ranks: their cost, their agreement, and where each puts the first rank's "
    "best pages.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="With --compare, plot convergence to a file such as ranks.png "
    "(needs whatsrelated[plots]).",
)
@click.option(
    "--persistence",
    type=float,
    default=PERSISTENCE,
    show_default=True,
    help="With --compare, the persistence p of rank-biased overlap.",
)
@click.option("--accept", is_flag=True, help="Return the scores even if they did not converge.")
@click.option(
    "--threads",
    type=click.IntRange(1),
    help="Number of threads; one per processor by default.",
)
@options_of(RANKS.values())
def command(
    graph: GraphChoice,
    by: str,
    top: int,
    hubs: bool,
    as_json: bool,
    as_csv: bool,
    parquet: str | None,
    compare: str | None,
    picture: Path | None,
    persistence: float,
    accept: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Rank all pages of a graph, and store the scores with it."""
    opened = graph.open()
    if compare is not None:
        names = [name.strip() for name in compare.split(",") if name.strip()]
        with ProgressLine() as progress:
            comparison = compare_ranks(
                opened.store,
                names,
                hubs=hubs,
                persistence=persistence,
                threads=threads,
                progress=progress,
                **drop_unset(options),
            )
        _write_comparison(comparison, top, as_json, as_csv, picture)
        return
    if picture is not None:
        raise OptionError("rank: --picture needs --compare with the ranks to draw.")
    with ProgressLine() as progress:
        ranking = opened.rank(
            by, threads=threads, progress=progress, accept=accept, **drop_unset(options)
        )
    if parquet:
        write_parquet(ranking, parquet)
    elif as_json:
        print_json(ranking.reply(top, hubs=hubs))
    else:
        best = ranking.top(top, hubs=hubs)
        rows = [[i, r.score, r.url, r.title or ""] for i, r in enumerate(best, 1)]
        if as_csv:
            print_csv(["position", "score", "url", "title"], rows)
        else:
            print_table(["#", "score", "page", "title"], rows)
    if not as_json:
        for note in ranking.notes:
            say(note)
    if sys.stderr.isatty():
        say(ranking.summary)


def _write_comparison(
    comparison: RankComparison, top: int, as_json: bool, as_csv: bool, picture: Path | None
) -> None:
    """Print a comparison in the chosen format, and plot it if requested."""
    from whatsrelated.cli import rank_comparison

    if picture is not None:
        rank_comparison.draw_convergence(comparison, picture)
    if as_json:
        print_json(comparison.as_dict(top))
    elif as_csv:
        rank_comparison.print_best_as_csv(comparison, top)
    else:
        rank_comparison.print_rank_comparison(comparison, top)


def write_parquet(ranking: Ranking, path: str) -> None:
    """Write every page's number, URL, score and, if there is one, hub score, in page order."""
    pa = load("pyarrow", "rank --parquet", "parquet")
    parquet = load("pyarrow.parquet", "rank --parquet", "parquet")
    columns = {"score": ranking.scores}
    if ranking.hubs is not None:
        columns["hub"] = ranking.hubs
    kinds = [(name, pa.from_numpy_dtype(values.dtype)) for name, values in columns.items()]
    schema = pa.schema([("page", pa.uint32()), ("url", pa.string()), *kinds])
    with output_file(path) as file, parquet.ParquetWriter(file, schema) as writer:
        for first in range(0, len(ranking), BATCH):
            pages = range(first, min(first + BATCH, len(ranking)))
            part = [values[first : pages.stop] for values in columns.values()]
            urls = [ranking.store.url(page) for page in pages]
            writer.write_table(pa.table([pa.array(pages, pa.uint32()), urls, *part], schema))
