"""`related build`: build one graph from any sources, detecting their formats."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from whatsrelated import api
from whatsrelated.api.building import BuildOptions
from whatsrelated.api.levels import LEVELS, build_level
from whatsrelated.cli.build_options import build_options
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import clean, counted, say
from whatsrelated.cli.parameters import drop_unset
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.graph.format import CURRENT
from whatsrelated.graph.plan import MIN_MEMORY, WriteOptions
from whatsrelated.options import bytes_of, configure, divide
from whatsrelated.ranks import RANKS
from whatsrelated.sources import Sources, dry_run
from whatsrelated.sources.file_lists import files_in
from whatsrelated.stream import Progress, Refused


@click.command(name="build", cls=LongCommand)
@build_options(BuildOptions)
@click.option(
    "--rank",
    "ranks",
    multiple=True,
    help=f"Also compute and store this rank: {', '.join(RANKS)}; may be repeated.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="page",
    show_default=True,
    help="Granularity of the nodes: pages, hosts or domains (links are then counted); "
    "SOURCE may be an existing graph.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show which reader handles each source, how it was recognised, and ten of its links; "
    "build nothing.",
)
def command(
    paths: tuple[str, ...],
    output: str,
    files_from: tuple[str, ...],
    ranks: tuple[str, ...],
    level: str,
    dry_run: bool,
    **options: Any,
) -> None:
    """Build a graph from SOURCEs: files or folders, `-` for standard input."""
    begun = time.monotonic()
    refused = Refused()
    paths = all_paths(paths, files_from, refused)
    set_options = drop_unset(options)
    if dry_run:
        describe(paths, set_options)
        return
    chosen_ranks = [RANKS[name]() for name in dict.fromkeys(ranks)]
    set_options["memory"] = memory_bound(set_options.get("memory"))
    say_temporary_space(paths, Path(set_options.get("temp", output)), set_options["memory"])
    with ProgressLine() as progress:
        graph = build_at(level, paths, output, set_options, refused=refused, progress=progress)
    say_read(graph, time.monotonic() - begun, refused)
    sizes = f"{counted(len(graph), f'{level}s')}, {counted(graph.n_links, 'links')}"
    click.echo(f"{Path(output)}: {sizes}")
    for rank in chosen_ranks:
        with ProgressLine() as progress:
            ranking = graph.rank(rank, progress=progress)
        say(ranking.summary)
        for note in ranking.notes:
            say(note)


def announce(opened: Sources) -> None:
    """Report how each large source was recognised, before it is read."""
    for line in dry_run.recognised(opened):
        say(line)


def build_at(
    level: str,
    paths: tuple[str, ...],
    output: str,
    options: dict[str, Any],
    *,
    refused: Refused,
    progress: Progress,
) -> api.Graph:
    """Build a graph of pages, or one of hosts or domains from pages or an existing graph."""
    if level == "page":
        return api.build(
            paths, output, refused=refused, progress=progress, announce=announce, **options
        )
    of_pages = {**options, "keep": None}
    writing = {**divide(options, WriteOptions)[0], "least_parents": 0}  # already applied
    if "www" in options:
        writing["www"] = options["www"]
    if len(paths) == 1 and Path(paths[0], CURRENT).is_file():
        return build_level(api.open(paths[0]), output, level, progress=progress, **writing)
    folder = options.get("temp") or Path(output).absolute().parent
    with tempfile.TemporaryDirectory(dir=folder) as place:
        pages = api.build(
            paths,
            Path(place, "pages.graph"),
            refused=refused,
            progress=progress,
            announce=announce,
            **of_pages,
        )
        return build_level(pages, output, level, progress=progress, **writing)


def say_read(graph: api.Graph, seconds: float, refused: Refused) -> None:
    """Report how much was read and rejected, and how long it took."""
    built = graph.store.manifest["built"]
    for reader, counts in built.get("found", {}).items():
        listed = ", ".join(counted(count, what) for what, count in counts.items())
        say(f"{reader}: {listed}")
    read = built["of"]["links"] if "of" in built else graph.store.manifest["read_links"]
    say(f"Read {counted(read, 'links')} in {seconds:.1f} s; {refused}.")
    if built.get("left_out"):
        min_parents = built["least_parents"]
        say(f"{built['left_out']:,} pages with fewer than {min_parents} parents were left out.")
    say_refused(refused)


def describe(paths: tuple[str, ...], options: dict[str, Any]) -> None:
    """Show which reader handles each source."""
    build_options_given, reader_options = divide(options, BuildOptions)
    build_options_set = configure(BuildOptions, build_options_given)
    for line in dry_run.describe(paths, build_options_set, reader_options):
        click.echo(clean(line))


def say_refused(refused: Refused) -> None:
    """Show examples of rejected input."""
    for reason, examples in refused.examples.items():
        for example in examples:
            say(f"  {reason}: {example}")


def all_paths(
    paths: tuple[str, ...], listings: tuple[str, ...], refused: Refused
) -> tuple[str, ...]:
    """The named sources plus those in list files; raises OptionError if there are none."""
    sources_named = (*paths, *(path for listing in listings for path in files_in(listing, refused)))
    if not sources_named:
        raise OptionError("build: no source given; name files or folders, or use --files-from.")
    return sources_named


def say_temporary_space(paths: tuple[str, ...], folder: Path, bound: int) -> None:
    """Report how much temporary disk space the build may need if memory runs short.

    Links take up to three times the size of a plain list; compressed lists unpack to at least five
    times their size.
    """
    files = [Path(path) for path in paths if Path(path).is_file()]
    packed = (".gz", ".bz2", ".xz", ".zst")
    need = sum(file.stat().st_size * (15 if file.suffix in packed else 3) for file in files)
    if need <= bound:
        return
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(existing).free
    say(
        f"Temporary files may take up to {need / 1e9:.1f} GB in {folder}, "
        f"which has {free / 1e9:.1f} GB free; choose another folder with --temp."
    )


def memory_bound(text: str | None, verb: str = "build") -> int:
    """The number of bytes in a size such as `2G`; half of the machine's memory by default."""
    bound = WriteOptions().memory_bound if text is None else bytes_of(text) or 0
    if bound < MIN_MEMORY:
        raise OptionError(
            f"{verb}: memory must be at least {MIN_MEMORY >> 20}M, "
            f"such as 512M or 2G, got {text!r:.40}."
        )
    return bound
