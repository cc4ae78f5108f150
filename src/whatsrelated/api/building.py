"""Building a graph on disk from files, or from a stream of pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from whatsrelated.api.arguments import (
    folder_named,
    require_refused,
    require_whole,
    stream_of_pages,
)
from whatsrelated.api.graph import Graph
from whatsrelated.errors import OptionError
from whatsrelated.graph.build import build_on_disk
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan
from whatsrelated.names.naming import Naming
from whatsrelated.options import declared_options
from whatsrelated.query.request import split_options
from whatsrelated.sources import open_sources
from whatsrelated.sources.parsed_files import ParsedFiles
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused


def build(
    sources: str | Path | Iterable[str | Path] | Iterable[Page | NamedLinks | NumberedLinks],
    path: str | Path,
    *,
    format: str | None = None,
    names_file: str | Path | Iterable[str | Path] | None = None,
    ordered: bool = True,
    strict: bool = False,
    memory: int = 4 << 30,
    temporary: str | Path | None = None,
    refused: Refused | None = None,
    progress: Progress | None = None,
    text: bool = False,
    allow_empty: bool = False,
    keep: int | None = None,
    store: str = "auto",
    least_parents: int = 0,
    **options: Any,
) -> Graph:
    """Build a graph from files, or from a stream of pages, and open it.

    `text` stores the words of pages, for hubfinder's `like`.  Files without links are an error,
    unless `allow_empty`.  `keep` generations stay.  `store`: links plain or packed; auto packs
    those of large graphs.  Pages that were not read are left out if fewer than `least_parents`
    link to them.  `options` are those of `Naming` and readers.
    """
    # More than 60 lines: most are its parameters, and handing them on.
    folder = folder_named(path)
    require_refused("build", refused)
    require_whole("build", "memory", memory, 0)
    require_whole("build", "least_parents", least_parents, 0)
    if keep is not None:
        require_whole("build", "keep", keep, 1)
    spill = folder_named(temporary, "temporary") if temporary else None
    naming, own = split_options(options, Naming)
    counts = Refused() if refused is None else refused
    description = naming.settings()
    stream: Iterable[Any] = [sources] if isinstance(sources, str | Path) else sources
    files = isinstance(stream, list | tuple) and all(isinstance(one, str | Path) for one in stream)
    parsed = ParsedFiles(folder, str(spill) if spill else None)
    if files:
        opened = open_sources(
            stream,
            format=format,
            names=names_file,
            ordered=ordered,
            strict=strict,
            refused=counts,
            memory=memory // 4,
            text=text,
            temporary=temporary,
            progress=progress,
            options=own,
            parsed=parsed,
        )
        description |= {**opened.provenance, "options": own}
        stream, ordered = opened, opened.ordered
    elif own:
        known = ", ".join(declared_options(Naming))
        raise OptionError(f"build has no option {next(iter(own))!r:.80}; it has: {known}.")
    else:
        stream = stream_of_pages("build", stream)
    plan = Plan(
        naming,
        ordered=ordered,
        memory=memory,
        temporary=spill,
        columns=columns(naming, text),
        provenance=description,
        refused=counts,
        progress=progress,
        allow_empty=allow_empty or not files,
        keep=keep,
        store=store,
        least_parents=least_parents,
    )
    built = build_on_disk(stream, folder, plan)
    parsed.save()
    return Graph(built)
