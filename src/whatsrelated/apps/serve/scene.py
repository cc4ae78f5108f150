"""The picture of an answer: the query page in the middle, its results around it.

Distance shows strength: of two results, the nearer one is always the stronger one, and equally
strong ones are equally near. Results that are similar by the default measure are side by side.
Colour shows the cluster (by `lli`, or as requested), size the number of links to a result, and the
line its reason. Rings separate strong results from likely, possible and weak ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from whatsrelated.api.asking import find_clusters
from whatsrelated.apps.serve.layout import (
    Placed,
    Spot,
    arrange,
    circle,
    distances,
    free,
    labels,
    line_labels,
    text_width,
)
from whatsrelated.apps.serve.replies import (
    EdgeKind,
    NodeKind,
    PictureEdge,
    PictureNode,
    PictureReply,
    PictureRing,
)
from whatsrelated.contract.strength import grade_of

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated import Answer
    from whatsrelated.api import Graph
    from whatsrelated.api.stores import Store

MAX_RESULTS = 20
"""Maximum number of results drawn; more would be unreadable."""
MAX_READ = 5_000
"""Maximum number of links read per page to find the neighbours that two pages share."""
MAX_GROUPS = 6
LEADING = 1.25
"""Line height, relative to the font size."""
NEAREST = 92.0
"""Distance of the strongest result, in pixels."""
RING_LETTERS = 10.0
"""Font size of the labels on the rings."""


@dataclass(frozen=True)
class Frame:
    """The size of a picture, its font size, and the maximum number of letters per line of a long
    name and of a short one.
    """

    width: float
    height: float
    letters: float
    lines: tuple[int, int]


FRAMES = {"wide": Frame(720, 620, 13, (28, 18)), "narrow": Frame(360, 460, 12, (18, 13))}


def draw_answer(
    graph: Graph, answer: Answer, frames: Sequence[Frame], deadline: float
) -> list[PictureReply]:
    """The picture of an answer, in each of the frames."""
    store = graph.store
    queries = list(dict.fromkeys(store.page(url) for url in answer.answered_for))
    results = answer.results[:MAX_RESULTS]
    pages = [*queries, *(result.page for result in results)]
    alike = graph.similarity([store.url(page) for page in pages], deadline=deadline).scores
    among = np.nan_to_num(alike[len(queries) :, len(queries) :], nan=0.0)
    nodes = [draw_page(store, page, "query") for page in queries]
    for place, (result, strength) in enumerate(zip(results, strengths(answer), strict=False), 1):
        nodes.append(draw_page(store, result.page, "result"))
        nodes[-1].place, nodes[-1].score, nodes[-1].strength = place, result.score, strength
    groups = group_by_cluster(graph, answer, nodes[len(queries) :])
    angles = circle(among, [node.group for node in nodes[len(queries) :]])
    edges = [*_reasons(store, queries, pages), *_likenesses(among, len(queries))]
    pictures = []
    for frame in frames:
        placed = [msgspec.structs.replace(node) for node in nodes]
        rings = stand(placed, len(queries), angles, frame)
        picture = PictureReply(
            asked=answer.asked,
            answered_for=answer.answered_for,
            by=answer.by.name,
            view="answer",
            width=frame.width,
            height=frame.height,
            groups=groups,
            nodes=placed,
            edges=edges,
            rings=rings if answer.are_strengths else [],
        )
        pictures.append(picture)
    return pictures


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
        radius=min(19.0, 10.0 + 2 * math.log2(1 + links) / 1.6),
        strength=1.0 if kind == "query" else 0.0,
    )


def group_by_cluster(graph: Graph, answer: Answer, nodes: Sequence[PictureNode]) -> list[str]:
    """Assign each result to its cluster, and name every cluster after its best result.

    Groups are numbered from 1 in the order of their best results; 0 means that a result is in no
    cluster of at least two. If all results form one cluster, there are no groups.
    """
    clusters = answer.clusters
    if clusters is None and nodes:
        pages = [graph.page(node.url) for node in nodes]
        ranks = graph.question(pages).ranks
        assert ranks is not None, "a graph has ranks"
        clusters = find_clusters(graph.store, pages, "lli", ranks)
    drawn = [[place for place in one.places if place <= len(nodes)] for one in clusters or ()]
    common = [places for places in drawn if len(places) > 1][:MAX_GROUPS]
    if len(drawn) < 2:
        return []
    for number, places in enumerate(common, 1):
        for place in places:
            nodes[place - 1].group = number
    return [nodes[places[0] - 1].title or bare(nodes[places[0] - 1].url) for places in common]


def bare(url: str) -> str:
    """A URL without its scheme, for labels."""
    return url.partition("://")[2].removesuffix("/") or url


def stand(
    nodes: Sequence[PictureNode], queries: int, angles: NDArray[float64], frame: Frame
) -> list[PictureRing]:
    """Place every page and its name within the frame; the rings between grades."""
    names = [node.title or bare(node.url) for node in nodes]
    long, short = frame.lines
    shapes = labels(names, long), labels(names, short), line_labels(names, short)
    forms = list(zip(*shapes, strict=True))
    widest = max(node.radius for node in nodes)
    results = nodes[queries:]
    far = min(frame.width, frame.height) / 2 - widest - 4
    near = min(NEAREST, far / 2)
    away = distances(np.array([node.strength for node in results]), near, far)
    middle = [
        (0.0, 0.0) if queries == 1 else (near * 0.45, 2 * math.pi * n / queries)
        for n in range(queries)
    ]
    spots = [
        Spot(distance, angle, node.radius, tuple(_size(node, lines, frame) for lines in lines_of))
        for node, lines_of, (distance, angle) in zip(
            nodes, forms, [*middle, *zip(away.tolist(), angles.tolist(), strict=True)], strict=True
        )
    ]
    placed, boxes_taken = arrange(spots, frame.width, frame.height, queries)
    for node, lines_of, at in zip(nodes, forms, placed, strict=True):
        _put(node, at, lines_of)
    return _rings(results, away, boxes_taken, frame)


def _put(node: PictureNode, at: Placed, forms: Sequence[list[str]]) -> None:
    node.x, node.y, node.side = at.x, at.y, at.side
    node.label = forms[at.form] if at.form is not None else []


def _size(node: PictureNode, lines: Sequence[str], frame: Frame) -> tuple[float, float]:
    """The width and height of a label."""
    letters = frame.letters + (2 if node.kind == "query" else 0)
    wide = 1.13 if node.kind == "query" else 1.0  # it is bold
    widths = [wide * text_width(line, letters) for line in lines]
    return max(widths), len(lines) * LEADING * letters


def _rings(
    nodes: Sequence[PictureNode],
    away: NDArray[float64],
    boxes_taken: NDArray[float64],
    frame: Frame,
) -> list[PictureRing]:
    """A ring between the results of one grade and those of the next, with a word if there is
    room for it.
    """
    order = sorted(zip(away.tolist(), (node.strength for node in nodes), strict=True))
    rings = []
    for (inner, strong), (outer, weak) in pairwise(order):
        grade = grade_of(strong)
        if grade == grade_of(weak):
            continue
        ring = PictureRing(radius=round((inner + outer) / 2, 1), inside=grade)
        size = np.array([text_width(grade, RING_LETTERS) + 4, RING_LETTERS + 3])
        for turn in np.linspace(0, 2 * math.pi, 72, endpoint=False):
            at = np.array([math.sin(turn), -math.cos(turn)]) * ring.radius
            at += np.array([frame.width, frame.height]) / 2
            box = np.concatenate([at - size / 2, at + size / 2])[None]
            if free(box, boxes_taken, (frame.width, frame.height)).all():
                ring.x, ring.y = round(float(at[0]), 1), round(float(at[1]), 1)
                boxes_taken = np.concatenate([boxes_taken, box])
                break
        rings.append(ring)
    return rings


def _reasons(store: Store, queries: Sequence[int], pages: Sequence[int]) -> list[PictureEdge]:
    """A line from each result to the query pages, showing the simplest connection between them."""
    edges = []
    for source, query in enumerate(queries):
        for target, page in enumerate(pages[len(queries) :], len(queries)):
            kind, weight = _reason(store, query, page)
            edges.append(PictureEdge(source, target, kind, weight))
    return edges


def _reason(store: Store, query: int, page: int) -> tuple[EdgeKind, int]:
    forth, back = store.links_from(query)[:MAX_READ], store.links_to(query)[:MAX_READ]
    if (forth == page).any() or (back == page).any():
        return "link", 1
    shared = len(np.intersect1d(back, store.links_to(page)[:MAX_READ]))
    if shared:
        return "beside", shared
    shared = len(np.intersect1d(forth, store.links_from(page)[:MAX_READ]))
    return ("same links", shared) if shared else ("path", 0)


def _likenesses(among: NDArray[float64], queries: int) -> list[PictureEdge]:
    """A line from each result to the one most similar to it."""
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
