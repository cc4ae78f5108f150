"""`related demo`: a first answer from the bundled sample Web."""

from __future__ import annotations

import click

from whatsrelated.cli.output import clean
from whatsrelated.cli.parameters import GraphChoice
from whatsrelated.cli.to import print_reasons
from whatsrelated.cli.verbs import VERBS

EXAMPLE = "www.nytimes.com"


@click.command(name="demo")
@click.argument("page", default=EXAMPLE)
@click.option(
    "--serve", "as_page", is_flag=True, help="Browse the sample Web in a browser instead."
)
@click.pass_context
def command(context: click.Context, page: str, as_page: bool) -> int:
    """Find the pages related to PAGE in the sample Web (a newspaper by default)."""
    if as_page:
        status: int = context.invoke(VERBS["serve"], folders=("sample",), port=0)
        return status
    graph = GraphChoice("sample").open()
    click.echo(f"The sample Web has {len(graph):,} pages and {graph.n_links:,} links.")
    answer = graph.related(page, limit=5)
    click.echo(f"Related to {clean(answer.answered_for[0])}, by {answer.by.name}:\n")
    print_reasons(answer)
    click.echo(
        f"""
Try next:
  related to www.toyota.com --graph sample          car makers
  related to {page} --graph sample --json --why
  related links {page} --graph sample --in          pages that link to it
  related info --graph sample
  related demo --serve                              browse it
  related build LINKS.tsv -o web.graph              your own links, one pair per line
  related to PAGE                                   query your own graph"""
    )
    return 0
