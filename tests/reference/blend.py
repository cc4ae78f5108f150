"""The blend of walk, cpa, coupling and names, put together as its text says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.plain_graph import NONE, PlainGraph, Scores
from tests.reference.plain_graph import page as page_itself
from tests.reference.spelling import cosines
from tests.reference.walk import walk


def blend(
    graph: PlainGraph,
    query: str,
    walked: Scores | None = None,
    *,
    parents: int = 2000,
    seed: int = 0,
    stop: frozenset[str] = NONE,
    names: bool = True,
) -> Scores:
    """The strengths.  `walked` is the walk, where its equation is not to be solved exactly."""
    if walked is None:
        walked = walk(graph, query, restart=0.3, power=0.35)
    near = cpa(graph, query, parents=parents, seed=seed)
    coupled = coupling(graph, query)
    site_of = graph.site_for([query])
    many_sites = site_of is not page_itself
    if many_sites:
        sampled = graph.sampled_parents(query, parents, seed, NONE)
        left = {page: votes(graph, site_of, sampled, page) for page in {*walked, *near}}
        agreed = {
            page: believed(graph, site_of, sampled, query, page) for page in {*walked, *coupled}
        }
        walked = {page: score * left[page] * agreed[page] for page, score in walked.items()}
        near = {page: score * left[page] for page, score in near.items()}
        coupled = {page: score * agreed[page] for page, score in coupled.items()}
    faint = max(walked.values(), default=0.0) + 0.01
    nearest, closest = (max(part.values(), default=1.0) for part in (near, coupled))
    scores: Scores = {}
    for page in {*walked, *near, *coupled}:
        scores[page] = (
            (walked.get(page, 0.0) / faint + 0.1)
            * (near.get(page, 0.0) / nearest + 0.5)
            * (coupled.get(page, 0.0) / closest + 0.6)
            * min(max(graph.in_degree(page), 1), 15) ** 0.1
        )
        if many_sites and site_of(page) == site_of(query):
            scores[page] *= 0.3
        if many_sites and query in graph.links[page] and page not in graph.links[query]:
            scores[page] *= 0.3
    if names and not many_sites:
        for page, spelt in cosines(query, graph.ordered_list(scores)[:100]).items():
            scores[page] *= 1 + spelt / 0.2
    dropped = graph.stop_pages(stop, [query])
    return {
        page: strength(score, names and not many_sites)
        for page, score in scores.items()
        if page not in dropped
    }


def strength(score: float, names: bool) -> float:
    """The score between 0 and 1."""
    even, steepness = (1.6, 1.25) if names else (0.85, 1.5)
    return score**steepness / (score**steepness + even**steepness)


def similarity(graph: PlainGraph, one: str, other: str) -> float:
    """The same both ways, 1 for a page and itself: what the two walks say of each other."""
    if one == other:
        return 1.0
    there = walk(graph, one, restart=0.3, power=0.35).get(other, 0.0)
    back = walk(graph, other, restart=0.3, power=0.35).get(one, 0.0)
    near: float = (there * back) ** 0.5
    return near / (near + 0.01)


def believed(
    graph: PlainGraph,
    site_of: Callable[[str], str],
    sampled: Sequence[str],
    query: str,
    page: str,
) -> float:
    """How much what a page says of itself counts: as far as other sites agree."""
    of_site = Counter(map(site_of, sampled))
    agree = sum(1 / of_site[site_of(parent)] for parent in sampled if page in graph.links[parent])
    return 1.0 if page in graph.links[query] else (1 + agree) / (4 + agree)


def votes(
    graph: PlainGraph, site_of: Callable[[str], str], sampled: Sequence[str], page: str
) -> float:
    """What is left of a page where each site has one vote."""
    of_site = Counter(map(site_of, sampled))
    shared = [parent for parent in sampled if page in graph.links[parent]]
    left = sum(1 / of_site[site_of(parent)] for parent in shared) / len(shared) if shared else 1.0
    return left / of_site[site_of(page)] if page in sampled else left
