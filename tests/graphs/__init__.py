"""Graphs written in a test as text, so that a reader sees all of them."""

from __future__ import annotations

from whatsrelated.api import Graph


def graph_of(*lines: str) -> Graph:
    """The graph of lines such as "a -> tea coffee": a's links, in page order.

    Names are plain names, except those with `://`, which are URLs.
    A page without links stands alone on its line.
    """
    links: list[tuple[str, str]] = []
    alone: list[str] = []
    for line in lines:
        source, arrow, targets = line.partition("->")
        page = source.strip()
        if not page or " " in page or (arrow and not targets.strip()):
            raise ValueError(f"A line is `page -> page page ...` or a bare page, got {line!r}.")
        links += [(page, target) for target in targets.split()]
        if not arrow:
            alone.append(page)
    return Graph.from_links(links, pages=alone)
