"""Build a graph on disk from files or from a stream of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from whatsrelated.api.arguments import folder_named, require_refused, stream_of_pages
from whatsrelated.api.graph import Graph
from whatsrelated.graph.build import build_on_disk
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan, WriteOptions
from whatsrelated.graph.text_index import with_text_index
from whatsrelated.names.naming import Naming
from whatsrelated.options import configure, declared_options, divide, no_option
from whatsrelated.sources import ReadOptions, Sources, open_sources
from whatsrelated.sources.parsed_files import ParsedFiles
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused


@dataclass(frozen=True)
class BuildOptions(Naming, WriteOptions, ReadOptions):
    """The options of every build, from the command line, Python or Spark.

    Each part declares the options it uses: for reading sources, writing the graph and naming pages.
    """

    name: ClassVar[str] = "build"


def build(
    sources: str | Path | Iterable[str | Path] | Iterable[Page | NamedLinks | NumberedLinks],
    path: str | Path,
    *,
    refused: Refused | None = None,
    progress: Progress | None = None,
    announce: Callable[[Sources], None] | None = None,
    **options: Any,
) -> Graph:
    """Build a graph from files, or from a stream of pages, and open it.

    `announce` is called with the recognised files before they are read.

    `options` takes the options of `BuildOptions` and, for files, of the readers. Files without
    links are an error, unless `allow_empty` is set.
    """
    folder = folder_named(path)
    require_refused("build", refused)
    counts = Refused() if refused is None else refused
    build_options, reader_options = divide(options, BuildOptions)
    chosen = configure(BuildOptions, build_options)
    stream: Iterable[Any] = [sources] if isinstance(sources, str | Path) else sources
    parsed = ParsedFiles(folder, str(chosen.temp) if chosen.temp else None)
    provenance, ordered = chosen.recorded(), not chosen.unordered
    if isinstance(stream, list | tuple) and all(isinstance(one, str | Path) for one in stream):
        opened = open_sources(
            stream,
            chosen,
            refused=counts,
            memory=chosen.memory_bound // 4,
            temporary=chosen.temp,
            progress=progress,
            options=reader_options,
            parsed=parsed,
        )
        if announce is not None:
            announce(opened)
        provenance |= {**opened.provenance, "options": reader_options}
        stream, ordered = opened, opened.ordered
    elif reader_options:
        raise no_option("build", next(iter(reader_options)), declared_options(BuildOptions))
    else:
        stream = stream_of_pages("build", stream)
        chosen = replace(chosen, allow_empty=True)
    plan = Plan(
        chosen,
        chosen,
        ordered=ordered,
        columns=columns(chosen, chosen.text),
        provenance=provenance,
        refused=counts,
        progress=progress,
    )
    built = build_on_disk(stream, folder, plan)
    parsed.save()
    return Graph(with_text_index(built, progress))
