"""GML: nodes and edges in nested brackets.

A page is named by its node's `label` where all labels differ, else by its
number.  An edge of a graph that is not `directed` is a link both ways.
"""

from __future__ import annotations

import html
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.options import option
from whatsrelated.sources.reader import Item, Reader, Reading
from whatsrelated.stream import NamedLinks, Names

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_TOKEN = re.compile(r'\s+|#[^\n]*|"([^"]*)"|(\[)|(\])|([^\s\[\]"#]+)')
_START = re.compile(rb"\s*(?:graph|Creator|Version|[Cc]omment|label|#)")
_GRAPH = re.compile(rb"(?:^|\s)graph\s*\[")
DEEPEST = 64
LONGEST = 1 << 20


def name_option() -> Any:
    """The option of both formats that have nodes with attributes."""
    return option(None, "the attribute of a node that is the page's name: label, url …", kind=str)


@dataclass(frozen=True)
class GML(Reader):
    """Nodes and edges in nested brackets."""

    name: ClassVar[str] = "gml"
    sentence: ClassVar[str] = "GML: nodes and edges in nested brackets"

    name_from: str | None = name_option()

    @classmethod
    def recognises(cls, file: File) -> bool:
        head = file.sample[:4096]
        return _START.match(head) is not None and _GRAPH.search(head) is not None

    @classmethod
    def knows_name(cls, name: str) -> bool:
        return name.endswith(".gml")

    def read(self, file: File, reading: Reading) -> Iterator[Item]:
        nodes = Nodes(self.name_from or "label", file, reading)
        directed = False
        for kind, values in _records(file):
            if kind == "node":
                nodes.add(values.get("id"), values)
            elif kind == "edge":
                nodes.link(values.get("source"), values.get("target"))
            elif kind == "graph":
                directed = values.get("directed", "0") != "0"
        yield from nodes.links(both_ways=not directed)


class Nodes:
    """Nodes and edges as they are read from GML or GraphML, then the links of their pages."""

    def __init__(self, name_from: str, file: File, reading: Reading) -> None:
        self._name_from = name_from
        self._file = file
        self._reading = reading
        self._places: dict[str, int] = {}
        self._names: list[str | None] = []
        self._titles: dict[int, str] = {}
        self._ends = array("Q")

    def add(self, key: str | None, values: dict[str, str]) -> None:
        """A node, with what is known of it."""
        if key is None:
            self._reading.refuse("a node without id", f"{self._file.label}: {str(values)[:80]}")
            return
        place = self._place(key)
        self._names[place] = values.get(self._name_from)
        if values.get("title"):
            self._titles[place] = values["title"]

    def link(self, source: str | None, target: str | None) -> None:
        """An edge."""
        if source is None or target is None:
            place = f"{self._file.label}: from {source} to {target}"
            self._reading.refuse("an edge without source or target", place)
            return
        self._ends.extend((self._place(source), self._place(target)))

    def _place(self, key: str) -> int:
        place = self._places.setdefault(key, len(self._names))
        if place == len(self._names):
            self._names.append(None)
        return place

    def links(self, *, both_ways: bool) -> Iterator[NamedLinks]:
        """All of it as one batch."""
        named = [name for name in self._names if name]
        if len(set(named)) < len(self._names):
            names = [key.encode("utf-8", "replace") for key in self._places]
        else:
            names = [name.encode("utf-8", "replace") for name in named]
        ends = np.array(self._ends, np.uint32).reshape(-1, 2)
        if both_ways:
            ends = np.stack([ends, ends[:, ::-1]], axis=1).reshape(-1, 2)
        yield NamedLinks(Names.of(names), ends[:, 0].copy(), ends[:, 1].copy(), self._titles)


def _records(file: File) -> Iterator[tuple[str, dict[str, str]]]:
    """Every `kind [ key value … ]`, inner ones first."""
    stack: list[tuple[str, dict[str, str]]] = [("", {})]
    key = ""
    for token, quoted in _tokens(file):
        if token == "[" and not quoted:
            if len(stack) > DEEPEST:
                raise ReadError(f"{file.label} is no GML: more than {DEEPEST} brackets are open.")
            stack.append((key, {}))
            key = ""
        elif token == "]" and not quoted:
            if len(stack) == 1:
                raise ReadError(f"{file.label} is no GML: a bracket closes that was never opened.")
            yield stack.pop()
            key = ""
        elif key:
            stack[-1][1][key] = html.unescape(token) if quoted else token
            key = ""
        else:
            key = token
    if len(stack) > 1:
        raise ReadError(f"{file.label} is cut short: the bracket of a {stack[-1][0]} is open.")


def _tokens(file: File) -> Iterator[tuple[str, bool]]:
    """Words, strings and brackets; whether each was quoted."""
    rest = ""
    for piece in file.lines():
        text = rest + _decoded(piece)
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                break
            place = found.end()
            if found.lastindex:
                yield found[found.lastindex], found.lastindex == 1
        rest = text[place:]
        if len(rest) > LONGEST:
            raise ReadError(f"{file.label} is no GML: a quote does not end.")
    if rest:
        raise ReadError(f"{file.label} is cut short: a quote does not end.")


def _decoded(piece: bytes) -> str:
    """GML is ASCII with entities; files in UTF-8 and latin-1 are about as common."""
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return piece.decode("latin-1")
