"""`related build`: any sources, recognised by what they are, into one graph."""

from __future__ import annotations

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
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import drop_unset, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.graph.build import LEAST_MEMORY
from whatsrelated.graph.format import CURRENT
from whatsrelated.graph.packing import STORES
from whatsrelated.machine.resources import physical_memory
from whatsrelated.names.naming import Naming
from whatsrelated.options import declared_options
from whatsrelated.ranks import RANKS, rank_named
from whatsrelated.sources.file_lists import files_in
from whatsrelated.stream import Refused

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@click.command(name="build")
@click.argument("paths", nargs=-1, metavar="SOURCE...")
@click.option(
    "-o", "--output", default="web.graph", show_default=True, help="The folder of the new graph."
)
@click.option(
    "--files-from",
    multiple=True,
    help="A file with the path of a source on each line, `-` for standard input; may be repeated.",
)
@click.option("--format", "kind", help="The format of the sources, if it is not recognised.")
@click.option(
    "--names-file",
    multiple=True,
    help="A file with the names of the pages that the sources number; may be repeated.",
)
@click.option(
    "--text", is_flag=True, help="Store the counts of the first 1,000 words of every page."
)
@click.option(
    "--rank",
    "ranks",
    multiple=True,
    help=f"Compute and store this rank, too: {', '.join(RANKS)}; may be repeated.",
)
@click.option("--unordered", is_flag=True, help="The links of the sources are in no order.")
@click.option("--strict", is_flag=True, help="Stop at the first bad line instead of counting it.")
@click.option(
    "--memory", help=f"The most memory to use, such as 2G; at least {LEAST_MEMORY >> 20}M."
)
@click.option(
    "--allow-empty", is_flag=True, help="Build the graph even if the sources have no links."
)
@click.option(
    "--keep",
    type=click.IntRange(1),
    help="How many generations of the graph to keep, this one included; by default as many as now.",
)
@click.option(
    "--store",
    type=click.Choice(STORES),
    default="auto",
    show_default=True,
    help="How links are stored: plain; packed, in a third to a half of the bytes; or, if there are "
    "many, packed.",
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
@options_of([Naming, *sources.settings()])
def command(
    paths: tuple[str, ...],
    output: str,
    files_from: tuple[str, ...],
    kind: str | None,
    names_file: tuple[str, ...],
    text: bool,
    ranks: tuple[str, ...],
    unordered: bool,
    strict: bool,
    memory: str | None,
    allow_empty: bool,
    keep: int | None,
    store: str,
    level: str,
    temp: str | None,
    dry_run: bool,
    **options: Any,
) -> None:
    """Build a graph from SOURCEs: files or folders, `-` for standard input."""
    # More than 60 lines: most are its options, and handing them on.
    begun = time.monotonic()
    refused = Refused()
    paths = all_paths(paths, files_from, refused)
    if dry_run:
        describe(paths, kind, names_file, drop_unset(options))
        return
    wanted = [rank_named(name)() for name in dict.fromkeys(ranks)]
    bound = memory_bound(memory)
    say_temporary_space(paths, Path(temp or output), bound)
    with ProgressLine() as progress:
        graph = build_at(
            level,
            paths,
            output,
            format=kind,
            names_file=names_file,
            text=text,
            ordered=not unordered,
            strict=strict,
            memory=bound,
            temporary=temp,
            allow_empty=allow_empty,
            keep=keep,
            store=store,
            refused=refused,
            progress=progress,
            **drop_unset(options),
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
    ours = {name: settings[name] for name in ("memory", "temporary", "progress", "keep", "store")}
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
    say_refused(refused)


def describe(
    paths: tuple[str, ...], kind: str | None, names_file: tuple[str, ...], options: dict[str, Any]
) -> None:
    """Show which reader takes each source."""
    reading = {name: one for name, one in options.items() if name not in declared_options(Naming)}
    for line in sources.describe(paths, format=kind, names=names_file, options=reading):
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
