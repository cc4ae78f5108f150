"""Questions with weights by the book: query pages that count more or less, and pages to avoid."""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt

from tests.reference.blend import agreed, is_outside, overlap, strength
from tests.reference.plain_graph import NONE, PlainGraph, Scores
from tests.reference.plain_graph import page as page_itself
from tests.reference.spelling import cosines
from tests.reference.walk import probabilities

Weights = Mapping[str, float]


def shares_of(weights: Weights) -> Scores:
    return {page: weight / sum(weights.values()) for page, weight in weights.items()}


def walk(graph: PlainGraph, weights: Weights, away: Weights, restart: float) -> Scores:
    """The walks from all query pages, less those from the pages to avoid, over degree ** 0.25."""
    total = sum(weights.values())
    signed = [*weights.items(), *((page, -weight) for page, weight in away.items())]
    sums: Scores = dict.fromkeys(graph.pages, 0.0)
    for query, weight in signed:
        for page, probability in probabilities(graph, query, restart).items():
            sums[page] += weight / total * probability
    return {
        page: p / (graph.in_degree(page) + graph.out_degree(page)) ** 0.25
        for page, p in sums.items()
        if p > 1e-12 and page not in weights and page not in away
    }


def added(lists: list[tuple[float, Scores]], *, scaled: bool) -> Scores:
    """The weighted sum of lists, each over its largest score unless they are on one scale."""
    sums: Scores = {}
    for weight, scores in lists:
        largest = 1.0 if scaled else max(scores.values(), default=1.0)
        for page, score in scores.items():
            sums[page] = sums.get(page, 0.0) + weight * score / largest
    most = max(map(abs, sums.values()), default=0.0)
    return {page: total for page, total in sums.items() if total > 1e-12 * most}


def blend(
    graph: PlainGraph,
    weights: Weights,
    away: Weights,
    walked: tuple[Scores, Scores],
    *,
    names: bool = True,
) -> Scores:
    """The strengths.  `walked` are the walks from the query pages and from those to avoid."""
    site_of = graph.site_for([*weights, *away])
    many_sites = site_of is not page_itself
    parts = [walked[0], *parts_of(graph, weights, site_of if many_sites else None)]
    if away:
        ratio = sum(away.values()) / sum(weights.values())
        others = [walked[1], *parts_of(graph, away, site_of if many_sites else None)]
        for i, (part, other) in enumerate(zip(parts, others, strict=True)):
            scale = ratio
            if i:
                scale *= max(part.values(), default=0.0) / (max(other.values(), default=0.0) or 1.0)
            parts[i] = {p: max(s - scale * other.get(p, 0.0), 0.0) for p, s in part.items()}
    walk_part, near, coupled = (
        {p: s for p, s in part.items() if s > 0 and p not in weights} for part in parts
    )
    candidates = {*walk_part, *near, *coupled}
    if not away:
        candidates = {page for part in parts for page in part} - {*weights}
    agreement = max(0.1, overlap(walk_part, near), overlap(walk_part, coupled))
    most = max(near.values(), default=0.0)
    if many_sites and most > 0:
        walk_part = {page: score * near.get(page, 0.0) / most for page, score in walk_part.items()}
        coupled = {page: score * near.get(page, 0.0) / most for page, score in coupled.items()}
    faint = max(walk_part.values(), default=0.0) + 0.01 * (1 / agreement - 1)
    near = {page: score / max(graph.in_degree(page), 1) ** 0.15 for page, score in near.items()}
    nearest, closest = (max(part.values(), default=0.0) or 1.0 for part in (near, coupled))
    shares, scores = shares_of(weights), {}
    for page in candidates:
        scores[page] = (
            (walk_part.get(page, 0.0) / (faint or 1.0) + 0.05)
            * (near.get(page, 0.0) / nearest + 0.75)
            * (coupled.get(page, 0.0) / closest + 1)
            * min(max(graph.in_degree(page), 1), 15) ** 0.07
        )
        if many_sites:
            linked = {q for q in weights if q in graph.links[page] and page not in graph.links[q]}
            own = sum(share for q, share in shares.items() if site_of(q) == site_of(page))
            one_way = sum(share for q, share in shares.items() if q in linked)
            scores[page] *= (1 - 0.7 * own) * (1 - 0.7 * one_way)
        elif is_outside(graph, next(iter(weights)), page):
            scores[page] *= 0.5
    if names and not many_sites:
        best, plain = graph.ordered_list(scores)[:100], dict(scores)
        spelt = {query: cosines(query, best) for query in weights}
        for page in best:
            mean = sum(share * spelt[query].get(page, 0.0) for query, share in shares.items())
            scores[page] = plain[page] * (1 + mean / 0.2)
    return {
        page: strength(score, "names" if names and not many_sites else "links")
        for page, score in scores.items()
        if page not in away
    }


def parts_of(graph: PlainGraph, weights: Weights, site_of: object) -> tuple[Scores, Scores]:
    """Proximity and coupling of all query pages together."""
    shares, count = shares_of(weights), len(weights)
    limit = max(2000 // count**2, 2)
    parents = {query: graph.sampled_parents(query, limit, 0, NONE) for query in weights}
    most = max(max(len(listed), 1) for listed in parents.values())
    beside = {q: share * most / max(len(parents[q]), 1) for q, share in shares.items()}
    sampled = sorted(
        {p for listed in parents.values() for p in listed}, key=graph.number.__getitem__
    )
    rows = {parent: weights_beside(graph, parent, beside) for parent in sampled}
    if callable(site_of):
        near = agreed(graph, site_of, rows)
    else:
        near = {}
        for row in rows.values():
            for page, weight in row.items():
                near[page] = near.get(page, 0.0) + weight
    longest = max(max(graph.out_degree(query), 1) for query in weights)
    child_weights: Scores = {}
    for query, share in shares.items():
        for child in graph.links[query]:
            part = share * sqrt(longest / graph.out_degree(query)) / log(2 + graph.in_degree(child))
            child_weights[child] = child_weights.get(child, 0.0) + part
    coupled = {}
    for page in graph.pages:
        total = sum(child_weights.get(child, 0.0) for child in graph.links[page])
        if total > 0 and page not in weights:
            coupled[page] = total / sqrt(graph.out_degree(page))
    return near, coupled


def weights_beside(graph: PlainGraph, parent: str, shares: Scores) -> Scores:
    """The weight of each link of a parent, by the nearest query page before and after it."""
    row, alpha = graph.links[parent], 0.85 if graph.ordered else 0.0
    weights: Scores = {}
    for place, page in enumerate(row):
        if page in shares:
            continue
        before = [at for at in range(place) if row[at] in shares][-1:]
        after = [at for at in range(place + 1, len(row)) if row[at] in shares][:1]
        weights[page] = sum(shares[row[at]] * abs(place - at) ** -alpha for at in before + after)
    return weights
