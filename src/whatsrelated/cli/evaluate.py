"""`related evaluate`: methods measured where somebody has said what is related."""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated import sources
from whatsrelated.asking import Basics
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import given, graph_option, open_graph, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.evaluation import as_json, latent, tables
from whatsrelated.evaluation.contenders import contenders
from whatsrelated.evaluation.evaluate import evaluate
from whatsrelated.evaluation.gold import Judged, linked_gold, read_gold, topics_gold
from whatsrelated.evaluation.held_out import held_out
from whatsrelated.evaluation.report import report
from whatsrelated.evaluation.runs import write_runs
from whatsrelated.evaluation.verdict import verdict
from whatsrelated.methods import TABLE
from whatsrelated.options import declared_options
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.evaluation.outcome import Outcome

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
    help=f"Methods with their options, such as lli(gap=0.3),walk; of {', '.join(TABLE)}.  "
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
@click.option("--json", "as_json_", is_flag=True, help="Everything as JSON.")
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
    as_json_: bool,
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
    asking = {name: v for name, v in given(options).items() if name in declared_options(Basics)}
    reading = {name: v for name, v in given(options).items() if name not in asking}
    limit = Basics(limit=asking.pop("limit", 10)).limit
    compared = contenders(by if by is not None else "" if runs else USUAL, asking)
    wanted = [queries, gold_links, topics, hold_out]
    if sum(bool(one) for one in wanted) != 1:
        raise OptionError(
            "evaluate: say once what is related: --queries, --gold-links, --topics or --hold-out."
        )
    if reading and not gold_links:
        raise OptionError(f"evaluate: --{next(iter(reading))} is an option of --gold-links.")
    with ExitStack() as stack:
        asked: Graph = open_graph(folder or graph)
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
            assert hold_out is not None
            aside = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="related-")))
            asked, judged = held_out(asked, hold_out, draw, aside / "rest.graph")
            what = f"links held out, a share of {hold_out:g}"
        if unlinked is None:
            unlinked = hold_out is not None
        drawn = judged.sample(sample, least, draw)
        _say_of(judged, drawn)
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
        for run in read:
            if run.odd.total():
                say(f"{run.label}: odd answers {str(run.odd).removeprefix('refused ')}.")
                _say_examples(run.odd)
        _say_failures(outcome)
        about = {
            "graph": {"pages": len(asked), "links": asked.n_links, "name": str(folder or graph)},
            "gold": what,
            "unlinked": unlinked,
            "limit": limit,
            "refused": judged.refused.counts,
        }
        wants_halves = look_at or as_json_ or page
        halves = latent.chosen(asked, outcome, look_at) if wants_halves else []
    if per_query:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(as_json.query_rows(outcome))
        _write(per_query, text.getvalue())
    if save_runs:
        for file in write_runs(save_runs, outcome.answers):
            say(f"Wrote {file}.")
    tested = tables.tests(outcome)
    if page:
        _write(page, report(outcome, about, tested, halves))
    if as_json_:
        print_json(as_json.as_dict(outcome, about, halves))
    elif as_csv:
        head, *rows = as_json.mean_rows(outcome)
        print_csv(head, rows)
    else:
        print_outcome(outcome, tested, all_tables, halves if look_at else [])
    return 0 if any(one.urls for row in outcome.answers.values() for one in row) else 1


def print_outcome(
    outcome: Outcome,
    tested: Sequence[tables.Tested],
    everything: bool,
    halves: Sequence[latent.Half],
) -> None:
    """The measures over all queries, and which differences are more than luck; or all tables."""
    groups = outcome.groups
    shown = [tables.summary(outcome, groups[0])]
    if everything:
        shown += [tables.summary(outcome, group) for group in groups[1:] if group.queries]
        shown += [tables.coverage(outcome), tables.per_query(outcome), tables.quality(outcome)]
        shown += [
            tables.p_values(outcome, tested, group, measure)
            for group in groups
            for measure in tables.TESTED
            if tested and group.queries
        ]
        shown += [tables.shared(outcome), tables.costs(outcome)]
    elif tested:
        shown.append(tables.p_values(outcome, tested, groups[0], "average_precision"))
    shown += [latent.table(half) for half in halves]
    for number, table in enumerate(shown):
        if number:
            click.echo()
        click.echo(click.style(table.title, bold=True))
        if not sys.stdout.isatty():
            click.echo("\t".join(table.head))
        print_table(table.head, [[_cell(value) for value in row] for row in table.rows])
    click.echo()
    for sentence in verdict(outcome, tested):
        click.echo(sentence)


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        both, share = value
        return f"{both:,}" if share is None else f"{both:,} ({share:.0%})"
    if isinstance(value, float):
        if 0 < value < 0.001:
            return "<0.001"
        return f"{value:.3f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else "–" if value is None else value


def _say_of(judged: Judged, drawn: Judged) -> None:
    """How many queries there are, and what could not be used."""
    say(f"{len(drawn.queries):,} of {len(judged.queries):,} queries; {judged.refused}.")
    _say_examples(judged.refused)
    for note in judged.notes[:3]:
        say(note)
    if len(judged.notes) > 3:
        say(f"So are {len(judged.notes) - 3:,} more.")


def _say_examples(refused: Refused) -> None:
    for reason, examples in refused.examples.items():
        for example in examples[:1]:
            say(f"  {reason}: {example}")


def _say_failures(outcome: Outcome) -> None:
    """A line for each method that failed, with its first reason."""
    for label, answers in outcome.answers.items():
        failed = [one for one in answers if one.error]
        if failed:
            say(
                f"{label} failed on {len(failed):,} of {len(answers):,} queries; "
                f"on {failed[0].query}: {failed[0].error}"
            )


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"evaluate: {path} cannot be written: {error.strerror}.") from error
    say(f"Wrote {path}.")
