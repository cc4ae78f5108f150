"""`related evaluate`: methods measured where somebody has said what is related."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated import sources
from whatsrelated.cli.outcome import csv_text, print_outcome, say_gold, say_odd, write
from whatsrelated.cli.output import print_csv, print_json, say
from whatsrelated.cli.parameters import chosen_graph, given, graph_option, open_graph, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.evaluation import latent, rows, tables
from whatsrelated.evaluation.contenders import contenders
from whatsrelated.evaluation.evaluate import evaluate
from whatsrelated.evaluation.gold import linked_gold, read_gold, topics_gold
from whatsrelated.evaluation.held_out import held_out
from whatsrelated.evaluation.report import report
from whatsrelated.evaluation.runs import write_runs
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.request import Basics
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph

USUAL = "cocitation,companion,extended-cocitation,lli,cpa,coupling,walk,blend"


@click.command(name="evaluate")
@click.argument("folder", required=False, metavar="[GRAPH]")
@graph_option
@click.option(
    "--queries", metavar="FILE", help="Queries and what is related to them: TREC's qrels, or TSV."
)
@click.option(
    "--gold-links",
    metavar="SOURCE",
    multiple=True,
    help="Links of a source are what is related; its options are those of related build.",
)
@click.option("--names-file", multiple=True, help="The names of pages that SOURCE numbers.")
@click.option("--format", "kind", help="The format of SOURCE, where it is not recognised.")
@click.option(
    "--topics",
    metavar="FILE",
    help="Pages that share a topic are related: TSV of page and topics; `folder` for folders.",
)
@click.option(
    "--hold-out",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Take this share of the links away, and ask for them.",
)
@click.option("--sample", metavar="N", type=click.IntRange(1), help="Draw N of the queries.")
@click.option(
    "--least",
    metavar="N",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Only queries with N related pages or more.",
)
@click.option(
    "--draw",
    metavar="SEED",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Draws the queries, and the links held out.",
)
@click.option(
    "--unlinked/--linked",
    default=None,
    help="Whether pages that the query links to count neither as related nor as answers; "
    "by default only with --hold-out.",
)
@click.option(
    "--by",
    help=f"Methods with their options, such as lli(gap=0.3),walk; of {', '.join(METHODS)}.  "
    f"By default {USUAL}.",
)
@click.option(
    "--run",
    "runs",
    metavar="[NAME=]FILE",
    multiple=True,
    help="Answers of another program: TREC's run, or TSV of query, place and page.",
)
@click.option(
    "--group",
    "named",
    metavar="METHOD",
    help="The queries that this one did not answer are a group; by default the one "
    "with the fewest answered.",
)
@click.option(
    "--checkpoint", metavar="FILE", help="Keep the answers here, and go on where a run stopped."
)
@click.option(
    "--processes", metavar="N", type=click.IntRange(1), help="By default one per processor."
)
@click.option(
    "--patience",
    metavar="SECONDS",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="How long one query may take.",
)
@click.option("--tables", "all_tables", is_flag=True, help="Print every table, not only the first.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="The means of every group as CSV.")
@click.option("--per-query", metavar="FILE", help="Write the measures of every query as CSV.")
@click.option(
    "--save-runs", metavar="FOLDER", help="Write the answers of each method, for --run to read."
)
@click.option("--report", "page", metavar="FILE", help="Write everything as one page of HTML.")
@click.option(
    "--look-at",
    metavar="QUERY",
    multiple=True,
    help="Show how lli comes to its similarities for this query; may be several.",
)
@options_of([Basics, *sources.settings()])
def command(
    folder: str | None,
    graph: str | None,
    queries: str | None,
    gold_links: tuple[str, ...],
    names_file: tuple[str, ...],
    kind: str | None,
    topics: str | None,
    hold_out: float | None,
    sample: int | None,
    least: int,
    draw: int,
    unlinked: bool | None,
    by: str | None,
    runs: tuple[str, ...],
    named: str | None,
    checkpoint: str | None,
    processes: int | None,
    patience: float,
    all_tables: bool,
    as_json: bool,
    as_csv: bool,
    per_query: str | None,
    save_runs: str | None,
    page: str | None,
    look_at: tuple[str, ...],
    **options: Any,
) -> int:
    """Measure methods on the pages of GRAPH, where somebody has said what is related.

    What is related comes from one of --queries, --gold-links, --topics and --hold-out.
    """
    if folder and graph:
        raise OptionError(f"evaluate: one graph is wanted, got {folder} and {graph}.")
    if sum(map(bool, (queries, gold_links, topics, hold_out))) != 1:
        raise OptionError(
            "evaluate: say once what is related: --queries, --gold-links, --topics or --hold-out."
        )
    asking = {name: v for name, v in given(options).items() if name in declared_options(Basics)}
    reading = {name: v for name, v in given(options).items() if name not in asking}
    if reading and not gold_links:
        raise OptionError(f"evaluate: --{next(iter(reading))} is an option of --gold-links.")
    for file in filter(None, (per_query, page, checkpoint)):
        _require_folder(file)
    limit = Basics(limit=asking.pop("limit", 10)).limit
    compared = contenders(USUAL if by is None else by, asking)
    if unlinked is None:
        unlinked = hold_out is not None
    with ExitStack() as stack:
        asked: Graph = open_graph(folder or graph)
        for query in look_at:
            asked.page(query)
        if queries:
            judged, what = read_gold(queries, asked), f"gold {queries}"
        elif gold_links:
            source = sources.open_sources(
                gold_links, format=kind, names=names_file, refused=Refused(), options=reading
            )
            judged, what = linked_gold(source, asked), f"links of {', '.join(gold_links)}"
        elif topics:
            judged, what = topics_gold(topics, asked), f"topics {topics}"
        else:
            aside = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="related-")))
            asked, judged = held_out(asked, hold_out or 0.0, draw, aside / "rest.graph")
            what = f"links held out, a share of {hold_out:g}"
        drawn = judged.sample(sample, least, draw)
        say_gold(judged, drawn)
        with ProgressLine() as progress:
            outcome, read = evaluate(
                asked,
                drawn,
                compared,
                runs,
                limit=limit,
                unlinked=unlinked,
                named=named,
                processes=processes or 0,
                patience=patience,
                checkpoint=checkpoint,
                progress=progress,
            )
        say_odd(outcome, read)
        about = {
            "graph": {
                "name": str(chosen_graph(folder or graph) or "the sample Web"),
                "pages": len(asked),
                "links": asked.n_links,
            },
            "gold": what,
            "unlinked": unlinked,
            "limit": limit,
            "refused": judged.refused.counts,
        }
        wants_halves = look_at or as_json or page
        halves = latent.chosen(asked, outcome, look_at) if wants_halves else []
    tested = tables.tests(outcome)
    if per_query:
        write(per_query, csv_text(rows.query_rows(outcome)))
    if save_runs:
        for written in write_runs(save_runs, outcome.answers):
            say(f"Wrote {written}.")
    if page:
        write(page, report(outcome, about, tested, halves))
    if as_json:
        print_json(rows.as_dict(outcome, about, tested, halves))
    elif as_csv:
        head, *lines = rows.mean_rows(outcome)
        print_csv(head, lines)
    else:
        print_outcome(outcome, tested, all_tables, halves if look_at else [])
    return 0 if any(one.urls for row in outcome.answers.values() for one in row) else 1


def _require_folder(file: str) -> None:
    """What cannot be written is told before the work, not after it."""
    if not Path(file).absolute().parent.is_dir():
        raise OptionError(f"evaluate: {file} cannot be written: there is no such folder.")
