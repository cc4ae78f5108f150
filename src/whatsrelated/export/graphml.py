"""GraphML: a node for each page, with its `url` and `title`, and an edge for each link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from xml.sax.saxutils import escape

import numpy as np

from whatsrelated.errors import BuildError
from whatsrelated.export.writer import Writer, runs, whole_file

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<graph edgedefault="directed">
"""
_NEVER_IN_XML = re.compile("[\ufffe\uffff]")


@dataclass(frozen=True)
class GraphML(Writer):
    """A node for each page, an edge for each link."""

    name: ClassVar[str] = "graphml"
    sentence: ClassVar[str] = "GraphML: a node for each page, an edge for each link"
    suffixes: ClassVar[tuple[str, ...]] = (".graphml",)

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        with whole_file(path) as file:
            file.write(HEAD.encode())
            for run in runs(store, progress):
                named = zip(run.names, run.titles, strict=True)
                nodes = [_node(run.first + i, *told) for i, told in enumerate(named)]
                file.write("".join(nodes).encode())
            for run in runs(store, progress):
                pages = np.arange(run.first, run.first + len(run.names))
                sources = np.repeat(pages, run.counts).tolist()
                edges = [
                    f'<edge source="n{source}" target="n{target}"/>\n'
                    for source, target in zip(sources, run.targets.tolist(), strict=True)
                ]
                file.write("".join(edges).encode())
            file.write(b"</graph>\n</graphml>\n")


def _node(page: int, name: str, title: str) -> str:
    data = f'<data key="url">{_text(name)}</data>'
    if title:
        data += f'<data key="title">{_text(title)}</data>'
    return f'<node id="n{page}">{data}</node>\n'


def _text(text: str) -> str:
    if _NEVER_IN_XML.search(text):
        raise BuildError(
            f"{text!r:.80} has a character that XML cannot hold; write .jsonl instead."
        )
    return escape(text)
