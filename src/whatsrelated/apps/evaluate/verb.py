"""`related evaluate`: measure methods against known related pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from whatsrelated import sources
from whatsrelated.api.asking import BasicRequest
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.experiment import Experiment
from whatsrelated.apps.evaluate.gold import GoldFile, GoldLinks
from whatsrelated.apps.evaluate.held_out import HeldOutLinks
from whatsrelated.apps.evaluate.list_members import MembersOfLists
from whatsrelated.apps.evaluate.printing import Output, say_gold, say_irregular
from whatsrelated.apps.evaluate.topics import GoldTopics
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.parameters import (
    READ_TEXT,
    GraphChoice,
    drop_unset,
    graph_option,
    options_of,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.gold import Gold

F = TypeVar("F", bound=Callable[..., Any])

REPORT = "report"
"""Options of this command that hide reader options of the same name."""
DEFAULT_METHODS = "cocitation,companion,extended-cocitation,lli,cpa,coupling,walk,blend"


def _whole(
    flag: str, sentence: str, at_least: int = 0, default: int | None = None, metavar: str = "N"
) -> Callable[[F], F]:
    """An integer option."""
    return click.option(
        flag,
        metavar=metavar,
        type=click.IntRange(at_least),
        default=default,
        show_default=default is not None,
        help=sentence,
    )


GOLD_OPTIONS = [
    click.option(
        "--queries",
        type=READ_TEXT,
        metavar="FILE",
        help="A file of queries and their related pages: TREC qrels, or tab-separated columns.",
    ),
    click.option(
        "--gold-links",
        metavar="SOURCE",
        multiple=True,
        help="Use the links of a source as the related pages; takes the options of related build.",
    ),
    click.option(
        "--names-file",
        type=READ_TEXT,
        multiple=True,
        help="Names for pages that SOURCE identifies by number.",
    ),
    click.option("--format", help="The format of SOURCE, if it is not recognised."),
    click.option(
        "--topics",
        metavar="FILE",
        help="Pages that share a topic are related: a tab-separated file of pages and topics, "
        "or `folder` to use the folders of URLs.",
    ),
    click.option(
        "--hold-out",
        metavar="SHARE",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        help="Remove this share of the links, and test whether the methods find them.",
    ),
    _whole(
        "--together",
        "Query N members of each list of related pages together, and look for the others.",
        at_least=2,
    ),
]

EXPERIMENT_OPTIONS = [
    _whole("--sample", "Use a random sample of N queries.", at_least=1),
    _whole("--least", "Use only queries with at least N related pages.", default=0),
    _whole("--draw", "The seed for drawing queries and held-out links.", default=0, metavar="SEED"),
    click.option(
        "--unlinked/--linked",
        default=None,
        help="Leave out pages that the query already links to, both as related pages and as "
        "answers; on by default with --hold-out.",
    ),
    click.option(
        "--by",
        help="Methods to compare, with or without options, as in lli(gap=0.3),walk: "
        f"{', '.join(METHODS)}.  By default {DEFAULT_METHODS}.",
    ),
    click.option(
        "--run",
        "runs",
        type=READ_TEXT,
        metavar="[NAME=]FILE",
        multiple=True,
        help="Answers from another program: a TREC run, or tab-separated query, position and page.",
    ),
    click.option(
        "--group",
        metavar="METHOD",
        help="Report queries that this method did not answer as a separate group; the default is "
        "the method with the fewest answers.",
    ),
    click.option(
        "--checkpoint",
        metavar="FILE",
        help="Save answers here, and resume from them after an interruption.",
    ),
    _whole("--processes", "Number of processes; one per core by default.", at_least=1),
    click.option(
        "--patience",
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        default=60.0,
        show_default=True,
        help="Time limit per query.",
    ),
]

OUTPUT_OPTIONS = [
    click.option("--tables", is_flag=True, help="Print all tables, not only the first."),
    click.option("--json", "as_json", is_flag=True, help="Print everything as JSON."),
    click.option("--csv", "as_csv", is_flag=True, help="Print the means of every group as CSV."),
    click.option(
        "--per-query", metavar="FILE", help="Write the measures of every query to a CSV file."
    ),
    click.option(
        "--save-runs",
        metavar="FOLDER",
        help="Write each method's answers to a file in this folder, which --run can read.",
    ),
    click.option("--report", metavar="FILE", help="Write an HTML report to this file."),
    click.option(
        "--look-at",
        metavar="QUERY",
        multiple=True,
        help="Show how lli computes its similarities for this query; may be repeated.",
    ),
]


def _with_options(function: F) -> F:
    for option in reversed([*GOLD_OPTIONS, *EXPERIMENT_OPTIONS, *OUTPUT_OPTIONS]):
        function = option(function)
    return function


@click.command(name="evaluate", cls=LongCommand)
@click.argument("folder", required=False, metavar="[GRAPH]")
@graph_option
@_with_options
@options_of([BasicRequest, *sources.settings()], without=(REPORT,))
def command(folder: str | None, graph: GraphChoice, **values: Any) -> int:
    """Measure methods on GRAPH against pages that are known to be related.

    These come from one of --queries, --gold-links, --topics and --hold-out.
    """
    if folder and graph.is_given:
        raise OptionError(f"evaluate: name only one graph; got {folder} and {graph.path}.")
    output = Output(
        tables=values["tables"],
        latent=bool(values["look_at"]),
        as_json=values["as_json"],
        as_csv=values["as_csv"],
        per_query=values["per_query"],
        save_runs=values["save_runs"],
        report=values["report"],
    )
    experiment = _experiment(values, latent=output.as_json or output.report is not None)
    output.check()
    if values["checkpoint"]:
        output.require_folder(values["checkpoint"])
    graph = graph.at(folder)
    name = str(graph.folder or "the sample Web")
    with ProgressLine() as progress:
        findings = experiment.run(graph.open(), name=name, progress=progress, on_gold=say_gold)
    say_irregular(findings)
    output.write(findings)
    answers = findings.outcome.answers.values()
    return 0 if any(trial.urls for trials in answers for trial in trials) else 1


def _experiment(values: dict[str, Any], latent: bool) -> Experiment:
    """Create the experiment that the options describe."""
    typed = drop_unset(values)
    request = {name: typed[name] for name in declared_options(BasicRequest) if name in typed}
    limit = BasicRequest(limit=request.pop("limit", 10)).limit
    by = values["by"]
    return Experiment(
        gold=_in_groups(_gold(values), values["together"]),
        contenders=contenders(DEFAULT_METHODS if by is None else by, request),
        runs=values["runs"],
        sample=values["sample"],
        least=values["least"],
        draw=values["draw"],
        limit=limit,
        unlinked=values["unlinked"],
        unanswered_by=values["group"],
        processes=values["processes"] or 0,
        patience=values["patience"],
        checkpoint=values["checkpoint"],
        look_at=values["look_at"],
        latent=latent,
    )


def _in_groups(gold: Gold, together: int | None) -> Gold:
    """The gold itself, or its lists if a query consists of several members."""
    if together is None:
        return gold
    if isinstance(gold, HeldOutLinks):
        raise OptionError("evaluate: --together needs lists of related pages, not --hold-out.")
    return MembersOfLists(gold, together)


def _gold(values: dict[str, Any]) -> Gold:
    """The gold that the options select."""
    queries, links, topics, share = (
        values[name] for name in ("queries", "gold_links", "topics", "hold_out")
    )
    if sum(map(bool, (queries, links, topics, share))) != 1:
        raise OptionError(
            "evaluate: use exactly one of --queries, --gold-links, --topics and --hold-out."
        )
    typed = drop_unset(values)
    names = {name for kind in sources.settings() for name in declared_options(kind)}
    reading = {name: typed[name] for name in typed if name in names and name != REPORT}
    if reading and not links:
        raise OptionError(f"evaluate: --{next(iter(reading))} is an option of --gold-links.")
    if queries:
        return GoldFile(queries)
    if links:
        return GoldLinks(links, values["format"], values["names_file"], tuple(reading.items()))
    return GoldTopics(topics) if topics else HeldOutLinks(share)
