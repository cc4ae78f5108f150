"""`related pages`: list the pages of a graph, or search for them by words."""

from __future__ import annotations

import time
from typing import Any

import click

from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.contract.replies import PagesReply
from whatsrelated.options import configure
from whatsrelated.query.pages import PageSearch


@click.command(name="pages")
@click.argument("search_words", nargs=-1, metavar="[WORD]...")
@graph_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print links, URL and title as CSV.")
@click.option("--index", is_flag=True, help="Build the index of names and titles, then exit.")
@options_of([PageSearch])
def command(
    search_words: tuple[str, ...],
    graph: GraphChoice,
    as_json: bool,
    as_csv: bool,
    index: bool,
    **options: Any,
) -> int:
    """List the pages of a graph, or those with every WORD in their name or title."""
    opened = graph.open()
    search_options = drop_unset(options)
    search = configure(
        PageSearch,
        {**search_options, "words": " ".join([*search_words, search_options.get("words", "")])},
    )
    with ProgressLine() as progress:
        if index:
            begun = time.monotonic()
            built = opened.store.lookup.index(progress, build=True)
            size = built.size if built is not None else 0
            say(f"Built an index of {size / 1e6:,.1f} MB in {time.monotonic() - begun:.1f} s.")
            return 0
        matches, total = search.run(opened.store, progress)
    pages = [opened.summary(page) for page in matches]
    if as_json:
        print_json(PagesReply(pages=pages, total=total))
        return 0 if pages else 1
    rows = [[page.links_to_it, page.links_from_it, page.url, page.title or ""] for page in pages]
    if as_csv:
        print_csv(["in", "out", "url", "title"], rows)
    else:
        print_table(["in", "out", "page", "title"], rows)
        if total != len(rows):
            say(f"{len(rows):,} of {total:,} pages.")
    return 0 if rows else 1
