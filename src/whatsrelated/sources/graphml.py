"""GraphML: nodes and edges in XML, read as a stream.

A page is named by its node's `url`, `label` or `name` (the first that is distinct for all nodes),
otherwise by its id. An undirected edge is a link in both directions. A document that declares
entities is rejected: they are used for attacks, not for graphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from whatsrelated.errors import ReadError
from whatsrelated.sources.nodes import NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import holds
from whatsrelated.sources.xml import parse

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

NAMES = ("url", "label", "name")
JSON = "-json"
"""Suffix of the key of a string that XML cannot represent; see `apps/export/graphml.py`."""


@dataclass(frozen=True)
class GraphMLReader(NodeReader):
    """Nodes and edges in XML."""

    name = "graphml"
    sentence = "GraphML: nodes and edges in XML"
    contents = holds(b"<", b"<graphml")
    suffixes = (".graphml",)

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        document = _Document(self.node_name, file, context)
        parse(file, document)
        yield from document.links()


class _Document:
    """The callbacks of the XML parser."""

    def __init__(self, node_name: str | None, file: File, context: ReadContext) -> None:
        self._file = file
        self._nodes = Nodes("name of the page", file, context)
        self._node_name = (node_name,) if node_name else NAMES
        self._keys: dict[str, str] = {}
        self._directed = True
        self._node: tuple[str | None, dict[str, str]] | None = None
        self._data: tuple[str, list[str]] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if tag == "key" and attributes.get("for") in ("node", "all", None):
            self._keys[attributes.get("id", "")] = attributes.get("attr.name", "")
        elif tag == "graph":
            self._directed = attributes.get("edgedefault", "directed") != "undirected"
        elif tag == "node":
            self._node = attributes.get("id"), {}
        elif tag == "data" and self._node is not None:
            self._data = self._keys.get(attributes.get("key", ""), attributes.get("key", "")), []
        elif tag == "edge":
            self._edge(attributes)

    def _edge(self, attributes: dict[str, str]) -> None:
        ends = attributes.get("source"), attributes.get("target")
        self._nodes.link(*ends)
        directed = attributes.get("directed")
        if directed == "false" or (directed is None and not self._directed):
            self._nodes.link(*reversed(ends))

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == "data" and self._data is not None and self._node is not None:
            name_of_data, parts = self._data
            self._keep(self._node[1], name_of_data, "".join(parts).strip("\t\r\n"))
            self._data = None
        elif tag == "node" and self._node is not None:
            key, values = self._node
            name = next((values[known] for known in self._node_name if values.get(known)), None)
            if name is not None:
                values["name of the page"] = name
            self._nodes.add(key, values)
            self._node = None

    def _keep(self, values: dict[str, str], name: str, text: str) -> None:
        """Keep a node's text; the JSON form replaces the plain one."""
        if not name.endswith(JSON):
            values.setdefault(name, text)
            return
        try:
            values[name.removesuffix(JSON)] = msgspec.json.decode(text, type=str)
        except (msgspec.DecodeError, UnicodeError):
            raise ReadError(f"{self._file.label}: {text!r:.80} must be a JSON string.") from None

    def text(self, text: str) -> None:
        """Handle text between elements."""
        if self._data is not None:
            self._data[1].append(text)

    def links(self) -> Iterator[Item]:
        return self._nodes.links(both_ways=False)
