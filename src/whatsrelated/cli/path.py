"""`related path`: the shortest chains of links between pages."""

from __future__ import annotations

from typing import Any

import click

from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.output import clean, print_csv, print_json, say
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.query.paths import Chain, LinkPaths, PathRequest

ARROWS = {"out": "->", "in": "<-", "both": "<->"}


@click.command(name="path")
@click.argument(
    "pages", nargs=-1, required=True, metavar="PAGE PAGE...", shell_complete=complete_pages
)
@graph_option
@click.option("--steps", is_flag=True, help="Print a sentence for every step.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print every step of every chain as CSV.")
@options_of([PathRequest])
def command(
    pages: tuple[str, ...],
    graph: GraphChoice,
    steps: bool,
    as_json: bool,
    as_csv: bool,
    **options: Any,
) -> int:
    """Show the shortest chains of links from one PAGE to the next, rare links first.

    A link is rare if its page has few links and few pages link to its target.
    """
    paths = graph.open().path(*pages, **drop_unset(options))
    if as_json:
        print_json(paths.reply())
    elif as_csv:
        print_csv(["path", "chain", "step", "from", "way", "to"], _rows(paths))
    else:
        _print(paths, steps)
    return 0 if all(path.chains for path in paths) else 1


def _print(paths: LinkPaths, steps: bool) -> None:
    for note in paths.notes:
        say(note)
    for path in paths:
        click.echo(clean(paths.sentence(path)))
        for number, chain in enumerate(path.chains if path.length else (), 1):
            click.echo(f"{number}. {_line(paths, chain)}")
            for sentence in paths.steps(chain) if steps else ():
                click.echo(f"   {clean(sentence)}")
        if path.found > len(path.chains):
            say(f"Showing {len(path.chains):,} of {path.found:,} chains; use --limit to see more.")


def _line(paths: LinkPaths, chain: Chain) -> str:
    names = [clean(url) for url in map(paths.store.url, chain.pages)]
    steps = zip(chain.steps, names[1:], strict=True)
    return " ".join([names[0], *(f"{ARROWS[way]} {name}" for way, name in steps)])


def _rows(paths: LinkPaths) -> list[list[Any]]:
    url = paths.store.url
    return [
        [number, place, step, url(chain.pages[step - 1]), way, url(chain.pages[step])]
        for number, path in enumerate(paths, 1)
        for place, chain in enumerate(path.chains, 1)
        for step, way in enumerate(chain.steps, 1)
    ]
