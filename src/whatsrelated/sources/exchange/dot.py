"""GraphViz: `digraph { a -> b -> {c d} [weight=2]; a [label="Tea", URL="…"] }`.

A page is named by its node's `URL` if all nodes have one, otherwise by the node's name. An edge
written `--` is a link in both directions. A subgraph at the end of an edge stands for its nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.sources.nodes import DEEPEST, NodeReader, Nodes
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import begins

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_OPENING = rb"(?:(?://[^\n]*+|#[^\n]*+|/\*(?s:.*?)\*/)\s*+)*+(?:strict\s++)?+(?:di)?graph\b[^{]*+\{"
_TOKEN = re.compile(
    r"""\s+ | //[^\n]* | /\*.*?\*/ | (?m:^\#[^\n]*)
    | (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<mark>->|--|[{}\[\];,=:])
    | (?P<markup><)
    | (?P<word>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[\w\u0080-\U0010ffff.]+)
    """,
    re.VERBOSE | re.DOTALL,
)

_ANGLE = re.compile("[<>]")


@dataclass(frozen=True)
class DotReader(NodeReader):
    """Nodes and edges in GraphViz's language."""

    name = "dot"
    sentence = "GraphViz: nodes and edges"
    contents = begins(_OPENING)
    suffixes = (".dot", ".gv")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        nodes = Nodes(self.node_name or "URL", file, context)
        _Parser(file, nodes).graph()
        yield from nodes.links(both_ways=False)


class _Parser:
    """Reads a graph, token by token; `None` is the end of the file."""

    def __init__(self, file: File, nodes: Nodes) -> None:
        self._label = file.label
        self._nodes = nodes
        self._tokens = _tokens(file.read().decode("utf-8", "replace"), file.label)
        self._token: tuple[str, str] | None = next(self._tokens, None)
        self._directed = True

    def graph(self) -> None:
        words = []
        while self._token is not None and self._token != ("mark", "{"):
            words.append(self._take()[1].lower())
        self._directed = "digraph" in words
        self._block(0)

    def _take(self) -> tuple[str, str]:
        token = self._token
        if token is None:
            raise ReadError(f"{self._label} is cut short: a bracket is not closed.")
        self._token = next(self._tokens, None)
        return token

    def _accept(self, mark: str) -> bool:
        if self._token == ("mark", mark):
            self._take()
            return True
        return False

    def _block(self, depth: int) -> list[str]:
        """Read a block in braces; return its nodes."""
        if depth > DEEPEST:
            raise ReadError(f"{self._label}: braces are nested more than {DEEPEST} levels deep.")
        self._take()
        nodes: dict[str, None] = {}
        while not self._accept("}"):
            if not (self._accept(";") or self._accept(",")):
                nodes.update(dict.fromkeys(self._statement(depth)))
        return list(nodes)

    def _statement(self, depth: int) -> list[str]:
        """Read a node, an edge, a subgraph or a setting; return its nodes."""
        ends = [self._end(depth)]
        marks = []
        while self._token in (("mark", "->"), ("mark", "--")):
            marks.append(self._take()[1])
            ends.append(self._end(depth))
        values = self._values()
        if self._accept("="):
            self._take()
            return []
        for (sources, targets), mark in zip(pairwise(ends), marks, strict=True):
            for source in sources:
                for target in targets:
                    self._nodes.link(source, target)
                    if mark == "--" or not self._directed:
                        self._nodes.link(target, source)
        if len(ends) == 1 and len(ends[0]) == 1 and ends[0][0] not in ("node", "edge", "graph"):
            title = values.get("label", "").replace("\\n", " ")
            titles = {"title": title} if title and title != "\\N" else {}
            self._nodes.add(ends[0][0], {**values, **titles})
        return [node for end in ends for node in end]

    def _end(self, depth: int) -> list[str]:
        """Read one end of an edge: a node without its port, or the nodes of a subgraph."""
        if self._token == ("word", "subgraph"):
            self._take()
            if self._token is not None and self._token[1] != "{":
                self._take()
        if self._token == ("mark", "{"):
            return self._block(depth + 1)
        kind, text = self._take()
        if kind == "mark":
            raise ReadError(f"{self._label}: expected a node, got {text!r}.")
        while self._accept(":"):
            self._take()
        return [text]

    def _values(self) -> dict[str, str]:
        """Read settings in brackets: `[a=b, c=d]`."""
        values = {}
        while self._accept("["):
            while not self._accept("]"):
                key = self._take()[1]
                values[key] = self._take()[1] if self._accept("=") else "true"
                if not self._accept(","):
                    self._accept(";")
        return values


def _tokens(text: str, label: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            line = text.count("\n", 0, place) + 1
            raise ReadError(f"{label}:{line}: not GraphViz: {text[place : place + 20]!r}.")
        place = match.end()
        kind = match.lastgroup
        if kind == "markup":
            start, place = place, _markup_end(text, place, label)
            yield "quoted", text[start : place - 1]
        elif kind == "quoted":
            yield kind, re.sub(r'\\(["\\\n])', r"\1", match[0][1:-1])
        elif kind is not None:
            yield kind, match[0]


def _markup_end(text: str, place: int, label: str) -> int:
    """The position after the `>` that closes an HTML label."""
    depth = 1
    for mark in _ANGLE.finditer(text, place):
        depth += 1 if mark[0] == "<" else -1
        if not depth:
            return mark.end()
    raise ReadError(f"{label} is cut short: a label in markup is not closed.")
