"""GraphML: one node per page, with its `url` and `title`, and one edge per link.

A text that XML cannot hold exactly is written as well as possible, and again as a JSON
string under `url-json` or `title-json`, which our reader prefers.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from xml.sax.saxutils import escape

import numpy as np

from whatsrelated.apps.export.writer import Writer, export_file, page_blocks

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="url-json" for="node" attr.name="url-json" attr.type="string"/>
<key id="title-json" for="node" attr.name="title-json" attr.type="string"/>
<graph edgedefault="directed">
"""
_NEVER_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class GraphMLWriter(Writer):
    """One node per page, one edge per link."""

    name: ClassVar[str] = "graphml"
    suffixes: ClassVar[tuple[str, ...]] = (".graphml",)

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        with export_file(path) as file:
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
    data = _data("url", name)
    if title:
        data += _data("title", title)
    return f'<node id="n{page}">{data}</node>\n'


def _data(key: str, text: str) -> str:
    shown = _NEVER_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    data = f'<data key="{key}">{escape(shown)}</data>'
    if shown != text or text != text.strip("\t\r\n") or "\r" in text:
        data += f'<data key="{key}-json">{escape(json.dumps(text))}</data>'
    return data
