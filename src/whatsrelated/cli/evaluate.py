"""`related evaluate`: methods measured where somebody has said what is related."""

from __future__ import annotations

from statistics import median
from typing import Any

import click

from whatsrelated.asking import Basics
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import given, graph_option, open_graph, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.evaluation.contenders import contenders
from whatsrelated.evaluation.experiment import ask_one, measured, without_linked
from whatsrelated.evaluation.gold import read_gold
from whatsrelated.methods import TABLE

USUAL = "cocitation,companion,extended-cocitation,lli,cpa,coupling,walk,blend"
COLUMNS = ("precision", "average_precision", "recall", "mean_precision", "ndcg", "reciprocal_rank")
HEAD = ("P", "AP", "recall", "MAP", "nDCG", "MRR")


@click.command(name="evaluate")
@click.argument("folder", required=False, metavar="[GRAPH]")
@graph_option
@click.option("--queries", metavar="FILE", help="Queries and what is related: qrels or TSV.")
@click.option(
    "--by", default=USUAL, show_default=True, help=f"Of {', '.join(TABLE)}: lli(gap=0.3),walk."
)
@click.option("--sample", type=click.IntRange(1), help="Draw so many of the queries.")
@click.option(
    "--least", type=click.IntRange(1), default=1, help="Only queries with so many related pages."
)
@click.option("--draw", type=int, default=0, show_default=True, help="The seed that draws queries.")
@click.option("--unlinked", is_flag=True, help="Leave out what the query links to already.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="As CSV.")
@options_of([Basics])
def command(
    folder: str | None,
    graph: str | None,
    queries: str,
    by: str,
    sample: int | None,
    least: int,
    draw: int,
    unlinked: bool,
    as_json: bool,
    as_csv: bool,
    **options: Any,
) -> None:
    """Measure methods on the pages of GRAPH, where somebody has said what is related."""
    opened = open_graph(folder or graph)
    asking = given(options)
    limit = int(asking.pop("limit", 10))
    compared = contenders(by, asking)
    judged = read_gold(queries, opened).sample(sample, least, draw)
    golds = without_linked(opened, judged) if unlinked else judged.queries
    say(f"{len(golds):,} queries; {judged.refused}.")
    rows = []
    with ProgressLine() as progress:
        for number, contender in enumerate(compared):
            asked = []
            for done, query in enumerate(golds):
                total = len(compared) * len(golds)
                progress("asking", number * len(golds) + done, total)
                asked.append(ask_one(opened, contender, query, limit, unlinked))
            found = measured(asked, golds)
            times = median(one.milliseconds for one in asked)
            means = [getattr(found, name) for name in COLUMNS]
            rows.append([contender.label, found.answered, found.failed, *means, times])
    head = ["method", "answered", "failed", *HEAD, "ms"]
    if as_json:
        print_json(
            {"queries": len(golds), "methods": [dict(zip(head, r, strict=True)) for r in rows]}
        )
    elif as_csv:
        print_csv(head, rows)
    else:
        print_table(head, rows)
