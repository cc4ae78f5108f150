"""The blend of walk, cpa, coupling, peers and names, put together as its text says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log, sqrt

from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.peers import peers
from tests.reference.plain_graph import NONE, PlainGraph, Scores
from tests.reference.plain_graph import page as page_itself
from tests.reference.spelling import cosines


def blend(
    graph: PlainGraph,
    query: str,
    walked: Scores,
    *,
    parents: int = 2000,
    seed: int = 0,
    stop: frozenset[str] = NONE,
    names: bool = True,
) -> Scores:
    """`walked` are the scores of walk, which is only computed to within an error.

    For graphs of no more than 100 pages, whose names are all compared.
    """
    near = cpa(graph, query, parents=parents, seed=seed)
    coupled, beside = coupling(graph, query), peers(graph, query)
    site_of = graph.site_for([query])
    many_sites = site_of is not page_itself
    sampled = graph.sampled_parents(query, parents, seed, NONE)
    alike: Scores = {}
    missing: Scores = {}
    for page in {*walked, *near, *coupled, *beside}:
        left = votes(graph, site_of, sampled, page) if many_sites else 1.0
        w, c = left * walked.get(page, 0.0), left * near.get(page, 0.0)
        k = coupled.get(page, 0.0) * sqrt(graph.out_degree(page) / (graph.out_degree(page) + 4))
        q = beside.get(page, 0.0)
        known = max(graph.in_degree(page), 1)
        alike[page] = (1 + w / 0.001) * (1 + c / 0.5) * (1 + k / 0.12) * (1 + q)
        alike[page] *= known ** (0.4 - 0.073 * log(known))
        alike[page] *= 0.85 if page in graph.links[query] else 1
        missing[page] = 0 if page in graph.links[query] else (w + 0.001) * q
    weight = weight_of_missing(graph, query, walked)
    spelt = cosines(query, sorted(alike)) if names and not many_sites else {}
    for page in alike:
        alike[page] *= 1 + spelt.get(page, 0.0) / 0.1
        missing[page] *= 1 + spelt.get(page, 0.0) / 0.1
    one, other = comparable(alike), comparable(missing)
    scores = {page: one[page] + weight * other[page] for page in alike}
    for page in scores if many_sites else ():
        scores[page] *= 0.3 if site_of(page) == site_of(query) else 1
        scores[page] *= 0.3 if query in graph.links[page] and page not in near else 1
    dropped = graph.stop_pages(stop, [query])
    return {page: score for page, score in scores.items() if page not in dropped and score > 0}


def votes(
    graph: PlainGraph, site_of: Callable[[str], str], sampled: Sequence[str], page: str
) -> float:
    """What is left of a page where each site has one vote."""
    of_site = Counter(map(site_of, sampled))
    shared = [parent for parent in sampled if page in graph.links[parent]]
    left = sum(1 / of_site[site_of(parent)] for parent in shared) / len(shared) if shared else 1.0
    return left / of_site[site_of(page)] if page in sampled else left


def weight_of_missing(graph: PlainGraph, query: str, walked: Scores) -> float:
    unread = sum(graph.out_degree(page) == 0 for page in walked) / max(len(walked), 1)
    whole = 0.15 if graph.ordered else 1.0
    weight = whole * (8 / whole) ** min(unread / 0.2, 1)
    children, parents = graph.out_degree(query), max(graph.in_degree(query), 0.1)
    return weight * min(children / (2 * parents), 1)


def comparable(scores: Scores) -> Scores:
    total = max(sum(sorted(scores.values())[-100:]), 1e-300)
    return {page: score / total for page, score in scores.items()}
