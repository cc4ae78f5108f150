"""A list of edges: one link per line, in two columns named `source` and `target`.

Columns are separated by tabs, or written as CSV if the name ends with `.csv`. A page without links
is written as a link to itself; a build drops that link but keeps the page. To keep titles, use
`names_to`: the list then has numbers, and that file has their names and titles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.apps.export.writer import PageBlock, Writer, export_file, page_blocks
from whatsrelated.errors import BuildError
from whatsrelated.options import option

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress

_ODD = re.compile(r'[",]|^[ #%]|^ | $')
_LOST = re.compile(r"^ | $|^#|^%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True)
class EdgesWriter(Writer):
    """One link per line, in two columns, separated by tabs or as CSV."""

    name: ClassVar[str] = "edges"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".csv", ".txt")

    names_to: str | None = option(
        None, "write numbers instead of names, and the names to this file (number, url, title)"
    )

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        if self.names_to is not None:
            with export_file(path) as links, export_file(Path(self.names_to)) as names:
                self._write_numbered(store, links, names, progress)
            return
        comma = path.name.removesuffix(".gz").endswith(".csv")
        with export_file(path) as file:
            file.write(b"source,target\n" if comma else b"source\ttarget\n")
            for block in page_blocks(store, progress):
                self._write_named(store, block, file, comma)

    def _write_named(self, store: Store, block: PageBlock, file: IO[bytes], comma: bool) -> None:
        quote = _quoted if comma else _plain
        mark = "," if comma else "\t"
        targets = iter([quote(name) for name in block.target_names(store)])
        sources = [quote(name) for name in block.names]
        lines = [
            f"{source}{mark}{next(targets)}\n"
            for source, count in zip(sources, block.counts, strict=True)
            for _ in range(count)
        ]
        alone = [sources[page - block.first] for page in block.alone(store)]
        lines += [f"{name}{mark}{name}\n" for name in alone]
        file.write("".join(lines).encode())

    def _write_numbered(
        self, store: Store, links: IO[bytes], names: IO[bytes], progress: Progress | None
    ) -> None:
        links.write(b"source\ttarget\n")
        names.write(b"number\turl\ttitle\n")
        for block in page_blocks(store, progress):
            pages = range(block.first, block.first + len(block.names))
            sources = np.repeat(np.array(pages), block.counts)
            pairs = zip(sources.tolist(), block.targets.tolist(), strict=True)
            links.write("".join(f"{source}\t{target}\n" for source, target in pairs).encode())
            rows = zip(pages, map(_plain, block.names), block.titles, strict=True)
            names.write(
                "".join(f"{page}\t{name}\t{title}\n" for page, name, title in rows).encode()
            )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if _ODD.search(name) else name


def _plain(name: str) -> str:
    if _LOST.search(name):
        raise BuildError(f"{name!r:.80} cannot be written between tabs; write a .csv file instead.")
    return name
