"""`related publish`: the web page of a graph as static files."""

from __future__ import annotations

from pathlib import Path

import click

from whatsrelated.api.asking import DEFAULT_METHOD
from whatsrelated.apps.publish.run import MAX_PAGES, Publication, publish
from whatsrelated.apps.serve.verb import locate, require_packages
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import bytes_of

SIZE = "4G"


@click.command(name="publish")
@click.argument("folder", required=False, metavar="[GRAPH | FOLDER]")
@graph_option
@click.option("--output", "-o", required=True, metavar="SITE", help="The folder to write.")
@click.option(
    "--by",
    type=click.Choice(list(METHODS)),
    default=DEFAULT_METHOD,
    metavar="METHOD",
    show_default=True,
    help=f"The method: one of {', '.join(METHODS)}.",
)
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Maximum number of results for each page.",
)
@click.option("--name", help="The name of the graph on its pages; by default, that of its folder.")
@click.option(
    "--max-size",
    default=SIZE,
    show_default=True,
    metavar="SIZE",
    help="Stop if the site would be larger, such as 500M or 8G.",
)
@click.option(
    "--processes", type=click.IntRange(1), help="Number of processes; one per core by default."
)
def command(
    folder: str | None,
    graph: GraphChoice,
    output: str,
    by: str,
    limit: int,
    name: str | None,
    max_size: str,
    processes: int | None,
) -> int:
    require_packages("publish")
    size_limit = bytes_of(max_size)
    if size_limit is None:
        raise OptionError(f"publish: max-size must be a size such as 500M, got {max_size!r:.40}.")
    place = locate(folder or graph.path)
    opened = graph.at("sample" if place.graph is None else str(place.graph)).open()
    title = name or place.name
    publication = Publication(by, limit, title, size_limit)
    with ProgressLine() as progress:
        written = publish(
            opened, Path(output), publication, processes=processes or 0, progress=progress
        )
    if written.failed:
        say(f"{len(written.failed):,} pages have no answer, such as {written.failed[0]}.")
    say(f"{written.pages:,} pages, {written.size / 1e6:,.0f} MB; upload the folder, or open it:")
    click.echo(Path(output, "index.html"))
    return 0


command.help = f"""Write the web page of GRAPH as static files, which any host can serve.

    The files have every page of GRAPH with its related pages, the reasons and the picture, the
    links in both directions, a search, the map and the ranks. They need no server, and also work
    straight from disk. GRAPH is $RELATED_GRAPH or ./web.graph by default, and may have up to
    {MAX_PAGES:,} pages; `sample` is the sample Web, and a FOLDER of notes or pages is built first.
    Publishing again replaces the site as a whole.
    """
