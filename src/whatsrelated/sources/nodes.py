"""The base of formats with nodes, edges and attributes, such as GML and GraphML."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.options import option
from whatsrelated.sources.reader import ReadContext, Reader
from whatsrelated.stream import NamedLinks, Names

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

DEEPEST = 64
"""Maximum nesting of brackets or elements."""


@dataclass(frozen=True)
class NodeReader(Reader):
    """Nodes with attributes, one of which names the page."""

    node_name: str | None = option(
        None,
        "the attribute of a node that holds the page's name, such as label or url",
        formerly=("name_from",),
    )


class Nodes:
    """Collects nodes and edges, then yields the links of their pages."""

    def __init__(self, node_name: str, file: File, context: ReadContext) -> None:
        self._node_name = node_name
        self._file = file
        self._context = context
        self._places: dict[str, int] = {}
        self._names: list[str | None] = []
        self._titles: dict[int, str] = {}
        self._ends = array("Q")

    def add(self, key: str | None, values: dict[str, str]) -> None:
        """Add a node with its attributes."""
        if key is None:
            self._context.refuse("a node without an id", f"{self._file.label}: {str(values)[:80]}")
            return
        place = self._place(key)
        self._names[place] = values.get(self._node_name)
        if values.get("title"):
            self._titles[place] = values["title"]

    def link(self, source: str | None, target: str | None) -> None:
        """Add an edge."""
        if source is None or target is None:
            place = f"{self._file.label}: from {source} to {target}"
            self._context.refuse("an edge without a source or target", place)
            return
        self._ends.extend((self._place(source), self._place(target)))

    def _place(self, key: str) -> int:
        place = self._places.setdefault(key, len(self._names))
        if place == len(self._names):
            self._names.append(None)
        return place

    def links(self, *, both_ways: bool) -> Iterator[NamedLinks]:
        """All links as one batch; `both_ways` adds the reverse of each."""
        named = [name for name in self._names if name]
        if len(set(named)) < len(self._names):
            names = [key.encode("utf-8", "replace") for key in self._places]
        else:
            names = [name.encode("utf-8", "replace") for name in named]
        ends = np.array(self._ends, np.uint32).reshape(-1, 2)
        if both_ways:
            ends = np.stack([ends, ends[:, ::-1]], axis=1).reshape(-1, 2)
        yield NamedLinks(Names.of(names), ends[:, 0].copy(), ends[:, 1].copy(), self._titles)
