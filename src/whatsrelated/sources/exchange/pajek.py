"""Pajek: `*Vertices n`, a line such as `1 "Tea"` for each, then `*Arcs`, `*Edges` or lists of them.

Numbers start at 1. An arc is a link, and an edge is a link in both directions. Each line of
`*Arcslist` has a page and all its links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.sources.nodes import NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import begins

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_VERTEX = re.compile(r'\s*([0-9]+)\s*(?:"([^"]*)"|(\S+))?')
SECTIONS = ("vertices", "arcs", "edges", "arcslist", "edgeslist")


@dataclass(frozen=True)
class PajekReader(NodeReader):
    """Vertices, arcs and edges, one per line."""

    name = "pajek"
    sentence = "Pajek: vertices, arcs and edges"
    contents = begins(rb"(?:%[^\n]*\n\s*)*\*(?:network|vertices)\b")
    suffixes = (".net", ".paj")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        nodes = Nodes(self.node_name or "label", file, context)
        section = ""
        for number, line in file.numbered_lines():
            text = line.decode("utf-8", "replace").strip()
            if not text or text.startswith("%"):
                continue
            if text.startswith("*"):
                section = text[1:].split()[0].partition(":")[0].lower() if text[1:].split() else ""
                if section == "matrix":
                    raise ReadError(
                        f"{file.label}:{number}: a matrix is not read; save the network as arcs."
                    )
            elif section == "vertices":
                vertex = _VERTEX.match(text)
                if vertex is None:
                    context.refuse("not a vertex", file.place(number, line))
                else:
                    label = vertex[2] or vertex[3] or ""
                    nodes.add(vertex[1], {"label": label} if label else {})
            elif section in SECTIONS:
                self._link(nodes, section, text.split(), file.place(number, line), context)
        yield from nodes.links(both_ways=False)

    def _link(
        self, nodes: Nodes, section: str, ends: list[str], place: str, context: ReadContext
    ) -> None:
        """Read a line of arcs or edges; a weight may follow the two ends, except in lists."""
        others = ends[1:] if section.endswith("list") else ends[1:2]
        if not others or not all(end.isdigit() for end in (ends[0], *others)):
            context.refuse("not a link", place)
            return
        for other in others:
            nodes.link(ends[0], other)
            if section.startswith("edges"):
                nodes.link(other, ends[0])
