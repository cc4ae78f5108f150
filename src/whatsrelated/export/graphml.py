"""GraphML: a node for each page, with its `url` and `title`, and an edge for each link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from xml.sax.saxutils import escape

import numpy as np

from whatsrelated.errors import BuildError
from whatsrelated.export.writer import Writer, page_blocks, replace_file

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
class GraphMLWriter(Writer):
    """A node for each page, an edge for each link."""

    name: ClassVar[str] = "graphml"
    suffixes: ClassVar[tuple[str, ...]] = (".graphml",)

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        with replace_file(path) as file:
            file.write(HEAD.encode())
            for block in page_blocks(store, progress):
                named = zip(block.names, block.titles, strict=True)
                nodes = [_node(block.first + i, *names) for i, names in enumerate(named)]
                file.write("".join(nodes).encode())
            for block in page_blocks(store, progress):
                pages = np.arange(block.first, block.first + len(block.names))
                sources = np.repeat(pages, block.counts).tolist()
                edges = [
                    f'<edge source="n{source}" target="n{target}"/>\n'
                    for source, target in zip(sources, block.targets.tolist(), strict=True)
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
            f"{text!r:.80} has a character that XML cannot hold; write a .jsonl file instead."
        )
    return escape(text)
