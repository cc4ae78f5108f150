"""Answering a question at once gives the same as its separate steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import in_order
from whatsrelated import kernels
from whatsrelated.kernels.asking import companion as plain
from whatsrelated.kernels.asking.vicinity import Vicinity
from whatsrelated.kernels.shared.adjacency import sampled_parents

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

PAGES = 16
ROLES = bytes([1, 2, 4, 8, 16])
kept = kernels.vicinity.Vicinity()
page = st.integers(0, PAGES - 1)
links = st.lists(st.tuples(page, page), max_size=120, unique=True)
mirrors = st.tuples(st.lists(page, max_size=4), st.lists(page, min_size=2, max_size=6))
some_pages = st.lists(page, max_size=3, unique=True).map(sorted)
rules = st.sampled_from([None, (10, 95, 100), (1, 1, 2), (0, 2, 3)])


def numbers(pages: list[int]) -> Any:
    return np.array(pages, np.uint32)


@given(links, mirrors, some_pages.filter(bool), some_pages, rules, st.data())
def test_the_whole_is_its_steps(
    pairs: list[tuple[int, int]],
    mirrored: tuple[list[int], list[int]],
    queries: list[int],
    stop: list[int],
    rule: tuple[int, int, int] | None,
    data: st.DataObject,
) -> None:
    alike, listed = mirrored  # parents of the query that are near-duplicates
    pairs = [pair for pair in pairs if pair[0] not in alike]
    pairs += [(mirror, target) for mirror in alike for target in {*listed, queries[0]}]
    graph = in_order(pairs, PAGES)
    parents = [
        graph.in_links[int(graph.in_offsets[query]) : int(graph.in_offsets[query + 1])][
            : data.draw(st.integers(0, 9))
        ]
        for query in queries
    ]
    sites = numbers(data.draw(st.lists(st.integers(0, 5), min_size=PAGES, max_size=PAGES)))
    wanted = {
        "sites": sites if data.draw(st.booleans()) else None,
        "queries": numbers(queries),
        "parents": np.concatenate(parents),
        "parent_ends": np.cumsum([len(each) for each in parents], dtype=np.int64),
        "stop": numbers([each for each in stop if each not in queries]),
        "roles": ROLES,
        "siblings": data.draw(st.integers(-1, 6)),
        "children": data.draw(st.integers(0, 4)),
        "coparents": data.draw(st.integers(0, 4)),
        "near_duplicate": rule,
        "weighted": data.draw(st.booleans()),
        "tolerance": 1e-9,
        "max_rounds": data.draw(st.sampled_from([1, 2, 300])),
        "least": 1e-6,
    }
    ours = kernels.companion.companion(kept, graph.ours, **wanted)
    twin = plain.companion(Vicinity(), graph.twin, **wanted)
    for one, other in zip(ours[0], twin[0], strict=True):
        assert (one is None) == (other is None)
        assert one is None or one.tolist() == other.tolist()
    assert np.allclose(ours[1], twin[1], atol=1e-7), "authorities"
    assert np.allclose(ours[2], twin[2], atol=1e-7), "hubs"
    assert ours[4] == twin[4], "merged"
    assert abs(ours[5] - twin[5]) <= 1, "rounds: the last one may be decided by a rounding"
    best = kernels.authorities.best(ours[0][0], ours[1], ours[0][1], ROLES[0], 1e-6)
    for one, other in zip(ours[3], best, strict=True):
        assert one.tolist() == other.tolist()


@given(links, rules, st.integers(1, 5), st.integers(1, 6), st.booleans(), st.booleans())
def test_many_questions_are_each_of_them_alone(
    pairs: list[tuple[int, int]],
    rule: tuple[int, int, int] | None,
    parents: int,
    limit: int,
    sited: bool,
    weighted: bool,
) -> None:
    graph = in_order(pairs, PAGES)
    pages = numbers(list(range(PAGES)))
    wanted: dict[str, Any] = {
        "sites": pages // 3 if sited else None,
        "roles": ROLES,
        "siblings": 4,
        "children": 3,
        "coparents": 2,
        "near_duplicate": rule,
        "weighted": weighted,
        "tolerance": 1e-9,
        "max_rounds": 300,
        "least": 1e-6,
    }
    draws = np.random.default_rng(0).random(PAGES)
    many = {**wanted, "pages": pages, "draws": draws, "parents": parents, "limit": limit}
    ends, found, scores = kernels.companion.companion_each(kept, graph.ours, **many)
    first = 0
    for page, end in enumerate(ends.tolist()):
        own = sampled_parents(graph.twin, page, parents, float(draws[page]))
        alone = kernels.companion.companion(
            kept,
            graph.ours,
            queries=pages[page : page + 1],
            parents=own,
            parent_ends=np.array([len(own)]),
            stop=pages[:0],
            **wanted,
        )[3]
        best = kernels.best_pages.rank_best(*alone, None, graph.ours, limit)
        assert found[first:end].tolist() == alone[0][best].tolist()
        assert scores[first:end].tolist() == alone[1][best].tolist()
        first = end
    twin = plain.companion_each(Vicinity(), graph.twin, **many)
    assert np.diff(twin[0], prepend=0).sum() == len(twin[1]) == len(twin[2])
    assert abs(len(twin[1]) - len(found)) <= PAGES, "the least may be decided by a rounding"
