"""Node-link JSON, as networkx, D3 and Cytoscape write it: `{"nodes": […], "links": […]}`.

A link's ends are node ids, or positions in the list of nodes if they have no ids. With `"directed":
false`, links go in both directions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import ReadError
from whatsrelated.sources.nodes import NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_NODES = re.compile(rb'"nodes"\s*:\s*\[')
_LINKS = re.compile(rb'"(?:links|edges)"\s*:\s*\[')
_LINES = re.compile(rb"\{.*\}[^\S\n]*+\n\s*+\{")
"""The end of an object and the beginning of the next, as in JSON Lines."""


@dataclass(frozen=True)
class NodeLinkReader(NodeReader):
    """Nodes and links in one JSON object."""

    name = "node-link"
    sentence = 'node-link JSON: {"nodes": […], "links": […]}'

    @classmethod
    def recognises(cls, file: File) -> bool:
        sample = file.sample.lstrip()
        if not sample.startswith(b"{") or _LINES.match(sample):
            return False
        nodes, links = _NODES.search(sample), _LINKS.search(sample)
        if file.is_short:
            return bool(nodes and links)
        return bool(nodes or (links and b'"url"' not in sample[: links.start()]))

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        import msgspec

        try:
            graph = msgspec.json.decode(file.read())
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ReadError(f"{file.label} is not JSON, or cut short.") from None
        graph = graph.get("elements", graph) if isinstance(graph, dict) else {}
        listed = graph.get("nodes"), graph.get("links", graph.get("edges"))
        if not all(isinstance(each, list) for each in listed):
            raise ReadError(f"{file.label} has no lists of nodes and links.")
        nodes = Nodes("name of the page", file, context)
        wanted = (self.node_name,) if self.node_name else ("url", "label", "name")
        for place, node in enumerate(map(_data, listed[0] or ())):
            name = next((str(node[key]) for key in wanted if node.get(key)), None)
            values = {"name of the page": name} if name else {}
            if isinstance(node.get("title"), str):
                values["title"] = node["title"]
            nodes.add(_text(node.get("id", node.get("key", place))), values)
        for link in map(_data, listed[1] or ()):
            ends = _text(link.get("source")), _text(link.get("target"))
            nodes.link(*ends)
            if graph.get("directed") is False:
                nodes.link(*reversed(ends))
        yield from nodes.links(both_ways=False)


def _data(entry: Any) -> dict[str, Any]:
    """The fields of a node or link, which Cytoscape puts under `data`."""
    if not isinstance(entry, dict):
        return {"id": entry} if isinstance(entry, str | int) else {}
    data = entry.get("data")
    return data if isinstance(data, dict) else entry


def _text(value: Any) -> str | None:
    """The id of a node; D3 may put the whole node here."""
    if isinstance(value, dict):
        value = value.get("id")
    return str(value) if isinstance(value, str | int | float) else None
