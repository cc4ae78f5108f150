"""The picture of an answer: the query page, its results, and the hubs that support them.

Distance shows similarity: stronger results are closer to the query page, and results that are
similar by the default measure are closer to each other. Size shows the number of links to a result,
colour shows its site, and the line shows the reason. The small grey pages are hubs: they link to
the query page and to most of its results.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.apps.serve.layout import circle, labels, overlapping, settle, text_width
from whatsrelated.apps.serve.replies import (
    EdgeKind,
    NodeKind,
    PictureEdge,
    PictureNode,
    PictureReply,
)
from whatsrelated.names.hosts import host_of

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated import Answer
    from whatsrelated.api import Graph
    from whatsrelated.api.stores import Store

MOST_RESULTS = 20
"""Maximum number of results drawn; more would be unreadable."""
MOST_READ = 5_000
"""Maximum number of links read per page to find out what two pages share."""
MOST_GROUPS = 6
LEADING = 1.25
"""Line height, relative to the font size."""


@dataclass(frozen=True)
class Frame:
    """The size of a picture, its font size, the lines per label, and the number of hubs."""

    width: float
    height: float
    letters: float
    line: int
    hubs: int


FRAMES = {"wide": Frame(680, 600, 13, 18, 7), "narrow": Frame(360, 540, 12, 16, 4)}


def draw_answer(graph: Graph, answer: Answer, frame: Frame, deadline: float) -> PictureReply:
    """The picture of an answer, in a frame."""
    store = graph.store
    queries = list(dict.fromkeys(store.page(url) for url in answer.answered_for))
    results = answer.results[:MOST_RESULTS]
    pages = [*queries, *(result.page for result in results)]
    hubs = shared_hubs(store, queries, pages[len(queries) :], frame.hubs)
    alike = graph.similarity([store.url(page) for page in pages], deadline=deadline).scores
    groups, colours = group_by_site(store, pages)
    nodes = [draw_page(store, page, "query") for page in queries]
    for place, (result, strength) in enumerate(zip(results, strengths(answer), strict=False), 1):
        nodes.append(draw_page(store, result.page, "result"))
        nodes[-1].place, nodes[-1].score, nodes[-1].strength = place, result.score, strength
    for node, page, lines in zip(nodes, pages, _labels(nodes, frame), strict=True):
        node.group, node.label = colours.get(page, 0), lines
    points = _places(alike, len(queries))
    nodes += [draw_page(store, hub, "hub") for hub in hubs]
    stand(nodes, np.array([*points, *_ring(len(hubs))]), frame)
    return PictureReply(
        asked=answer.asked,
        answered_for=answer.answered_for,
        by=answer.by.name,
        view="answer",
        width=frame.width,
        height=frame.height,
        groups=groups,
        nodes=nodes,
        edges=[
            *_reasons(store, queries, pages),
            *_likenesses(alike, len(queries)),
            *_links_of_hubs(store, pages, hubs),
        ],
    )


def strengths(answer: Answer) -> list[float]:
    """The strength of each result from 0 to 1: its score, or its score relative to the best."""
    best = 1.0
    if not answer.are_strengths:
        best = max((result.score for result in answer), default=1.0)
    return [max(0.0, result.score / best) if best > 0 else 0.0 for result in answer]


def draw_page(store: Store, page: int, kind: NodeKind) -> PictureNode:
    """A page of a picture that has not been placed yet."""
    links = len(store.links_to(page))
    return PictureNode(
        url=store.url(page),
        title=store.title(page),
        kind=kind,
        links_to_it=links,
        radius=4.5 if kind == "hub" else min(19.0, 10.0 + 2 * math.log2(1 + links) / 1.6),
        strength=1.0 if kind == "query" else 0.0,
    )


def shared_hubs(
    store: Store, queries: Sequence[int], results: Sequence[int], most: int
) -> list[int]:
    """The parents of the query that link to the most results; ties go to those with fewer links."""
    if not results or not most:
        return []
    parents = np.unique(np.concatenate([store.links_to(page)[:MOST_READ] for page in queries]))
    counts = sum(np.isin(parents, store.links_to(page)[:MOST_READ]).astype(int) for page in results)
    shared = np.asarray(counts) * (~np.isin(parents, [*queries, *results]))
    worth = shared / np.log2(4 + store.out_degree(parents))
    best = np.lexsort((parents, -worth))[:most]
    return [int(parents[place]) for place in best if shared[place] > 0]


def group_by_site(store: Store, pages: Sequence[int]) -> tuple[list[str], dict[int, int]]:
    """The sites (or folders, on a single site) of at least two pages, and each page's group.

    Groups are numbered from 1, largest first; 0 means no group.
    """
    names = [store.url(page) for page in pages]
    hosts = {host_of(name) for name in names}
    own = [_folder(name) if len(hosts) == 1 else host_of(name) or "" for name in names]
    counts = Counter(site for site in own if site)
    common = [site for site, count in counts.most_common(MOST_GROUPS) if count > 1]
    if len(common) == 1 and counts[common[0]] == len(own):
        common = []
    number = {site: place for place, site in enumerate(common, 1)}
    return common, {page: number.get(site, 0) for page, site in zip(pages, own, strict=True)}


def _folder(name: str) -> str:
    path = name.partition("://")[2].partition("/")[2] if "://" in name else name
    return path.rpartition("/")[0]


def _labels(nodes: Sequence[PictureNode], frame: Frame) -> list[list[str]]:
    return labels([node.title or bare(node.url) for node in nodes], frame.line)


def bare(url: str) -> str:
    """A URL without its scheme, for labels."""
    return url.partition("://")[2].removesuffix("/") or url


def _places(alike: NDArray[float64], queries: int) -> NDArray[float64]:
    """Points in a circle of radius 1, with the query in the middle and the best results around it.

    Angles depend on the similarity to other results, distances on the rank.
    """
    among = np.nan_to_num(alike[queries:, queries:], nan=0.0)
    angles = circle(among)
    radii = 0.66 + 0.34 * np.arange(len(among)) / max(len(among) - 1, 1)
    around = np.stack([radii * np.sin(angles), -radii * np.cos(angles)], axis=1)
    own = np.linspace(-0.2, 0.2, queries) if queries > 1 else np.zeros(1)
    return np.concatenate([np.stack([np.zeros(queries), own], axis=1), around])


def _ring(hubs: int) -> list[tuple[float, float]]:
    """Positions for the hubs, close around the query page, since they support all results."""
    turns = [2 * math.pi * (hub + 0.5) / max(hubs, 1) for hub in range(hubs)]
    return [(0.34 * math.sin(turn), -0.3 * math.cos(turn)) for turn in turns]


def stand(nodes: Sequence[PictureNode], points: NDArray[float64], frame: Frame) -> None:
    """Place every page within the frame, without overlapping names."""
    boxes = np.array([_box(node, frame) for node in nodes])
    room = np.array([frame.width, frame.height]) - boxes.max(axis=0)
    least, most = np.minimum(points.min(axis=0), -0.3), np.maximum(points.max(axis=0), 0.3)
    points = np.where(points < 0, points / -least, points / most)
    centres = points * room / 2 + np.array([frame.width, frame.height]) / 2
    centres = settle(centres, boxes, frame.width, frame.height)
    for node, hidden in zip(nodes, overlapping(centres, boxes), strict=True):
        if hidden:
            node.label = []
    for node, (x, y), (_, height) in zip(nodes, centres.tolist(), boxes.tolist(), strict=True):
        node.x, node.y = round(x, 1), round(y - height / 2 + node.radius + 2, 1)


def _box(node: PictureNode, frame: Frame) -> tuple[float, float]:
    """The width and height of a page with its name below it."""
    letters = frame.letters + (2 if node.kind == "query" else 0)
    widths = [text_width(line, letters) for line in node.label]
    height = 2 * node.radius + 4 + len(widths) * LEADING * letters
    return max([2 * node.radius + 4, *widths]), height


def _reasons(store: Store, queries: Sequence[int], pages: Sequence[int]) -> list[PictureEdge]:
    """A line from each result to the query pages, for the simplest connection between them."""
    edges = []
    for source, query in enumerate(queries):
        for target, page in enumerate(pages[len(queries) :], len(queries)):
            kind, weight = _reason(store, query, page)
            edges.append(PictureEdge(source, target, kind, weight))
    return edges


def _reason(store: Store, query: int, page: int) -> tuple[EdgeKind, int]:
    forth, back = store.links_from(query)[:MOST_READ], store.links_to(query)[:MOST_READ]
    if (forth == page).any() or (back == page).any():
        return "link", 1
    shared = len(np.intersect1d(back, store.links_to(page)[:MOST_READ]))
    if shared:
        return "beside", shared
    shared = len(np.intersect1d(forth, store.links_from(page)[:MOST_READ]))
    return ("same links", shared) if shared else ("path", 0)


def _likenesses(alike: NDArray[float64], queries: int) -> list[PictureEdge]:
    """A line from each result to the one most similar to it."""
    among = np.nan_to_num(alike[queries:, queries:], nan=0.0)
    np.fill_diagonal(among, 0)
    pairs = {
        (min(place, best), max(place, best)): float(among[place, best])
        for place, best in enumerate(among.argmax(axis=1).tolist() if len(among) else ())
        if among[place, best] > 0
    }
    return [
        PictureEdge(one + queries, two + queries, "alike", round(score, 4))
        for (one, two), score in pairs.items()
    ]


def _links_of_hubs(store: Store, pages: Sequence[int], hubs: Sequence[int]) -> list[PictureEdge]:
    return [
        PictureEdge(number, target, "hub", 1)
        for number, hub in enumerate(hubs, len(pages))
        for target in np.flatnonzero(np.isin(pages, store.links_from(hub))).tolist()
    ]
