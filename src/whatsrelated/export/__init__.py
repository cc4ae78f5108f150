"""A graph as files that other programs read, and that `build` reads back.

A writer is one file and one line in the table; the end of the output's name
chooses it, or its own name does.  Read back with `--urls keep`, every format
gives an equal graph: the same pages, links, order and titles (a list of edges
by URL has no titles).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import OptionError
from whatsrelated.export.writer import Writer
from whatsrelated.options import configured

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress

TABLE = {
    "edges": "whatsrelated.export.edges:Edges",
    "jsonl": "whatsrelated.export.jsonl:JSONLines",
    "parquet": "whatsrelated.export.parquet:Parquet",
    "graphml": "whatsrelated.export.graphml:GraphML",
    "npy": "whatsrelated.export.arrays:Arrays",
}


def writer_named(name: str) -> type[Writer]:
    """The writer of that format."""
    if name not in TABLE:
        raise OptionError(f"No format {name!r:.80} to write; there are: {', '.join(TABLE)}.")
    module, _, attribute = TABLE[name].partition(":")
    writer: type[Writer] = getattr(importlib.import_module(module), attribute)
    return writer


def writers() -> list[type[Writer]]:
    return [writer_named(name) for name in TABLE]


def export(
    store: Store,
    path: str | Path,
    format: str | None = None,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a graph; the format is that of the path's end where it is not said."""
    target = Path(path)
    kind = writer_named(format) if format is not None else _by_name(target)
    configured(kind, options).write(store, target, progress)
    return target


def _by_name(path: Path) -> type[Writer]:
    name = path.name.removesuffix(".gz")
    for writer in writers():
        if name.endswith(writer.suffixes):
            return writer
    known = ", ".join(suffix for writer in writers() for suffix in writer.suffixes)
    raise OptionError(f"export: the name {path.name} tells no format; end it with {known}.")
