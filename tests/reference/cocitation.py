"""Cocitation: how many sampled parents link to both (DH99, sec. 2.2; XH14, eq. 11)."""

from __future__ import annotations

from tests.reference.plain_graph import PlainGraph, Scores, Setting


def cocitation(
    graph: PlainGraph,
    query: str,
    *,
    parents: int = 2000,
    siblings: int = 8,
    count: str = "page",
    **options: object,
) -> Scores:
    setting = Setting(graph, [query], **options)  # type: ignore[arg-type]
    sample = setting.parents(query, parents)
    if count == "share":
        siblings = len(graph.links)
    windows = {parent: setting.window(parent, query, siblings) for parent in sample}
    found = {sibling for window in windows.values() for sibling in window}
    if count == "window":
        return {s: sum(s in window for window in windows.values()) for s in found}
    counts = {s: sum(s in graph.links[parent] for parent in sample) for s in found}
    if count == "share":
        total = sum(counts.values()) + len(sample)
        return {s: count / total for s, count in counts.items()}
    return counts


def weights(graph: PlainGraph) -> dict[str, Scores]:
    """W of every two pages: Q_ij over the sum of row i, and 0 without parents (XH14, eq. 11)."""
    q = {
        a: {b: len(set(graph.parents[a]) & set(graph.parents[b])) for b in graph.pages}
        for a in graph.pages
    }
    return {a: {b: row[b] / (sum(row.values()) or 1) for b in graph.pages} for a, row in q.items()}


def enough(scores: Scores, *, siblings: int = 15, shared: int = 2) -> bool:
    """The demand that chopping makes of an answer."""
    return sum(score >= shared for score in scores.values()) >= siblings
