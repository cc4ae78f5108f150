"""The shortest chains of links by the book: every chain, one length after another.

A chain never comes back to a page.  A link counts the links of its source times the links to
its target, a chain the product of its links; the lowest product comes first.
"""

from __future__ import annotations

import math

from tests.reference.plain_graph import PlainGraph

Chain = tuple[tuple[str, ...], tuple[str, ...]]
"""Pages, and for each step whether a link goes forwards, backwards, or both ways."""


def steps_from(graph: PlainGraph, page: str, way: str) -> dict[str, str]:
    """The pages one step away, and how the link goes."""
    ahead = set(graph.links[page]) if way in ("out", "either") else set()
    back = set(graph.parents[page]) if way in ("in", "either") else set()
    return {
        other: "both" if other in ahead & back else "out" if other in ahead else "in"
        for other in ahead | back
    }


def weight(graph: PlainGraph, one: str, two: str, step: str) -> int:
    """The links of the source times the links to the target; of two links, the lower."""
    links = {"out": [(one, two)], "in": [(two, one)], "both": [(one, two), (two, one)]}[step]
    return min(len(graph.links[source]) * len(graph.parents[target]) for source, target in links)


def shortest_chains(
    graph: PlainGraph, start: str, end: str, way: str = "either", longest: int = 20
) -> list[Chain]:
    """All shortest chains from one page to another, rare links first."""
    chains: list[Chain] = [((start,), ())]
    for _ in range(longest + 1):
        done = [chain for chain in chains if chain[0][-1] == end]
        if done:
            return sorted(done, key=lambda chain: order(graph, chain))
        chains = [
            ((*pages, other), (*steps, step))
            for pages, steps in chains
            for other, step in steps_from(graph, pages[-1], way).items()
            if other not in pages
        ]
    return []


def order(graph: PlainGraph, chain: Chain) -> tuple[int, list[int]]:
    """The product of a chain's links, then the numbers of its pages."""
    pages, steps = chain
    product = math.prod(
        weight(graph, one, two, step)
        for one, two, step in zip(pages, pages[1:], steps, strict=False)
    )
    return product, [graph.number[page] for page in pages]
