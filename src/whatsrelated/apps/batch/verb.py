"""`related all`: the related pages of every page, for other programs."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

import click

from whatsrelated.api.asking import DEFAULT_METHOD, Request
from whatsrelated.apps.batch.comparison import compare_outputs
from whatsrelated.apps.batch.formats import SUFFIXES, format_of
from whatsrelated.apps.batch.job import Job, Shard
from whatsrelated.apps.batch.reading import open_lists
from whatsrelated.apps.batch.run import RunReport, answer_all, processes_within
from whatsrelated.apps.batch.selection import select
from whatsrelated.apps.diff.verb import show_answers
from whatsrelated.cli.build import memory_bound
from whatsrelated.cli.method_help import MethodCommand
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import (
    READ_TEXT,
    GraphChoice,
    by_option,
    drop_unset,
    graph_option,
    options_of,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.machine.places import cache_folder
from whatsrelated.machine.remote import output_url, send
from whatsrelated.methods import METHODS

EXAMPLES = {
    "related all web.graph -o related.parquet": "every page, by the default method",
    "related all -o related.jsonl --by cocitation --limit 5": "five results each, as JSON",
    "related all -o related.csv --pages 'https://docs.*'": "only pages with such names",
    "related all -o related.parquet --shard 3/64": "one of 64 shares of the work",
}
MAX_NAMED = 3
"""Maximum number of unknown names to list."""


@click.command(name="all", cls=MethodCommand, examples=EXAMPLES)
@click.argument("folder", required=False, metavar="[GRAPH]")
@graph_option
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    help=f"The output file: a name ending in {', '.join(one[0] for one in SUFFIXES.values())}.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(SUFFIXES)),
    help="The format, if the output's name does not imply it.",
)
@by_option(DEFAULT_METHOD, f"The method: one of {', '.join(METHODS)}.")
@click.option("--why", is_flag=True, help="Write the reason for every result; slower.")
@click.option(
    "--pages",
    type=READ_TEXT,
    metavar="FILE|GLOB|-",
    help="Answer only for these pages: a file or `-` with one page per line, or a pattern: a glob, "
    "re:EXPRESSION, or part of the name.",
)
@click.option("--sample", type=click.IntRange(1), help="Answer for a random sample of this size.")
@click.option(
    "--shard",
    metavar="K/N",
    help="Write only share K of N; run all N to get the whole output.",
)
@click.option(
    "--diff",
    "old",
    type=click.Path(),
    metavar="OLD",
    help="Show which answers changed since this older output of related all.",
)
@click.option(
    "--processes", type=click.IntRange(1), help="Number of processes; one per core by default."
)
@click.option("--memory", help="Maximum memory, such as 2G; half of all memory by default.")
@options_of([Request, *METHODS.values()], without=["clusters", "hints"])
def command(
    folder: str | None,
    graph: GraphChoice,
    output: str,
    kind: str | None,
    by: str,
    why: bool,
    pages: str | None,
    sample: int | None,
    shard: str | None,
    old: str | None,
    processes: int | None,
    memory: str | None,
    **options: Any,
) -> int:
    """Write the related pages of every page of GRAPH, as `related to` would find them.

    Output is written in parts; if the command is killed, run it again to continue.
    """
    if old is not None:
        open_lists(Path(old))
    url = output_url(output)
    if url is not None and (shard is not None or old is not None):
        raise OptionError("all: --shard and --diff need a local output; copy it afterwards.")
    place = Path(output) if url is None else _prepared_place(url)
    format = format_of(place, kind)
    share = Shard.parse(shard) if shard is not None else Shard()
    count, bound = processes_within(memory_bound(memory, "all"), processes or 0)
    opened = graph.at(folder).open()
    set_options = drop_unset(options)
    batch = opened.batch(by, why=why, memory=bound, **set_options)
    chosen, unknown = select(opened.store, pages, sample, set_options.get("seed", 0))
    if unknown:
        named = ", ".join(f"{name:.80}" for name in unknown[:MAX_NAMED])
        say(f"Skipped {len(unknown):,} names that are not in the graph, such as {named}.")
    job = Job(batch, place, format, len(opened) if chosen is None else len(chosen), chosen)
    with ProgressLine() as progress:
        report = answer_all(opened, job, shard=share, processes=count, progress=progress)
    _tell(job, report)
    if url is not None:
        send(place, url)
        shutil.rmtree(place.parent)
        say(f"Sent to {url}.")
    if old is not None and report.complete:
        show_answers(compare_outputs(Path(old), place), False, None)
    return 0


def _prepared_place(url: str) -> Path:
    """The local output that is sent to a URL when it is complete; it survives an interruption."""
    key = hashlib.blake2b(url.encode(), digest_size=8).hexdigest()
    folder = cache_folder() / "outputs" / key
    folder.mkdir(parents=True, exist_ok=True)
    return folder / PurePosixPath(url).name


def _tell(job: Job, report: RunReport) -> None:
    """Print a summary of the run."""
    remark = "" if report.complete else "; parts of other shards are missing"
    if report.already_done and not report.pages:
        say(
            f"{job.output}: nothing to do, {report.already_done:,} pages were already answered"
            f"{remark}"
        )
        return
    if report.already_done:
        say(f"{report.already_done:,} pages were already answered.")
    if report.n_failed:
        page, reason = next(iter(report.failed.items()))
        say(f"{report.n_failed:,} pages have no answer, such as {page}: {reason}")
    say(f"{job.output}: {report.pages:,} pages, {report.rows:,} results{remark}")
