"""Web graphs published by LAW and Software Heritage: BVGraph's `.graph` and `.properties`.

1. Read the properties: the number of pages, the number of links, and the codes.
2. Decode the links, page by page (`kernels.bvgraph`), from the mapped file.
3. Pages are numbered from 0; the number of links must match the properties.

Names, if any, are in a separate file.  Links are ascending, so their order on the page is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.sources.reader import Item, ReadContext, Reader, whole_number
from whatsrelated.stream import NumberedLinks

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

CODES = {"UNARY": 0, "GAMMA": 1, "DELTA": 2, "ZETA": 3, "NIBBLE": 4}
DEFAULTS = {"OUTDEGREES": 1, "REFERENCES": 0, "BLOCK_COUNT": 1, "BLOCKS": 1, "RESIDUALS": 3}
MAX_PAGES = 2**32 - 1
LINKS_PER_READ = 1 << 21
CUT = 1
LONGEST = 56
"""Maximum number of bits in a value."""


class BVGraphReader(Reader):
    """A published web graph, compressed with WebGraph."""

    name = "bvgraph"
    sentence = "a published web graph: .graph with its .properties"
    suffixes = (".graph",)
    first_number = 0
    ordered = False

    @classmethod
    def recognises(cls, file: File) -> bool:
        return file.path.suffix in (".graph", ".properties") and (
            file.path.with_suffix(".properties").is_file()
            and b"webgraph" in file.path.with_suffix(".properties").read_bytes()
        )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        properties = Properties(file.path.with_suffix(".properties"))
        path = file.path.with_suffix(".graph")
        try:
            data = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
        except OSError as error:
            raise ReadError(f"{path} cannot be read: {error.strerror}.") from error
        nodes, arcs = properties.nodes, properties.arcs
        if nodes > 8 * len(data):
            raise ReadError(
                f"{path} is cut short, or {properties.path.name} belongs to another graph: "
                f"{len(data):,} bytes cannot hold {nodes:,} pages."
            )
        graph = kernels.bvgraph.BVGraph(
            data,
            nodes,
            arcs,
            properties.number("windowsize"),
            properties.number("minintervallength"),
            properties.number("zetak", 3, low=1, high=LONGEST),
            properties.codes(),
        )
        at_once = max(1, min(LINKS_PER_READ, context.memory // 32))
        count = 0
        while graph.node < nodes and not graph.fault:
            sources, targets = graph.read(at_once)
            links = NumberedLinks(sources, targets, nodes)
            count += len(links.sources)
            yield links
        self._check(path, properties, graph, count, len(data))

    def _check(
        self,
        path: Path,
        properties: Properties,
        graph: kernels.bvgraph.BVGraph,
        count: int,
        size: int,
    ) -> None:
        nodes, arcs = properties.nodes, properties.arcs
        if graph.fault == CUT:
            raise ReadError(
                f"{path} is cut short: it ends within page {graph.node:,} of {nodes:,}, "
                f"or {properties.path.name} belongs to another graph."
            )
        if graph.fault or count != arcs:
            where = (
                f"page {graph.node:,} is not valid" if graph.fault else f"it has {count:,} links"
            )
            raise ReadError(
                f"{path} does not match its properties ({nodes:,} pages, {arcs:,} links): {where}."
            )
        if size - graph.position // 8 > 8:
            raise ReadError(
                f"{path} has {size - graph.position // 8:,} bytes after the last page: "
                f"{properties.path.name} belongs to another graph."
            )


class Properties:
    """The `.properties` file of a graph."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = path.read_text("latin-1")
        except OSError as error:
            raise ReadError(
                f"{path}, which must accompany the graph, cannot be read: {error.strerror}."
            ) from error
        lines = [line for line in text.splitlines() if re.match(r"\s*[^#!\s][^=:]*[=:]", line)]
        pairs = [re.split(r"[=:]", line, maxsplit=1) for line in lines]
        self._values = {name.strip(): value.strip() for name, value in pairs}
        kind = self._values.get("graphclass", "").removeprefix("class ").rpartition(".")[2]
        if kind != "BVGraph":
            raise ReadError(f"{path}: the graph class must be BVGraph, got {kind or 'none'}.")
        if self._values.get("endianness", "big") != "big":
            raise ReadError(
                f"{path}: the graph is little-endian; only big-endian graphs can be read."
            )
        self.nodes = self.number("nodes")
        self.arcs = self.number("arcs")
        if self.nodes > MAX_PAGES:
            raise ReadError(
                f"{path} has {self.nodes:,} pages; a graph holds at most {MAX_PAGES:,}."
            )

    def number(
        self, name: str, default: int | None = None, low: int = 0, high: int = 2**62 - 1
    ) -> int:
        """A numeric property."""
        text = self._values.get(name)
        if text is None and default is not None:
            return default
        number = None if text is None else whole_number(text)
        if number is None or not low <= number <= high:
            raise ReadError(f"{self.path}: {name} must be a number, got {text!r:.40}.")
        return number

    def codes(self) -> tuple[int, ...]:
        """The code used for each part of a page's links."""
        codes = dict(DEFAULTS)
        for flag in re.split(r"[|,\s]+", self._values.get("compressionflags", "").strip()):
            part, _, code = flag.rpartition("_")
            if part in codes and code in CODES:
                codes[part] = CODES[code]
            elif flag and part != "OFFSETS":
                raise ReadError(f"{self.path}: the code {flag!r:.40} is unknown.")
        return tuple(codes.values())
