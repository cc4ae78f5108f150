"""Formats for drawing and network programs: GEXF (Gephi), GraphViz, Pajek, MatrixMarket.

Each lists the pages, then the links in page order, and can be read back.  Some formats lose
information. Pajek has no titles and no double quotes. MatrixMarket has only numbers; the edges
writer's `--names-to` writes their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from xml.sax.saxutils import quoteattr

import numpy as np

from whatsrelated.apps.export.writer import PageBlock, Writer, export_file, page_blocks

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress

NEVER_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class ListWriter(Writer):
    """A list of pages, then a list of links; a subclass defines the lines."""

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        with export_file(path) as file:
            file.write(self.head(store).encode())
            for block in page_blocks(store, progress):
                named = enumerate(zip(block.names, block.titles, strict=True), block.first)
                lines = (self.page(page, name, title) for page, (name, title) in named)
                file.write("".join(lines).encode("utf-8", "replace"))
            file.write(self.middle(store).encode())
            for block in page_blocks(store, progress):
                file.write("".join(self.link(*pair) for pair in _pairs(block)).encode())
            file.write(self.tail().encode())

    def head(self, store: Store) -> str:
        """The text before the pages."""
        return ""

    def page(self, page: int, name: str, title: str) -> str:
        """The line of a page."""
        raise NotImplementedError

    def middle(self, store: Store) -> str:
        """The text between the pages and the links."""
        return ""

    def link(self, source: int, target: int) -> str:
        """The line of a link."""
        raise NotImplementedError

    def tail(self) -> str:
        """The text after the links."""
        return ""


def _pairs(block: PageBlock) -> Iterator[tuple[int, int]]:
    pages = np.arange(block.first, block.first + len(block.names))
    sources = np.repeat(pages, block.counts).tolist()
    return zip(sources, block.targets.tolist(), strict=True)


@dataclass(frozen=True)
class GexfWriter(ListWriter):
    """Gephi's XML: a node's label is its title, or else its name, which is also an attribute."""

    name: ClassVar[str] = "gexf"
    suffixes: ClassVar[tuple[str, ...]] = (".gexf",)

    def head(self, store: Store) -> str:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
            '<graph defaultedgetype="directed">\n'
            '<attributes class="node"><attribute id="0" title="url" type="string"/>'
            '<attribute id="1" title="title" type="string"/></attributes>\n<nodes>\n'
        )

    def page(self, page: int, name: str, title: str) -> str:
        values = f'<attvalue for="0" value={_attribute(name)}/>'
        values += f'<attvalue for="1" value={_attribute(title)}/>'
        label = _attribute(title or name)
        return f'<node id="{page}" label={label}><attvalues>{values}</attvalues></node>\n'

    def middle(self, store: Store) -> str:
        return "</nodes>\n<edges>\n"

    def link(self, source: int, target: int) -> str:
        return f'<edge source="{source}" target="{target}"/>\n'

    def tail(self) -> str:
        return "</edges>\n</graph>\n</gexf>\n"


@dataclass(frozen=True)
class DotWriter(ListWriter):
    """GraphViz: a directed graph whose nodes have a URL and a label."""

    name: ClassVar[str] = "dot"
    suffixes: ClassVar[tuple[str, ...]] = (".dot", ".gv")

    def head(self, store: Store) -> str:
        return "digraph links {\n"

    def page(self, page: int, name: str, title: str) -> str:
        label = f", label={_quoted(title)}" if title else ""
        return f"n{page} [URL={_quoted(name)}{label}];\n"

    def link(self, source: int, target: int) -> str:
        return f"n{source} -> n{target};\n"

    def tail(self) -> str:
        return "}\n"


@dataclass(frozen=True)
class PajekWriter(ListWriter):
    """Pajek: vertices numbered from 1, then arcs."""

    name: ClassVar[str] = "pajek"
    suffixes: ClassVar[tuple[str, ...]] = (".net",)

    def head(self, store: Store) -> str:
        return f"*Vertices {store.n_pages}\n"

    def page(self, page: int, name: str, title: str) -> str:
        label = " ".join(name.replace('"', "'").split())
        return f'{page + 1} "{label}"\n'

    def middle(self, store: Store) -> str:
        return "*Arcs\n"

    def link(self, source: int, target: int) -> str:
        return f"{source + 1} {target + 1}\n"


@dataclass(frozen=True)
class MatrixMarketWriter(ListWriter):
    """A sparse matrix: an entry in row i and column j is a link, numbered from 1."""

    name: ClassVar[str] = "matrixmarket"
    suffixes: ClassVar[tuple[str, ...]] = (".mtx",)

    def head(self, store: Store) -> str:
        size = f"{store.n_pages} {store.n_pages} {store.n_links}"
        return f"%%MatrixMarket matrix coordinate pattern general\n{size}\n"

    def page(self, page: int, name: str, title: str) -> str:
        return ""

    def link(self, source: int, target: int) -> str:
        return f"{source + 1} {target + 1}\n"


def _attribute(text: str) -> str:
    return quoteattr(NEVER_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def _quoted(text: str) -> str:
    """A string in GraphViz's quoting."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
