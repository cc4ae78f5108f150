"""Write a graph as files that other programs, and `build`, can read.

Each writer is one file and one line in the table, chosen by name or by the output's extension;
other packages add writers through the entry-point group `whatsrelated.exports`.  Reading an export
back with `--urls keep` gives an equal graph: the same pages, links, order and titles.  A list of
edges by URL has no titles; see `drawings` for what its formats leave out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.apps.export.writer import Writer
from whatsrelated.errors import OptionError
from whatsrelated.options import configure
from whatsrelated.registry import Registry

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress

WRITERS: Registry[type[Writer]] = Registry(
    "format to write",
    "whatsrelated.exports",
    {
        "edges": "whatsrelated.apps.export.edges:EdgesWriter",
        "jsonl": "whatsrelated.apps.export.jsonl:JSONLinesWriter",
        "parquet": "whatsrelated.apps.export.parquet:ParquetPages",
        "graphml": "whatsrelated.apps.export.graphml:GraphMLWriter",
        "gexf": "whatsrelated.apps.export.drawings:GexfWriter",
        "dot": "whatsrelated.apps.export.drawings:DotWriter",
        "pajek": "whatsrelated.apps.export.drawings:PajekWriter",
        "matrixmarket": "whatsrelated.apps.export.drawings:MatrixMarketWriter",
        "npy": "whatsrelated.apps.export.arrays:ArraysWriter",
    },
)


def export(
    store: Store,
    path: str | Path,
    format: str | None = None,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a graph in this format; the default is the format that the path implies."""
    target = Path(path)
    kind = WRITERS[format] if format is not None else _by_name(target)
    with store.read_through():
        configure(kind, options).write(store, target, progress)
    return target


def _by_name(path: Path) -> type[Writer]:
    name = path.name.removesuffix(".gz")
    for writer in WRITERS.values():
        if name.endswith(writer.suffixes):
            return writer
    known = ", ".join(suffix for writer in WRITERS.values() for suffix in writer.suffixes)
    raise OptionError(
        f"export: unknown format of {path.name}; use a name ending in {known}, or --format."
    )
