"""Cocitation: how many sampled parents link to both (DH99, sec. 2.2)."""

from __future__ import annotations

from tests.reference.plain_graph import NONE, PlainGraph, Scores


def cocitation(
    graph: PlainGraph,
    query: str,
    *,
    parents: int = 2000,
    siblings: int = 8,
    count: str = "page",
    seed: int = 0,
    stop: frozenset[str] = NONE,
) -> Scores:
    stop = graph.stop_pages(stop, [query])
    sample = graph.sampled_parents(query, parents, seed, stop)
    windows = {parent: graph.window(parent, query, siblings, stop) for parent in sample}
    found = {sibling for window in windows.values() for sibling in window}
    if count == "window":
        return {s: sum(s in window for window in windows.values()) for s in found}
    return {s: sum(s in graph.links[parent] for parent in sample) for s in found}


def enough(scores: Scores, *, siblings: int = 15, shared: int = 2) -> bool:
    """The demand that chopping makes of an answer."""
    return sum(score >= shared for score in scores.values()) >= siblings
