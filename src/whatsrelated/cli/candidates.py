"""Shell completion candidates: methods, ranks, and pages of the graph.

A shell replaces the typed text with the common prefix of all candidates, so only names that start
with that text are useful. Candidates are the graph's most linked pages and, once the host is
complete, the pages below a URL.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from whatsrelated.errors import RelatedError

if TYPE_CHECKING:
    from whatsrelated.api import Graph

MAX_LINKED = 5_000
MAX_SHOWN = 50


def complete_methods(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """Complete method names, including after a comma."""
    from whatsrelated.methods import METHODS

    return _next_of(METHODS, typed)


def complete_ranks(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """Complete rank names, including after a comma."""
    from whatsrelated.ranks import RANKS

    return _next_of(RANKS, typed)


def _next_of(names: object, typed: str) -> list[str]:
    before, comma, word = typed.rpartition(",")
    assert hasattr(names, "__iter__")
    return [before + comma + name for name in names if name.startswith(word)]


def complete_pages(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """Complete pages of the command's graph, most linked first."""
    from whatsrelated.cli.parameters import GraphChoice

    try:
        graph = GraphChoice(context.params.get("graph")).open()
        return list(islice(dict.fromkeys(_pages(graph, typed)), MAX_SHOWN))
    except (RelatedError, OSError):
        return []


def _pages(graph: Graph, typed: str) -> list[str]:
    from whatsrelated.graph.degrees import most_linked

    store = graph.store
    likely = most_linked(graph.store, MAX_LINKED).tolist()
    below = islice(store.names.pages_starting(typed.strip()), MAX_LINKED)
    matches = []
    for url in map(store.url, (*likely, *below)):
        spoken = url if "://" in typed else url.partition("://")[2] or url
        if spoken.startswith(typed):
            matches.append(spoken)
        elif spoken.removeprefix("www.").startswith(typed):
            matches.append(spoken.removeprefix("www."))
    return matches
