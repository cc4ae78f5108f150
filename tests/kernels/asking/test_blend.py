"""The compiled parts of a blend agree with the plain kernels of each part."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.asking.test_walk import links_of_a_graph
from tests.kernels.graphs import Pairs, in_order
from whatsrelated import kernels
from whatsrelated.kernels.asking import blend as plain
from whatsrelated.kernels.shared.adjacency import children_of, parents_of

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.blend.Scratch()

DOUBTS, KNOWN = np.array([0.1, 0.5, 0.6]), np.array([7.0, 8.0, 9.0])
REST = 0.01, 0.1, 0.2, DOUBTS, KNOWN, 0.3


@compiled
@given(
    links_of_a_graph,
    st.integers(0, 14),
    st.integers(0, 15),
    st.floats(0.1, 0.9),
    st.floats(0, 2),
    st.floats(0, 1),
)
def test_the_parts_are_those_of_the_plain_kernels(
    pairs: Pairs, page: int, of_a_site: int, restart: float, alpha: float, popular: float
) -> None:
    graph = in_order(pairs, 15)
    parents, children = parents_of(graph.twin, page), children_of(graph.twin, page)
    weights = 1.0 + np.arange(len(children))
    sites = np.arange(15 if of_a_site else 0, dtype=np.uint32) // max(of_a_site, 1)
    asked = page, np.sort(parents), sites, children, weights, restart, 1e-4, alpha, popular, *REST
    pages, parts, largest, scores, read = kernels.blend.find(scratch, graph.ours, *asked)
    twin = plain.find(plain.Scratch(), graph.twin, *asked)
    assert pages.tolist() == twin[0].tolist()
    assert parts.tolist() == [pytest.approx(row, rel=1e-9) for row in twin[1].tolist()]
    assert largest.tolist() == pytest.approx(twin[2].tolist(), rel=1e-9)
    assert scores.tolist() == pytest.approx(twin[3].tolist(), rel=1e-9)
    assert read == twin[4]


def test_the_score_by_hand() -> None:
    # 3 is linked beside 1 twice, 4 once; nobody links to 0.
    links = in_order([(0, 1), (0, 3), (2, 1), (2, 3), (2, 4)], 5).ours
    parents, nothing = np.array([0, 2], np.uint32), np.empty(0, np.uint32)
    asked = parents, nothing, nothing, np.empty(0), 0.3, 1e-9, 1.0, 0.4, *REST
    pages, parts, largest, scores, _ = kernels.blend.find(kernels.blend.Scratch(), links, 1, *asked)
    walk, near, coupled = (dict(zip(pages.tolist(), row, strict=True)) for row in parts.tolist())
    assert near == {0: 0, 2: 0, 3: 2, 4: 0.5}
    assert coupled == dict.fromkeys(near, 0.0)
    found = dict(zip(pages.tolist(), scores.tolist(), strict=True))
    agreement = sum(walk[page] * near[page] for page in near)
    agreement /= math.dist(walk.values(), [0] * 4) * math.dist(near.values(), [0] * 4)
    assert 0.1 < agreement < 1  # with nothing coupled, that with what is near
    faint = 0.01 * (1 / agreement - 1)
    assert largest.tolist() == pytest.approx([max(walk.values()) + faint, 2 / 2**0.2, 0])
    for page, known in ((0, 7.0), (2, 7.0), (3, 9.0), (4, 8.0)):  # two parents, or more, have 9
        walked = walk[page] / largest[0] + 0.1
        beside = near[page] / (2**0.2 if page == 3 else 1) / largest[1]
        assert found[page] == pytest.approx(known * walked * (beside + 0.5) * 0.6)


def test_a_parent_is_believed_of_a_page_as_far_as_other_sites_name_its_other_links() -> None:
    query, first, second, third, farm, owner, other, near, far, wanted = range(10)
    rows = {
        first: [query, near, far],
        second: [near, query, wanted],
        third: [wanted, far, query],
        farm: [query, owner],
        other: [near, first],
    }
    graph = in_order([(page, link) for page, row in rows.items() for link in row], 10).ours
    nothing, no_weights = np.empty(0, np.uint32), np.empty(0)
    sites = np.array([0, 1, 2, 2, 3, 4, 5, 6, 7, 8], np.uint32)

    def near_of(*parents: int) -> dict[int, float]:
        asked = np.array(parents, np.uint32), sites, nothing, no_weights, 0.3, 1e-4, 1.0, 0.0, *REST
        pages, parts, _, _, _ = kernels.blend.find(kernels.blend.Scratch(), graph, query, *asked)
        return dict(zip(pages.tolist(), parts[1].tolist(), strict=True))

    # Beside the query, near and far are named by two sites, of 3 and 2 pages that link to them.
    found = near_of(first, second, third, farm)
    assert found[near] == pytest.approx(1 / 2 + 0)  # by first with far; second has nothing else
    assert found[far] == pytest.approx(1 / 2 * (1 / 3) + 0)
    assert found[wanted] == 0  # second and third are one site, which alone names it
    assert found[owner] == 0
    assert near_of(second, farm)[owner] == 1  # no two agree: each site has its vote
    assert near_of(first, second)[near] == 2  # or on one page alone


@compiled
def test_far_links_have_their_weight_and_the_scratch_is_clean_afterwards() -> None:
    own = kernels.blend.Scratch()
    star = in_order([(0, i) for i in range(1, 5000)], 5000)
    nothing, no_weights = np.empty(0, np.uint32), np.empty(0)
    zero = np.zeros(1, np.uint32)
    for _ in range(2):
        pages, parts, _, _, _ = kernels.blend.find(
            own, star.ours, 1, zero, nothing, nothing, no_weights, 0.3, 1e-5, 0.85, 0.35, *REST
        )
        near = dict(zip(pages.tolist(), parts[1].tolist(), strict=True))
        assert near[4999] == pytest.approx(4998**-0.85)
        assert near[2] == 1.0
        assert near[0] == 0.0
    small = in_order([(0, 1)], 3).ours
    pages, parts, _, _, _ = kernels.blend.find(
        own, small, 0, nothing, nothing, nothing, no_weights, 0.5, 1e-9, 0.85, 0.0, *REST
    )
    assert (pages.tolist(), parts[1:].tolist()) == ([1], [[0.0], [0.0]])
    assert parts[0].tolist() == pytest.approx([1 / 3], abs=1e-8)
