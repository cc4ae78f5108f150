"""`related study`: run a blind study, in which people rate results without knowing the methods."""

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
from whatsrelated.apps.study.own import MIN_OWN, OwnPages, read_own_queries
from whatsrelated.apps.study.plan import plan_study, read_queries
from whatsrelated.apps.study.results import StudyResults
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import print_json, say
from whatsrelated.cli.parameters import READ_TEXT, GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.options import configure, divide
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.apps.study.plan import StudyPlan

MAX_FORM = 64
"""Maximum size of a form, in kilobytes."""
SAMPLE_WEB = "the sample Web"
"""The name of the built-in graph, which is not on disk."""


@dataclass(frozen=True)
class StudyAddress(Address):
    """Where the server for a study listens."""

    name: ClassVar[str] = "study"
    port: int = port_option(8766)


@click.command(name="study", cls=LongCommand)
@click.argument("folder", required=False, metavar="[GRAPH]")
@graph_option
@click.option("--into", metavar="FILE", required=True, help="The file that holds the study.")
@click.option("--by", help="The methods to study, with options if any: companion,lli(gap=0.3).")
@click.option(
    "--queries",
    type=READ_TEXT,
    metavar="FILE",
    help="A file of query pages, one per line or in the first tab-separated column.",
)
@click.option(
    "--run",
    "runs",
    type=READ_TEXT,
    metavar="[NAME=]FILE",
    multiple=True,
    help="Answers of another program: a TREC run, or tab-separated query, position and page.",
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
@click.option(
    "--own",
    is_flag=True,
    help="Let each judge bring their own pages, at least two, and rate only those. With "
    "--queries, the second column of the file names the judge.",
)
@click.option("--second-grade", is_flag=True, help="Add the rating “closely related”.")
@click.option("--judges", metavar="NAME,NAME...", default="", help="Create links for these judges.")
@options_of([StudyAddress])
@click.option(
    "--address", metavar="URL", help="The public address, if it differs from --host and --port."
)
@click.option(
    "--export",
    metavar="FOLDER",
    help="Write the ratings to this folder, and print the tables of the study.",
)
@click.option("--json", "as_json", is_flag=True, help="With --export, print everything as JSON.")
def command(folder: str | None, graph: GraphChoice, **values: Any) -> int:
    """Run a blind study: people rate results on GRAPH without knowing which method found them.

    Start a study with --by, --judges, and --queries or --own; after that, --into FILE is enough.
    """
    if folder and graph.is_given:
        raise OptionError(f"study: name only one graph, got {folder} and {graph.path}.")
    path = Path(values["into"])
    new = bool(values["by"] or values["queries"] or values["runs"] or values["own"])
    if values["export"]:
        if new:
            raise OptionError(
                "study: --export cannot be combined with --by, --queries, --run or --own."
            )
        return _export(path, values["export"], values["as_json"])
    require_packages("study")
    if new and path.exists():
        raise OptionError(
            f"study: {path} exists; omit --by, --queries, --run and --own to continue it."
        )
    if not new and not path.exists():
        raise OptionError(
            f"study: {path} does not exist; create it with --by, and --queries or --own."
        )
    plan = _plan(graph.at(folder), values) if new else None
    with Journal.create(path, plan) if plan else Journal(path) as journal:
        return _serve(journal, graph.at(folder), values)


def _plan(graph: GraphChoice, values: dict[str, Any]) -> StudyPlan:
    """Query the methods."""
    if not (values["queries"] or values["own"]) or not (values["by"] or values["runs"]):
        raise OptionError("study: --queries or --own is required, and --by or --run.")
    if values["runs"] and not values["queries"]:
        raise OptionError(
            "study: a --run answers only known pages; name the judges' pages with --queries."
        )
    opened, refused = graph.open(), Refused()
    owners = None
    if values["own"]:
        owners = read_own_queries(values["queries"], opened, refused) if values["queries"] else {}
        queries = list(dict.fromkeys(url for pages in owners.values() for url in pages))
        if values["runs"]:
            _check_owners(owners, _names(values["judges"]))
    else:
        queries = read_queries(values["queries"], opened, refused)
    if values["queries"]:
        say(f"{len(queries):,} queries; {refused}.")
    with ProgressLine() as progress:
        return plan_study(
            opened,
            str(graph.folder or SAMPLE_WEB),
            queries,
            contenders(values["by"] or ""),
            values["runs"],
            owners=owners,
            depth=values["depth"],
            seed=values["seed"],
            second_grade=values["second_grade"],
            progress=progress,
        )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _check_owners(owners: dict[str, list[str]], judges: list[str]) -> None:
    """Check that every judge has enough pages; with a run, they cannot add pages later."""
    for judge in dict.fromkeys([*owners, *judges]):
        number = len(owners.get(judge, ()))
        if number < MIN_OWN:
            raise OptionError(
                f"study: {judge} needs at least {MIN_OWN} pages in the --queries file, "
                f"got {number}."
            )


def _own_pages(journal: Journal, graph: GraphChoice) -> OwnPages | None:
    """The object that answers for pages that judges add; None if they may not add any."""
    plan = journal.plan
    if not plan.own or plan.runs:
        return None
    planned = plan.graph if plan.graph != SAMPLE_WEB else "sample"
    path = graph.path if graph.is_given else planned
    return OwnPages(graph.at(path).open(), plan)


def _serve(journal: Journal, graph: GraphChoice, values: dict[str, Any]) -> int:
    from whatsrelated.apps.study.app import StudyServer, serve

    journal.add_judges([*journal.own_queries, *_names(values["judges"])])
    own_pages = _own_pages(journal, graph)
    address_options, _ = divide(drop_unset(values), StudyAddress)
    settings = Settings(**asdict(configure(StudyAddress, address_options)), body=MAX_FORM)
    results = StudyResults(journal)

    def ready(address: str) -> None:
        base = (values["address"] or address).rstrip("/")
        rateable = [pool for pool in journal.pools.values() if pool.pages]
        pages = sum(len(pool.pages) for pool in rateable)
        if rateable:
            say(f"{pages:,} pages to rate, for {len(rateable):,} queries.")
        for name, judge in journal.judges.items():
            click.echo(f"{name}\t{results.progress[name]:,} rated\t{base}/j/{judge.token}")
        if own_pages:
            say(f"Judges bring their own pages, at least {MIN_OWN} each.")
        say("Send each judge their own link; press Ctrl-C to stop.")

    return serve(StudyServer(journal, settings, own_pages), ready)


def _export(path: Path, folder: str, as_json: bool) -> int:
    """Write the ratings as files, and print the tables."""
    results = StudyResults(Journal(path, read_only=True))
    for name, rated in results.progress.items():
        say(f"{name} has rated {rated:,} of {results.size(name):,} pages.")
    if not results.ratings:
        raise OptionError(f"study: nothing has been rated yet in {path}.")
    if left_out := len(results.journal.pools) - len(results.queries):
        say(f"{left_out:,} queries have no rating yet, and are left out of the tables.")
    for written in results.write(folder):
        say(f"Wrote {written}.")
    findings = results.findings
    if as_json:
        print_json({"study": results.as_dict(), **rows.as_dict(findings)})
    else:
        every = tables.all_tables(findings.outcome, findings.tests)
        print_findings(findings, [*every, results.agreement()])
    return 0
