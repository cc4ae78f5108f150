"""`related crawl`: fetch a site politely and build its graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from whatsrelated.api.building import BuildOptions
from whatsrelated.apps.crawl.plan import CrawlPlan
from whatsrelated.apps.crawl.robots import MAX_DELAY
from whatsrelated.cli.build import memory_bound
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import counted, say
from whatsrelated.cli.parameters import drop_unset, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.options import configure, divide


@click.command(name="crawl", cls=LongCommand)
@click.argument("starts", nargs=-1, metavar="URL...")
@click.option(
    "-o", "--output", default="web.graph", show_default=True, help="The folder of the new graph."
)
@click.option(
    "--warc",
    help="The archive to write; by default, it is next to the graph: web.warc.gz for web.graph.",
)
@click.option(
    "--continue", "go_on", is_flag=True, help="Continue a crawl that was stopped or killed."
)
@options_of([CrawlPlan, BuildOptions], without=["format", "names_file", "unordered", "allow_empty"])
def command(
    starts: tuple[str, ...], output: str, warc: str | None, go_on: bool, **options: Any
) -> None:
    """Fetch the pages of a site, starting from the URLs, and build their graph.

    Responses are stored in a WARC file, with the crawl's state next to it. Repeating a complete
    crawl fetches only changed pages.
    """
    from whatsrelated import api
    from whatsrelated.apps.crawl.run import crawl
    from whatsrelated.stream import Refused

    building, crawling = divide(drop_unset(options), BuildOptions)
    memory = memory_bound(building.get("memory"), "crawl")
    if "resolve" in crawling:
        crawling["resolve"] = "\n".join(crawling["resolve"])
    plan = configure(CrawlPlan, crawling)
    folder = Path(output)
    archive = Path(warc) if warc else folder.with_name(f"{folder.stem}.warc.gz")
    with ProgressLine() as progress:
        outcome = crawl(
            starts,
            archive,
            plan,
            go_on=go_on,
            progress=lambda done, queued, failed: progress(
                "fetching pages", done, None, f"{queued:,} queued, {failed:,} failed"
            ),
        )
    summary = f"{archive}: {counted(outcome.pages, 'pages')}, {outcome.bytes / 1e6:,.1f} MB fetched"
    say(summary + (f"; {outcome.queued:,} queued" if outcome.queued else ""))
    for reason, (count, examples) in outcome.reasons.items():
        say(f"  {count:,} {reason}: {examples[0]}")
    for host, seconds in outcome.capped.items():
        say(
            f"  {host} asks for a delay of {seconds:g} s between requests; the crawl keeps the "
            f"maximum, {MAX_DELAY:g} s."
        )
    if outcome.limit:
        say(f"Stopped at {outcome.limit}; use --continue with a higher limit.")
    refused = Refused()
    building = {**building, "memory": memory, "allow_empty": True, "workers": 1}
    graph = api.build([archive], output, refused=refused, **building)
    click.echo(f"{folder}: {counted(len(graph), 'pages')}, {counted(graph.n_links, 'links')}")
