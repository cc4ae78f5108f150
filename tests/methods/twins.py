"""A graph and its plain twin, which must give the same list."""

from __future__ import annotations

import pytest

from tests.reference.graphs import LinkLists
from tests.reference.plain_graph import PlainGraph, Scores
from whatsrelated.api import Graph
from whatsrelated.contract.sampling import draw
from whatsrelated.stream import Page

Asked = tuple[LinkLists, str, frozenset[str]]


def graph_and_twin(lists: LinkLists, ordered: bool = True) -> tuple[Graph, PlainGraph]:
    pages = (Page(page, links) for page, links in lists.items())
    return Graph.from_pages(pages, ordered=ordered), PlainGraph(lists, ordered=ordered, draw=draw)


def same(graph: Graph, twin: PlainGraph, query: str, scores: Scores, **options: object) -> None:
    answer = graph.related(query, limit=1000, chop=False, **options)
    assert [result.url for result in answer] == twin.ordered_list(scores)
    for result in answer:
        assert result.score == pytest.approx(scores[result.url], rel=1e-9)
