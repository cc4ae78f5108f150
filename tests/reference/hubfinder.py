"""HubFinder: widen a start set step by step, keeping the best (CON04, sec. 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10

from tests.reference.iteration import hubs_and_authorities
from tests.reference.plain_graph import NONE, PlainGraph, Scores

Criterion = Callable[[set[str]], Scores]
"""The score of each page, given the pages found so far (a global rank ignores them)."""


@dataclass
class Hubs:
    """The answer, and what each step found and kept (the first extension first)."""

    scores: Scores
    steps: list[tuple[set[str], set[str], set[str]]]
    """New pages, those left by trimming, those left by the out-degree filter."""


def hubfinder(
    graph: PlainGraph,
    start: str | Sequence[str],
    criterion: Criterion,
    *,
    steps: int = 2,
    inlinks: int = 50,
    decay: float = 1.0,
    trim: bool = True,
    min_out: bool = True,
    stop: frozenset[str] = NONE,
) -> Hubs:
    start = [start] if isinstance(start, str) else list(start)
    stop = graph.stop_pages(stop, start)
    gamma = set(start)
    kept = set(start)
    told = []
    for step in range(steps + 1):
        distance = step + 1
        new = extension(graph, kept, criterion(gamma), inlinks, stop) - gamma
        trimmed = new
        if trim and step > 0 and new:
            scores = criterion(gamma | new)
            ranked = best_first(graph, {page: scores.get(page, 0) for page in new})
            trimmed = set(ranked[: how_many(len(new), distance, decay)])
        kept = trimmed
        if min_out:
            kept = {page for page in trimmed if graph.out_degree(page) >= min(2 + distance, 10)}
        told.append((new, trimmed, kept))
        gamma |= kept
    scores = criterion(gamma)
    return Hubs({page: scores.get(page, 0) for page in gamma if page not in start}, told)


def how_many(n: int, distance: int, decay: float) -> int:
    """How many of N new pages are kept at a distance."""
    share = (100 - 10 * log10(n)) / (1 + decay * (distance - 1)) / 100
    return max(1, min(n, int(n * share)))


def extension(
    graph: PlainGraph, pages: set[str], scores: Scores, inlinks: int, stop: frozenset[str]
) -> set[str]:
    """The pages, all that they link to, and the best `inlinks` that link to each."""
    found = set(pages)
    for page in pages:
        found.update(child for child in graph.links[page] if child not in stop)
        parents = {p: scores.get(p, 0) for p in graph.parents[page] if p not in stop}
        found.update(best_first(graph, parents)[:inlinks])
    return found


def best_first(graph: PlainGraph, scores: Scores) -> list[str]:
    """In this method ties go by page number alone; scores are compared to 9 decimals."""
    largest = max(scores.values(), default=0)

    def place(page: str) -> tuple[float, int]:
        score = round(scores[page] / largest, 9) if largest > 0 else scores[page]
        return -score, graph.number[page]

    return sorted(scores, key=place)


def local(graph: PlainGraph, kind: str = "hubs") -> Criterion:
    """HITS' hubs or authorities over the links between the pages found so far."""

    def scores(found: set[str]) -> Scores:
        edges = {(p, q): 1.0 for p in sorted(found) for q in graph.links[p] if q in found}
        authorities, hubs = hubs_and_authorities(found, edges, edges)
        return hubs if kind == "hubs" else authorities

    return scores
