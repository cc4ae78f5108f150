"""Node-link JSON, as networkx, D3 and Cytoscape write it: `{"nodes": […], "links": […]}`.

A link's ends are node ids, or positions in the list of nodes if they have no ids. If
`"directed"` is false, links go in both directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import ReadError
from whatsrelated.sources.json_objects import first_objects
from whatsrelated.sources.nodes import NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


@dataclass(frozen=True)
class NodeLinkReader(NodeReader):
    """Nodes and links in one JSON object."""

    name = "node-link"
    sentence = 'node-link JSON: {"nodes": […], "links": […]}'

    @classmethod
    def recognises(cls, file: File) -> bool:
        graphs = first_objects(file, "elements")
        if len(graphs) != 1:
            return False
        lists = {key for key, value in graphs[0].items() if isinstance(value, list)}
        if file.is_short:
            return "nodes" in lists and not lists.isdisjoint(("links", "edges"))
        return "url" not in graphs[0] and not lists.isdisjoint(("nodes", "links", "edges"))

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
        keys = (self.node_name,) if self.node_name else ("url", "label", "name")
        for place, node in enumerate(map(_data, listed[0] or ())):
            name = next((str(node[key]) for key in keys if node.get(key)), None)
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
