"""`related mentions`: unlinked mentions of a page, and what the page mentions without linking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from whatsrelated.api.asking import find_page
from whatsrelated.apps.gaps.verb import opened
from whatsrelated.apps.mentions.finder import MentionFinder, folder_of
from whatsrelated.cli.output import clean, print_json, print_table, say
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.cli.progress import ProgressLine

if TYPE_CHECKING:
    from whatsrelated.apps.mentions.finder import Mention

VERSION = 1


@click.command(name="mentions")
@click.argument("page")
@click.argument("site", required=False, metavar="[GRAPH|FOLDER]")
@graph_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Maximum number of mentions in each direction; 0 for all.",
)
@click.option(
    "--least-score",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Leave out mentions with a lower score.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(
    graph: GraphChoice,
    page: str,
    site: str | None,
    limit: int,
    least_score: float,
    as_json: bool,
) -> int:
    """List where PAGE is mentioned without a link, and what PAGE mentions without linking.

    GRAPH is $RELATED_GRAPH or ./web.graph by default; it must have been built from one folder.
    """
    with opened(graph.at(site)) as site_graph:
        page_number, notes = find_page(site_graph.store, page)
        for note in notes:
            say(note)
        with ProgressLine():
            finder = MentionFinder(site_graph.store, folder_of(site_graph.store))
            ways = mentions_of_page(finder, page_number, limit, least_score)
        url = site_graph.url(page_number)
    if as_json:
        print_json({"version": VERSION, "page": url, **ways})
        return 0
    for way, title in (("incoming", f"Mentions of {url}"), ("outgoing", f"Mentioned in {url}")):
        listed = ways[way]
        click.echo(f"{clean(title)}: {len(listed)}")
        if listed:
            print_table(["score", "place", "link to", "text"], [_row(one) for one in listed])
        click.echo()
    return 0 if any(ways.values()) else 1


def mentions_of_page(
    finder: MentionFinder, page: int, limit: int = 0, least_score: float = 0.0
) -> dict[str, list[dict[str, Any]]]:
    """Unlinked mentions of a page, and of other pages in its text, best first."""
    good = [one for one in finder.ranked if one.score >= least_score]
    ways = {
        "incoming": [one for one in good if one.target == page],
        "outgoing": [one for one in good if one.page == page],
    }
    return {
        way: [_as_dict(finder, one) for one in mentions[: limit or None]]
        for way, mentions in ways.items()
    }


def _as_dict(finder: MentionFinder, mention: Mention) -> dict[str, Any]:
    place = finder.place(mention.page, mention.target)
    assert place is not None
    store = finder.store
    return {
        "source": store.url(mention.page),
        "target": store.url(mention.target),
        "target_title": store.title(mention.target),
        "score": round(mention.score, 4),
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "anchor": place.words,
        "before": place.before,
        "after": place.after,
    }


def _row(one: dict[str, Any]) -> list[str]:
    text = f"{one['before'][-50:]}[{one['anchor']}]{one['after'][:40]}"
    return [
        f"{one['score']:.2f}",
        f"{one['file']}:{one['line']}:{one['column']}",
        one["target"],
        text.strip(),
    ]
