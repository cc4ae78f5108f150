"""Extended cocitation, and the page source that LLI reads too (HZ03, sec. 2.2)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.plain_graph import PlainGraph, Scores, Setting

Merged = list[frozenset[str]]


@dataclass
class PageSource:
    """HZ03's BS, FS, P_u and C_u, and who links to whom between them."""

    back: list[str]
    forward: list[str]
    parents: Merged
    children: Merged
    graph: PlainGraph

    def back_links(self, page: str) -> list[int]:
        """Which of the merged parents link to a page of BS."""
        return [
            i
            for i, group in enumerate(self.parents)
            if any(page in self.graph.links[parent] for parent in group)
        ]

    def forward_links(self, page: str) -> list[int]:
        """Which of the merged children a page of FS links to."""
        return [
            i
            for i, group in enumerate(self.children)
            if any(child in self.graph.links[page] for child in group)
        ]


def page_source(
    graph: PlainGraph,
    query: str,
    *,
    parents: int = 200,
    siblings: int = 40,
    children: int = 40,
    coparents: int = 200,
    near_links: int = 10,
    near_share: float = 0.95,
    **options: object,
) -> PageSource:
    setting = Setting(graph, [query], **options)  # type: ignore[arg-type]
    stop = setting.stop

    def alike(a: str, b: str) -> bool:
        return setting.site_of(a) == setting.site_of(b) or graph.near_duplicates(
            a, b, near_links, near_share
        )

    sample = setting.parents(query, parents)
    back = {s for parent in sample for s in setting.window(parent, query, siblings)}
    first = graph.first_children(query, children, stop)
    like_query = [page for page in graph.pages if page == query or alike(page, query)]
    forward = {s for child in first for s in graph.best_parents(child, coparents, like_query, stop)}
    return PageSource(
        sorted(back, key=graph.number.get),  # type: ignore[arg-type]
        sorted(forward, key=graph.number.get),  # type: ignore[arg-type]
        graph.merged(sample, alike),
        graph.merged(first, alike),
        graph,
    )


@dataclass
class Degrees:
    """The answer in the order of max(b, f), then b + f; both degrees of each page."""

    scores: Scores
    ties: Scores
    back: dict[str, int]
    forward: dict[str, int]


def extended_cocitation(
    graph: PlainGraph, query: str, *, threshold: int = 1, **options: object
) -> Degrees:
    source = page_source(graph, query, **options)  # type: ignore[arg-type]
    back = {s: len(source.back_links(s)) for s in source.back}
    forward = {s: len(source.forward_links(s)) for s in source.forward}
    largest = {s: max(back.get(s, 0), forward.get(s, 0)) for s in back | forward}
    scores: Scores = {s: score for s, score in largest.items() if score >= threshold}
    ties: Scores = {s: back.get(s, 0) + forward.get(s, 0) for s in scores}
    return Degrees(scores, ties, back, forward)
