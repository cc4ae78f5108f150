"""The blend of walk, cpa, coupling and names, computed as documented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt

from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.plain_graph import NONE, PlainGraph, Scores, host
from tests.reference.plain_graph import page as page_itself
from tests.reference.spelling import cosines
from tests.reference.texts import text_similarities
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
    texts: Mapping[str, str] | None = None,
) -> Scores:
    """The strengths.  `walked` is the walk, where its equation is not to be solved exactly."""
    if walked is None:
        walked = walk(graph, query, restart=0.3, power=0.35)
    near = cpa(graph, query, parents=parents, seed=seed)
    coupled = coupling(graph, query)
    site_of = graph.site_for([query])
    many_sites = site_of is not page_itself
    if many_sites:
        near = agreed_proximity(
            graph, site_of, graph.sampled_parents(query, parents, seed, NONE), query
        )
    agreement = max(0.1, overlap(walked, near), overlap(walked, coupled))
    if many_sites:
        most = max(near.values(), default=0.0)
        if most > 0:
            walked = {page: score * near.get(page, 0.0) / most for page, score in walked.items()}
            coupled = {page: score * near.get(page, 0.0) / most for page, score in coupled.items()}
    faint = max(walked.values(), default=0.0) + 0.01 * (1 / agreement - 1)
    near = {page: score / graph.in_degree(page) ** 0.15 for page, score in near.items()}
    nearest, closest = (max(part.values(), default=0.0) or 1.0 for part in (near, coupled))
    scores: Scores = {}
    similar = {} if texts is None or many_sites else text_similarities(query, texts)
    added = {page for page, similarity in similar.items() if similarity >= 0.03}
    for page in {*walked, *near, *coupled, *added}:
        scores[page] = (
            (walked.get(page, 0.0) / faint + 0.05)
            * (near.get(page, 0.0) / nearest + 0.75)
            * (coupled.get(page, 0.0) / closest + 1)
            * min(max(graph.in_degree(page), 1), 15) ** 0.07
            * (1 + min(similar.get(page, 0.0), 0.2) / 0.1)
        )
        if many_sites and site_of(page) == site_of(query):
            scores[page] *= 0.3
        if many_sites and query in graph.links[page] and page not in graph.links[query]:
            scores[page] *= 0.3
        if not many_sites and is_outside(graph, query, page):
            scores[page] *= 0.5
    if names and not many_sites:
        for page, spelt in cosines(query, graph.ordered_list(scores)[:100]).items():
            scores[page] *= 1 + spelt / 0.2
    dropped = graph.stop_pages(stop, [query])
    kind = "names" if names and not many_sites else "links"
    if texts is not None and not many_sites:
        kind = "text"
    return {page: strength(score, kind) for page, score in scores.items() if page not in dropped}


def overlap(one: Scores, other: Scores) -> float:
    """How far two lists agree: their cosine."""
    shared = sum(score * other.get(page, 0.0) for page, score in one.items())
    squares = [sum(score * score for score in scores.values()) for scores in (one, other)]
    length: float = (squares[0] * squares[1]) ** 0.5
    return shared / length if length else 0.0


def is_outside(graph: PlainGraph, query: str, page: str) -> bool:
    """Whether a graph is of one site, on which the query was read, and the page is elsewhere."""
    one_site = graph.auto_site() == "page" and "://" in query and query in graph.read
    return one_site and host(page) != host(query) and page not in graph.read


def strength(score: float, kind: str) -> float:
    """The score between 0 and 1."""
    even, steepness = {"text": (6.0, 1.1), "names": (3.3, 1.0), "links": (2.2, 1.05)}[kind]
    return score**steepness / (score**steepness + even**steepness)


def similarity(graph: PlainGraph, one: str, other: str) -> float:
    """The same both ways, 1 for a page and itself: the two walks, and the links they share."""
    if one == other:
        return 1.0
    there = walk(graph, one, restart=0.5, power=0).get(other, 0.0)
    back = walk(graph, other, restart=0.5, power=0).get(one, 0.0)
    near: float = (there * back) ** 0.5
    parents = cosine(graph, graph.parents[one], graph.parents[other], graph.out_degree)
    children = cosine(graph, graph.links[one], graph.links[other], graph.in_degree)
    both: float = (near + 0.002) * (1 + parents) * (1 + children) - 0.002
    return both / (both + 0.02)


def cosine(
    graph: PlainGraph, one: Sequence[str], other: Sequence[str], degree: Callable[[str], int]
) -> float:
    """Of two vectors that have for each page how rare it is."""
    rarity = {page: log(1 + len(graph.pages) / degree(page)) for page in {*one, *other}}
    shared = sum(rarity[page] ** 2 for page in {*one} & {*other})
    lengths = [sqrt(sum(rarity[page] ** 2 for page in pages)) for pages in (one, other)]
    return shared / (lengths[0] * lengths[1]) if shared else 0.0


def agreed_proximity(
    graph: PlainGraph, site_of: Callable[[str], str], sampled: Sequence[str], query: str
) -> Scores:
    """Proximity by votes of sites, each page weighted by how far other sites agree with it."""
    weights = {parent: weights_beside(graph, graph.links[parent], query) for parent in sampled}
    return agreed(graph, site_of, weights)


def agreed(graph: PlainGraph, site_of: Callable[[str], str], weights: dict[str, Scores]) -> Scores:
    """The same, given the weights of the links of each sampled parent."""
    sampled = list(weights)
    pages_of = Counter(map(site_of, sampled))
    backed, naming = {}, {}
    for page in {page for row in weights.values() for page in row}:
        naming[page] = len({site_of(parent) for parent in sampled if page in weights[parent]})
        interested = site_of(page) in pages_of
        backed[page] = 0 if interested else (naming[page] - 1) / graph.in_degree(page)
    voted: Scores = dict.fromkeys(backed, 0.0)
    believed_sums: Scores = dict.fromkeys(backed, 0.0)
    for parent, row in weights.items():
        for page, weight in row.items():
            others = {other: w for other, w in row.items() if other != page}
            believed = sum(w * backed[other] for other, w in others.items())
            voted[page] += weight / pages_of[site_of(parent)]
            if believed > 0:
                vote = weight / pages_of[site_of(parent)]
                believed_sums[page] += vote * believed / sum(others.values())
    enough = sum(share > 0 for share in backed.values()) >= 2
    if not enough or not any(believed_sums.values()):
        return voted
    if any(score > 0 and naming[page] > 1 for page, score in believed_sums.items()):
        return {page: score if naming[page] > 1 else 0.0 for page, score in believed_sums.items()}
    return believed_sums


def weights_beside(graph: PlainGraph, row: Sequence[str], query: str) -> Scores:
    """1 / distance ** 0.85 of each link of a page from that to the query."""
    at = row.index(query)
    alpha = 0.85 if graph.ordered else 0.0
    return {page: abs(place - at) ** -alpha for place, page in enumerate(row) if place != at}
