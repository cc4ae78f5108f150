"""`related watch`: keep the graph of a folder up to date while you edit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from whatsrelated import sources
from whatsrelated.api.building import BuildOptions
from whatsrelated.apps.watch.watching import watch
from whatsrelated.cli.build import memory_bound
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import counted
from whatsrelated.cli.parameters import drop_unset, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.machine.places import similar_path
from whatsrelated.stream import Refused


@click.command(name="watch", cls=LongCommand)
@click.argument("folder", metavar="FOLDER")
@click.option(
    "-o", "--output", default="web.graph", show_default=True, help="The folder of the graph."
)
@options_of(
    [BuildOptions, *(reader for reader in sources.readers() if reader.folders)],
    without=["names_file", "unordered", "least_parents"],
)
def command(folder: str, output: str, **options: Any) -> None:
    """Build the graph of FOLDER, and update it whenever a file changes, until interrupted.

    A running server picks up every update automatically. Options that an update cannot change, such
    as --text, apply when the graph is first built.
    """
    if not Path(folder).exists():
        meant = similar_path(folder) or "check the path."
        raise OptionError(f"watch: {folder} does not exist; {meant}")
    if not Path(folder).is_dir():
        raise OptionError(f"watch: {folder} is not a folder; use related update for files.")
    set_options = drop_unset(options)
    set_options["memory"] = memory_bound(set_options.get("memory"), "watch")
    with ProgressLine() as progress:
        graphs = watch(Path(folder), Path(output), progress=progress, **set_options)
        graph = next(graphs)
    while True:
        store = graph.store
        refused = Refused(store.manifest["refused"])
        click.echo(
            f"{time.strftime('%H:%M:%S')} {output}: {counted(store.n_pages, 'pages')}, "
            f"{counted(store.n_links, 'links')}, generation {store.generation}"
            + (f"; {refused}" if refused.counts else "")
        )
        graph = next(graphs)
