"""GEXF, Gephi's format: nodes and edges in XML.

A page is named by its node's attribute `url` or its label (if distinct for all nodes), otherwise by
its id. An undirected edge is a link in both directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.sources.nodes import NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import holds
from whatsrelated.sources.xml import parse

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


@dataclass(frozen=True)
class GexfReader(NodeReader):
    """Nodes and edges in Gephi's XML."""

    name = "gexf"
    sentence = "GEXF: nodes and edges in XML"
    contents = holds(b"<", b"<gexf")
    suffixes = (".gexf",)

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        document = _Document(self.node_name, file, context)
        parse(file, document)
        yield from document.nodes.links(both_ways=False)


class _Document:
    def __init__(self, node_name: str | None, file: File, context: ReadContext) -> None:
        self.nodes = Nodes("name of the page", file, context)
        self._node_name = (node_name,) if node_name else ("url", "label")
        self._titles: dict[str, str] = {}
        self._node: tuple[str | None, dict[str, str]] | None = None
        self._undirected = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "attribute":
            self._titles[attributes.get("id", "")] = attributes.get("title", "").lower()
        elif tag == "graph":
            self._undirected = attributes.get("defaultedgetype", "undirected") != "directed"
        elif tag == "node":
            label = attributes.get("label", "")
            self._node = attributes.get("id"), {"label": label, "title": label}
        elif tag == "attvalue" and self._node is not None:
            key = attributes.get("for", attributes.get("id", ""))
            self._node[1][self._titles.get(key, key)] = attributes.get("value", "")
        elif tag == "edge":
            ends = attributes.get("source"), attributes.get("target")
            self.nodes.link(*ends)
            kind = attributes.get("type", "undirected" if self._undirected else "directed")
            if kind in ("undirected", "mutual"):
                self.nodes.link(*reversed(ends))

    def end(self, tag: str) -> None:
        if tag == "node" and self._node is not None:
            key, values = self._node
            name = next((values[one] for one in self._node_name if values.get(one)), None)
            if name:
                values["name of the page"] = name
            self.nodes.add(key, values)
            self._node = None

    def text(self, text: str) -> None:
        """Text between tags is ignored."""
