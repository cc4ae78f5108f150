"""`related build`: any sources, recognised by what they are, into one graph."""

from __future__ import annotations

import inspect
import re
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any, NoReturn

import click

from whatsrelated import api, sources
from whatsrelated.api.levels import LEVELS, build_level
from whatsrelated.cli.build_options import build_options, build_settings
from whatsrelated.cli.output import say
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.graph.build import LEAST_MEMORY
from whatsrelated.graph.format import CURRENT
from whatsrelated.machine.resources import physical_memory
from whatsrelated.names.naming import Naming
from whatsrelated.options import declared_options
from whatsrelated.ranks import RANKS, rank_named
from whatsrelated.sources.file_lists import files_in
from whatsrelated.stream import Refused

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@click.command(name="build")
@build_options
@click.option(
    "--rank",
    "ranks",
    multiple=True,
    help=f"Compute and store this rank, too: {', '.join(RANKS)}; may be repeated.",
)
@click.option(
    "--memory", help=f"The most memory to use, such as 2G; at least {LEAST_MEMORY >> 20}M."
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="page",
    show_default=True,
    help="What a page of the graph is: a page, or a whole host or domain, with its links counted; "
    "a SOURCE may then be a graph.",
)
@click.option("--temp", type=click.Path(file_okay=False), help="The folder for temporary files.")
@click.option(
    "--dry-run", is_flag=True, help="Show which reader takes each source, and build nothing."
)
def command(
    paths: tuple[str, ...],
    output: str,
    files_from: tuple[str, ...],
    ranks: tuple[str, ...],
    memory: str | None,
    level: str,
    temp: str | None,
    dry_run: bool,
    **options: Any,
) -> None:
    """Build a graph from SOURCEs: files or folders, `-` for standard input."""
    begun = time.monotonic()
    refused = Refused()
    paths = all_paths(paths, files_from, refused)
    settings = build_settings(options)
    if dry_run:
        describe(paths, settings)
        return
    wanted = [rank_named(name)() for name in dict.fromkeys(ranks)]
    bound = memory_bound(memory)
    say_temporary_space(paths, Path(temp or output), bound)
    with ProgressLine() as progress:
        graph = build_at(
            level,
            paths,
            output,
            memory=bound,
            temporary=temp,
            refused=refused,
            progress=progress,
            **settings,
        )
    say_read(graph, time.monotonic() - begun, refused)
    click.echo(f"{Path(output)}: {len(graph):,} {level}s, {graph.n_links:,} links")
    for rank in wanted:
        with ProgressLine() as progress:
            ranking = graph.rank(rank, progress=progress)
        say(ranking.summary)
        for note in ranking.notes:
            say(note)


def _stop(number: int, frame: object) -> NoReturn:
    """End as if interrupted, so that what was begun is removed."""
    raise SystemExit(128 + number)


def build_at(level: str, paths: tuple[str, ...], output: str, **settings: Any) -> api.Graph:
    """Build the graph of pages; or from it, or from one that is there, that of hosts or domains."""
    signal.signal(signal.SIGTERM, _stop)
    if level == "page":
        return api.build(paths, output, **settings)
    shared = ("memory", "temporary", "progress", "keep", "store")
    ours: dict[str, Any] = {name: settings.get(name) for name in shared}
    if len(paths) == 1 and Path(paths[0], CURRENT).is_file():
        return build_level(api.open(paths[0]), output, level, **ours)
    folder = settings["temporary"] or Path(output).absolute().parent
    with tempfile.TemporaryDirectory(dir=folder) as place:
        pages = api.build(paths, Path(place, "pages.graph"), **{**settings, "keep": None})
        return build_level(pages, output, level, **ours)


def say_read(graph: api.Graph, seconds: float, refused: Refused) -> None:
    """Say what was read and refused, and how long it took."""
    built = graph.store.manifest["built"]
    for reader, counts in built.get("found", {}).items():
        listed = ", ".join(f"{count:,} {what}" for what, count in counts.items())
        say(f"{reader}: {listed}")
    read = built["of"]["links"] if "of" in built else graph.store.manifest["read_links"]
    say(f"Read {read:,} links in {seconds:.1f} s; {refused}.")
    if built.get("left_out"):
        least = built["least_parents"]
        say(f"{built['left_out']:,} pages with fewer than {least} parents were left out.")
    say_refused(refused)


def describe(paths: tuple[str, ...], settings: dict[str, Any]) -> None:
    """Show which reader takes each source."""
    known = {*declared_options(Naming), *inspect.signature(api.build).parameters}
    reading = {name: one for name, one in settings.items() if name not in known}
    names = settings.get("names_file")
    for line in sources.describe(paths, format=settings["format"], names=names, options=reading):
        click.echo(line)


def say_refused(refused: Refused) -> None:
    """Say what was refused, by examples."""
    for reason, examples in refused.examples.items():
        for example in examples:
            say(f"  {reason}: {example}")


def all_paths(
    paths: tuple[str, ...], listings: tuple[str, ...], refused: Refused
) -> tuple[str, ...]:
    """The sources that were named, and those of lists; OptionError where there are none."""
    found = (*paths, *(path for listing in listings for path in files_in(listing, refused)))
    if not found:
        raise OptionError("build: no source was given; name files or folders, or --files-from.")
    return found


def say_temporary_space(paths: tuple[str, ...], folder: Path, bound: int) -> None:
    """Say how much disk the build may need for a while, if memory may not be enough.

    Links take up to three times the bytes of a list of them; packed lists
    unpack to five times as much and more.
    """
    files = [Path(path) for path in paths if Path(path).is_file()]
    packed = (".gz", ".bz2", ".xz", ".zst")
    need = sum(file.stat().st_size * (15 if file.suffix in packed else 3) for file in files)
    if need <= bound:
        return
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(there).free
    say(
        f"Temporary files may take up to {need / 1e9:.1f} GB in {folder}, "
        f"where {free / 1e9:.1f} GB are free; choose another folder with --temp."
    )


def memory_bound(text: str | None, verb: str = "build") -> int:
    """The bytes that `2G` or `512M` mean; half of the machine's memory by default."""
    if text is None:
        return max(LEAST_MEMORY, physical_memory() // 2)
    parts = re.fullmatch(r"([0-9]{1,18})\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    bound = int(parts[1]) * UNITS[parts[2].upper()] if parts else 0
    if bound < LEAST_MEMORY:
        raise OptionError(
            f"{verb}: memory must be at least {LEAST_MEMORY >> 20}M, "
            f"such as 512M or 2G, got {text!r:.40}."
        )
    return bound
