"""`related build`: any sources, recognised by what they are, into one graph."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

import click

from whatsrelated import api, sources
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import given, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.graph.build import LEAST_MEMORY
from whatsrelated.stream import Refused

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@click.command(name="build")
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", default="web.graph", show_default=True, help="The graph to make.")
@click.option("--format", "kind", help="The format of the sources, where it is not recognised.")
@click.option("--names-file", help="The names of pages that the sources number.")
@click.option("--unordered", is_flag=True, help="The sources do not have links in page order.")
@click.option("--strict", is_flag=True, help="A bad line is an error, instead of being counted.")
@click.option(
    "--memory", help=f"How much memory to use at most, such as 2G; at least {LEAST_MEMORY >> 20}M."
)
@click.option("--temp", type=click.Path(file_okay=False), help="Where temporary files go.")
@click.option(
    "--dry-run", is_flag=True, help="Say which reader takes each source, and build nothing."
)
@options_of([api.Naming])
def command(
    paths: tuple[str, ...],
    output: str,
    kind: str | None,
    names_file: str | None,
    unordered: bool,
    strict: bool,
    memory: str | None,
    temp: str | None,
    dry_run: bool,
    **naming: Any,
) -> None:
    """Build a graph from SOURCEs: files or folders, `-` for standard input."""
    begun = time.monotonic()
    reading = {"format": kind, "names": names_file}
    if dry_run:
        for line in sources.describe(paths, **reading):
            click.echo(line)
        return
    bound = memory_bound(memory)
    refused = Refused()
    source = sources.open_sources(
        paths, **reading, ordered=not unordered, strict=strict, refused=refused, memory=bound // 4
    )
    with ProgressLine() as progress:
        graph = api.build(
            source,
            output,
            ordered=source.ordered,
            memory=bound,
            temporary=temp,
            refused=refused,
            progress=progress,
            told={"sources": [str(path) for path in paths]},
            **given(naming),
        )
    seconds = time.monotonic() - begun
    read = graph.store.manifest["read_links"]
    say(f"Read {read:,} links in {seconds:.1f} s; {refused}.")
    for reason, examples in refused.examples.items():
        for example in examples:
            say(f"  {reason}: {example}")
    click.echo(f"{Path(output)}: {len(graph):,} pages, {graph.n_links:,} links")


def memory_bound(text: str | None) -> int:
    """The bytes that `2G` or `512M` mean; half of the machine's memory where nothing is said."""
    if text is None:
        return max(LEAST_MEMORY, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    parts = re.fullmatch(r"(\d+)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    bound = int(parts[1]) * UNITS[parts[2].upper()] if parts else 0
    if bound < LEAST_MEMORY:
        raise OptionError(
            f"build: memory must be at least {LEAST_MEMORY >> 20}M, "
            f"such as 512M or 2G, got {text!r:.40}."
        )
    return bound
