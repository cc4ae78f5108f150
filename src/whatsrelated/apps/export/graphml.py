"""GraphML: one node per page, with its `url` and `title`, and one edge per link.

A string that XML cannot represent exactly is written as closely as possible, and also as a JSON
string under `url-json` or `title-json`. Our reader prefers the JSON string.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from xml.sax.saxutils import escape

from whatsrelated.apps.export.drawings import NEVER_IN_XML, ListWriter

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="url-json" for="node" attr.name="url-json" attr.type="string"/>
<key id="title-json" for="node" attr.name="title-json" attr.type="string"/>
<graph edgedefault="directed">
"""


@dataclass(frozen=True)
class GraphMLWriter(ListWriter):
    """One node per page, one edge per link."""

    name: ClassVar[str] = "graphml"
    suffixes: ClassVar[tuple[str, ...]] = (".graphml",)

    def head(self, store: Store) -> str:
        return HEAD

    def page(self, page: int, name: str, title: str) -> str:
        data = _data("url", name) + (_data("title", title) if title else "")
        return f'<node id="n{page}">{data}</node>\n'

    def link(self, source: int, target: int) -> str:
        return f'<edge source="n{source}" target="n{target}"/>\n'

    def tail(self) -> str:
        return "</graph>\n</graphml>\n"


def _data(key: str, text: str) -> str:
    shown = NEVER_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    data = f'<data key="{key}">{escape(shown)}</data>'
    if shown != text or text != text.strip("\t\r\n") or "\r" in text:
        data += f'<data key="{key}-json">{escape(json.dumps(text))}</data>'
    return data
