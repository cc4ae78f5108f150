"""Comparisons of ranks match the definitions of agreement in plain Python."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from whatsrelated.errors import OptionError
from whatsrelated.ranks import comparison
from whatsrelated.ranks.comparison import compare_ranks

GRAPH = graph_of("a -> tea milk", "b -> tea milk coffee", "c -> tea", "tea -> cup", "milk -> tea")
SCORES = st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=2, max_size=8)


def plain_kendall(x: list[int], y: list[int]) -> float | None:
    """τ-b: concordant minus discordant pairs, over the pairs not tied in either."""
    sign = [
        ((a > b) - (a < b), (c > d) - (c < d))
        for (a, c), (b, d) in combinations(zip(x, y, strict=True), 2)
    ]
    untied = [sum(abs(one[i]) for one in sign) for i in (0, 1)]
    return sum(a * b for a, b in sign) / (untied[0] * untied[1]) ** 0.5 if all(untied) else None


def plain_overlap(one: list[int], two: list[int], p: float) -> float:
    """The definition, to a depth where the rest is below rounding."""
    depths = range(1, 3000)
    return (1 - p) * sum(
        p ** (d - 1) * len(set(one[:d]) & set(two[:d])) / min(d, max(len(one), 1)) for d in depths
    )


@given(SCORES)
def test_kendall_is_tau_b(scores: list[tuple[int, int]]) -> None:
    x, y = (list(column) for column in zip(*scores, strict=True))
    found = comparison.kendall(np.array(x, float), np.array(y, float))
    assert found == (None if plain_kendall(x, y) is None else pytest.approx(plain_kendall(x, y)))


@given(st.permutations(range(7)), st.floats(0.1, 0.95))
def test_rank_biased_overlap_is_that_of_a_reader_who_may_stop(two: list[int], p: float) -> None:
    one = list(range(7))
    depths = np.array([max(one.index(page), two.index(page)) + 1 for page in range(7)])
    assert comparison.overlap(depths, p) == pytest.approx(plain_overlap(one, two, p))


def test_the_best_of_the_first_rank_have_places_under_all() -> None:
    found = compare_ranks(GRAPH.store, ["in-degree", "out-degree"])
    best = found.best(3)
    assert [(row.result.url, row.links, row.places) for row in best] == [
        ("tea", 4, (1, 3)),
        ("milk", 2, (2, 3)),
        ("coffee", 1, (3, 6)),
    ]


def test_pairs_share_the_pages_among_the_first_of_both() -> None:
    found = compare_ranks(GRAPH.store, ["in-degree", "out-degree", "pagerank"], tops=[2, 4])
    pairs = {(pair.x, pair.y): pair for pair in found.pairs()}
    assert list(pairs) == [
        ("in-degree", "out-degree"),
        ("in-degree", "pagerank"),
        ("out-degree", "pagerank"),
    ]
    tops = {name: GRAPH.rank(name).top(7) for name in found.names}
    for (x, y), pair in pairs.items():
        orders = [[result.url for result in tops[name]] for name in (x, y)]
        for top in (2, 4):
            shared = set(orders[0][:top]) & set(orders[1][:top])
            assert pair.shares[top] == len(shared) / top
        assert pair.rbo == pytest.approx(plain_overlap(*orders, 0.9))


def test_every_round_has_its_residual_and_nothing_is_read_from_the_cache() -> None:
    GRAPH.rank("pagerank")
    found = compare_ranks(GRAPH.store, ["pagerank", "hits", "in-degree"], max_rounds=2)
    told = {one["by"]: one for one in found.as_dict()["ranks"]}
    assert [len(told[name]["residuals"]) for name in told] == [2, 2, 0]
    assert told["hits"]["residual"] == told["hits"]["residuals"][-1]
    assert not told["hits"]["converged"]
    assert told["pagerank"]["options"]["max_rounds"] == 2
    assert all(one["seconds"] > 0 for one in told.values())


def test_hubs_are_compared_if_all_methods_have_them() -> None:
    found = compare_ranks(GRAPH.store, ["hits", "mbcc"], hubs=True)
    assert found.best(1)[0].result.url == "b"
    assert found.best(1)[0].links == 3
    with pytest.raises(OptionError, match="pagerank has no hubs"):
        compare_ranks(GRAPH.store, ["hits", "pagerank"], hubs=True)


@pytest.mark.parametrize(
    ("by", "options", "said"),
    [
        (["hits"], {}, "needs at least two different ranks, got hits"),
        (["hits", "hits"], {}, "needs at least two different ranks"),
        ([], {}, "got none"),
        (["hits", "magic"], {}, "No rank 'magic'"),
        (["hits", "in-degree"], {"damping": 0.5}, "none of hits, in-degree has the option"),
        (["hits", "mbcc"], {"persistence": 1.0}, "persistence must be above 0 and below 1, got 1"),
    ],
)
def test_impossible_comparisons_are_rejected(by: list[str], options: dict, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        compare_ranks(GRAPH.store, by, **options)
