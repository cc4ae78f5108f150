"""`related update`: merge changed pages into a graph without rebuilding it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from whatsrelated import sources
from whatsrelated.api.updating import UpdateOptions, update
from whatsrelated.cli.build import memory_bound, say_refused
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import counted, say
from whatsrelated.cli.parameters import ChangingOption, drop_unset, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.graph.store import Store
from whatsrelated.stream import Refused


@click.command(name="update", cls=LongCommand)
@click.argument("graph", metavar="GRAPH")
@click.argument("paths", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--delete",
    cls=ChangingOption,
    multiple=True,
    metavar="PAGE|PATTERN|FILE",
    help="A page to delete, a pattern such as 'https://old.example/*', or a file that lists "
    "them, one per line; may be repeated.",
)
@options_of([UpdateOptions, *sources.settings()])
def command(graph: str, paths: tuple[str, ...], delete: tuple[str, ...], **options: Any) -> None:
    """Update GRAPH from SOURCEs: replace changed pages, add new ones and delete others.

    A page in a source replaces all links of that page in the graph.
    """
    begun = time.monotonic()
    if not (paths or delete):
        raise OptionError("update: name a source with changed pages, or use --delete.")
    before = Store.open(Path(graph))
    refused, unknown = Refused(), list[str]()
    set_options = drop_unset(options)
    set_options["memory"] = memory_bound(set_options.get("memory"), "update")
    with ProgressLine() as progress:
        updated = update(
            graph,
            paths,
            delete=pages_to_delete(delete, before),
            refused=refused,
            unknown=unknown,
            progress=progress,
            **set_options,
        )
    store = updated.store
    for name in unknown:
        say(f"{name} is not a page of {graph}, so it was not deleted.")
    has_changed = store.generation != before.generation
    if paths:
        read = f"Read {counted(store.manifest['read_links'], 'links')}; " if has_changed else ""
        say(f"{read}{refused}.")
    say_refused(refused)
    if not has_changed:
        click.echo(f"{graph}: nothing has changed.")
        return
    counts = store.manifest["updated"]
    summary = ", ".join(f"{counts[kind]:,} {kind}" for kind in ("added", "changed", "removed"))
    click.echo(
        f"{graph}: {counted(store.n_pages, 'pages')} ({summary}), "
        f"{counted(store.n_links, 'links')} ({store.n_links - before.n_links:+,}), "
        f"generation {store.generation}, in {time.monotonic() - begun:.1f} s"
    )


def pages_to_delete(delete: tuple[str, ...], graph: Store) -> list[str]:
    """The pages to delete.

    If an argument names a file rather than a page, the file's lines are used instead.
    """
    listed: list[str] = []
    for text in delete:
        if graph.look_up(text) is None and Path(text).is_file():
            lines = Path(text).read_text(encoding="utf-8", errors="replace").splitlines()
            listed += [line.strip() for line in lines if line.strip()]
        else:
            listed.append(text)
    return listed
