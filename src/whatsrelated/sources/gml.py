"""GML: nodes and edges in nested brackets.

A page is named by its node's `label` if all labels are distinct, otherwise by its number. Without
`directed`, an edge is a link in both directions.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.sources.nodes import DEEPEST, NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_TOKEN = re.compile(r'\s+|#[^\n]*|"([^"]*)"|(\[)|(\])|([^\s\[\]"#]+)')
_START = re.compile(rb"\s*(?:graph|Creator|Version|[Cc]omment|label|#)")
_GRAPH = re.compile(rb"(?:^|\s)graph\s*\[")
LONGEST = 1 << 20


@dataclass(frozen=True)
class GMLReader(NodeReader):
    """Nodes and edges in nested brackets."""

    name = "gml"
    sentence = "GML: nodes and edges in nested brackets"
    suffixes = (".gml",)

    @classmethod
    def recognises(cls, file: File) -> bool:
        head = file.sample[:4096]
        return _START.match(head) is not None and _GRAPH.search(head) is not None

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        nodes = Nodes(self.node_name or "label", file, context)
        directed = False
        for kind, values in _records(file):
            if kind == "node":
                nodes.add(values.get("id"), values)
            elif kind == "edge":
                nodes.link(values.get("source"), values.get("target"))
            elif kind == "graph":
                directed = values.get("directed", "0") != "0"
        yield from nodes.links(both_ways=not directed)


def _records(file: File) -> Iterator[tuple[str, dict[str, str]]]:
    """Every `kind [ key value … ]`, inner ones first."""
    stack: list[tuple[str, dict[str, str]]] = [("", {})]
    key = ""
    for token, quoted in _tokens(file):
        if token == "[" and not quoted:
            if len(stack) > DEEPEST:
                raise ReadError(f"{file.label} is not GML: more than {DEEPEST} brackets are open.")
            stack.append((key, {}))
            key = ""
        elif token == "]" and not quoted:
            if len(stack) == 1:
                raise ReadError(
                    f"{file.label} is not GML: it has a closing bracket without an opening one."
                )
            yield stack.pop()
            key = ""
        elif key:
            stack[-1][1][key] = html.unescape(token) if quoted else token
            key = ""
        else:
            key = token
    if len(stack) > 1:
        raise ReadError(
            f"{file.label} is cut short: the bracket after {stack[-1][0]} is not closed."
        )


def _tokens(file: File) -> Iterator[tuple[str, bool]]:
    """Words, strings and brackets, and whether each was quoted."""
    rest = ""
    for piece in file.lines():
        text = rest + _decode(piece)
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                break
            place = match.end()
            if match.lastindex:
                yield match[match.lastindex], match.lastindex == 1
        rest = text[place:]
        if len(rest) > LONGEST:
            raise ReadError(f"{file.label} is not GML: a quote is not closed.")
    if rest:
        raise ReadError(f"{file.label} is cut short: a quote is not closed.")


def _decode(piece: bytes) -> str:
    """Decode GML. It should be ASCII with entities, but UTF-8 and Latin-1 are about as common."""
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return piece.decode("latin-1")
