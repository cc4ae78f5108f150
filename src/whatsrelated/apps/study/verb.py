"""`related study`: a blind study, in which people rate results of unnamed methods."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from whatsrelated.apps.evaluate import rows, tables
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.printing import print_findings
from whatsrelated.apps.serve.settings import Address, Settings, port_option
from whatsrelated.apps.serve.verb import require_packages
from whatsrelated.apps.study.journal import Journal
from whatsrelated.apps.study.plan import plan_study, read_queries
from whatsrelated.apps.study.results import StudyResults
from whatsrelated.cli.output import print_json, say
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.options import configure, divide
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.apps.study.plan import StudyPlan

MOST_FORM = 64
"""Maximum kilobytes of a form."""


@dataclass(frozen=True)
class StudyAddress(Address):
    """Where the server of a study listens."""

    name: ClassVar[str] = "study"
    port: int = port_option(8766)


@click.command(name="study")
@click.argument("folder", required=False, metavar="[GRAPH]")
@graph_option
@click.option("--into", metavar="FILE", required=True, help="The file that holds the study.")
@click.option("--by", help="The methods to study, with options if any: companion,lli(gap=0.3).")
@click.option(
    "--queries",
    metavar="FILE",
    help="A file of query pages, one per line or in the first tab-separated column.",
)
@click.option(
    "--run",
    "runs",
    metavar="[NAME=]FILE",
    multiple=True,
    help="Answers of another program: a TREC run, or tab-separated query, place and page.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Number of answers of each method to rate.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the judges' page order."
)
@click.option("--second-grade", is_flag=True, help="Add the rating “closely related”.")
@click.option("--judges", metavar="NAME,NAME...", default="", help="Create links for these judges.")
@options_of([StudyAddress])
@click.option(
    "--address", metavar="URL", help="The public address, if it is not --host and --port."
)
@click.option(
    "--export",
    metavar="FOLDER",
    help="Write the ratings to this folder, and print the tables of the study.",
)
@click.option("--json", "as_json", is_flag=True, help="With --export, print everything as JSON.")
def command(folder: str | None, graph: GraphChoice, **values: Any) -> int:
    """Run a blind study: people rate results on GRAPH without knowing which method found them.

    Start a study with --by, --queries and --judges; after that, --into FILE is enough.
    """
    if folder and graph.path:
        raise OptionError(f"study: name only one graph, got {folder} and {graph.path}.")
    path = Path(values["into"])
    new = bool(values["by"] or values["queries"] or values["runs"])
    if values["export"]:
        if new:
            raise OptionError("study: --export cannot be combined with --by, --queries or --run.")
        return _export(path, values["export"], values["as_json"])
    require_packages("study")
    if new and path.exists():
        raise OptionError(f"study: {path} exists; omit --by, --queries and --run to continue it.")
    if not new and not path.exists():
        raise OptionError(f"study: {path} does not exist; create it with --by and --queries.")
    plan = _plan(graph.at(folder), values) if new else None
    with Journal.create(path, plan) if plan else Journal(path) as journal:
        return _serve(journal, values)


def _plan(graph: GraphChoice, values: dict[str, Any]) -> StudyPlan:
    """Ask the methods."""
    if not values["queries"] or not (values["by"] or values["runs"]):
        raise OptionError("study: --queries is required, and --by or --run.")
    opened, refused = graph.open(), Refused()
    queries = read_queries(values["queries"], opened, refused)
    say(f"{len(queries):,} queries; {refused}.")
    with ProgressLine() as progress:
        return plan_study(
            opened,
            str(graph.folder or "the sample Web"),
            queries,
            contenders(values["by"] or ""),
            values["runs"],
            depth=values["depth"],
            seed=values["seed"],
            second_grade=values["second_grade"],
            progress=progress,
        )


def _serve(journal: Journal, values: dict[str, Any]) -> int:
    from whatsrelated.apps.study.app import StudyServer, serve

    journal.add_judges([name.strip() for name in values["judges"].split(",") if name.strip()])
    own, _ = divide(drop_unset(values), StudyAddress)
    settings = Settings(**asdict(configure(StudyAddress, own)), body=MOST_FORM)
    results = StudyResults(journal)

    def ready(address: str) -> None:
        base = (values["address"] or address).rstrip("/")
        say(f"{results.size:,} pages to rate, for {len(journal.plan.rateable):,} queries.")
        for name, judge in journal.judges.items():
            click.echo(f"{name}\t{results.progress[name]:,} rated\t{base}/j/{judge.token}")
        say("Send each judge their own link; press Ctrl-C to stop.")

    return serve(StudyServer(journal, settings), ready)


def _export(path: Path, folder: str, as_json: bool) -> int:
    """Write the ratings as files, and print the tables."""
    results = StudyResults(Journal(path, read_only=True))
    for name, rated in results.progress.items():
        say(f"{name} has rated {rated:,} of {results.size:,} pages.")
    if not results.ratings:
        raise OptionError(f"study: nothing has been rated yet in {path}.")
    for written in results.write(folder):
        say(f"Wrote {written}.")
    findings = results.findings
    if as_json:
        print_json({"study": results.as_dict(), **rows.as_dict(findings)})
    else:
        every = tables.all_tables(findings.outcome, findings.tests)
        print_findings(findings, [*every, results.agreement()])
    return 0
