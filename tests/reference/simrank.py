"""SimRank of all pairs: pages are similar if similar pages link to them (JW02; LLK06, eq. 1)."""

from __future__ import annotations

from tests.reference.plain_graph import PlainGraph, Scores

Pairs = dict[tuple[str, str], float]


def all_pairs(graph: PlainGraph, decay: float = 0.8, rounds: int = 200) -> Pairs:
    """s(a, b) for every ordered pair, iterated until nothing moves."""
    pairs: Pairs = {(a, b): float(a == b) for a in graph.pages for b in graph.pages}
    for _ in range(rounds):
        new = {(a, b): 1.0 if a == b else mean(graph, a, b, decay, pairs) for a, b in pairs}
        moved = max((abs(new[pair] - pairs[pair]) for pair in pairs), default=0.0)
        pairs = new
        if moved < 1e-13:
            break
    return pairs


def mean(graph: PlainGraph, a: str, b: str, decay: float, pairs: Pairs) -> float:
    """The decayed mean similarity of the parents of two pages."""
    one, two = graph.parents[a], graph.parents[b]
    if not one or not two:
        return 0.0
    return decay * sum(pairs[p, q] for p in one for q in two) / (len(one) * len(two))


def simrank(graph: PlainGraph, query: str, *, decay: float = 0.8, rounds: int = 200) -> Scores:
    pairs = all_pairs(graph, decay, rounds)
    scores = {page: pairs[query, page] for page in graph.pages if page != query}
    return {page: score for page, score in scores.items() if score > 0}
