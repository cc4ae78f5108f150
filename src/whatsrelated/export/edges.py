"""A list of edges: a link on each line, in two columns under `source` and `target`.

With tabs; with commas and quotes where the name ends with `.csv`.  A page that
no link has is written as a link to itself, which a build does not keep: so it
stays a page.  There is no place for titles, unless `names_to` is given: then
the list has numbers, and that file their names and titles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.errors import BuildError
from whatsrelated.export.writer import Run, Writer, runs, whole_file
from whatsrelated.options import option

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress

_ODD = re.compile(r'[",]|^[ #%]|^ | $')
_LOST = re.compile(r"^ | $|^#|^%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True)
class Edges(Writer):
    """A link on each line, in two columns."""

    name: ClassVar[str] = "edges"
    sentence: ClassVar[str] = "a link on each line, in two columns: tabs, or CSV"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".csv", ".txt")

    names_to: str | None = option(
        None, "write numbers, and here what they stand for: number, url, title", kind=str
    )

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        if self.names_to is not None:
            with whole_file(path) as links, whole_file(Path(self.names_to)) as names:
                self._write_numbers(store, links, names, progress)
            return
        comma = path.name.removesuffix(".gz").endswith(".csv")
        with whole_file(path) as file:
            file.write(b"source,target\n" if comma else b"source\ttarget\n")
            for run in runs(store, progress):
                self._write_names(store, run, file, comma)

    def _write_names(self, store: Store, run: Run, file: IO[bytes], comma: bool) -> None:
        spelt = _quoted if comma else _plain
        mark = "," if comma else "\t"
        targets = iter([spelt(name) for name in run.target_names(store)])
        sources = [spelt(name) for name in run.names]
        lines = [
            f"{source}{mark}{next(targets)}\n"
            for source, count in zip(sources, run.counts, strict=True)
            for _ in range(count)
        ]
        alone = [sources[page - run.first] for page in run.alone(store)]
        lines += [f"{name}{mark}{name}\n" for name in alone]
        file.write("".join(lines).encode())

    def _write_numbers(
        self, store: Store, links: IO[bytes], names: IO[bytes], progress: Progress | None
    ) -> None:
        links.write(b"source\ttarget\n")
        names.write(b"number\turl\ttitle\n")
        for run in runs(store, progress):
            pages = range(run.first, run.first + len(run.names))
            sources = np.repeat(np.array(pages), run.counts)
            pairs = zip(sources.tolist(), run.targets.tolist(), strict=True)
            links.write("".join(f"{source}\t{target}\n" for source, target in pairs).encode())
            rows = zip(pages, map(_plain, run.names), run.titles, strict=True)
            names.write(
                "".join(f"{page}\t{name}\t{title}\n" for page, name, title in rows).encode()
            )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if _ODD.search(name) else name


def _plain(name: str) -> str:
    if _LOST.search(name):
        raise BuildError(f"The name {name!r:.80} would be lost between tabs; write a .csv instead.")
    return name
