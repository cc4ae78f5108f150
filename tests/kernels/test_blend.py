"""The compiled parts of a blend agree with the plain kernels of each part."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Pairs, in_order
from tests.kernels.test_walks import links_of_a_graph
from whatsrelated import kernels
from whatsrelated.kernels.plain import blend as plain
from whatsrelated.kernels.plain.adjacency import children_of, parents_of

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.blend.Scratch()


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
    asked = page, np.sort(parents), sites, children, weights, restart, 1e-4, alpha, popular
    pages, parts, read = kernels.blend.gather(scratch, graph.ours, *asked)
    twin_pages, twin_parts, twin_read = plain.gather(plain.Scratch(), graph.twin, *asked)
    assert pages.tolist() == twin_pages.tolist()
    assert parts.tolist() == [pytest.approx(row, rel=1e-9) for row in twin_parts.tolist()]
    assert read == twin_read
    settings = 0.01, np.array([0.1, 0.5, 0.6]), 0.1, 3
    product = kernels.blend.multiply(graph.ours, pages, parts, *settings)
    again = plain.multiply(graph.twin, twin_pages, twin_parts, *settings)
    assert product.tolist() == pytest.approx(again.tolist(), rel=1e-9)


def test_the_product_by_hand() -> None:
    links = in_order([(0, 1), (2, 1), (3, 1), (0, 2)], 4).ours
    parts = np.array([[0.19, 0.0], [4.0, 2.0], [0.0, 0.0]])
    pages, doubts = np.array([1, 3], np.uint32), np.array([0.1, 0.5, 0.6])
    found = kernels.blend.multiply(links, pages, parts, 0.01, doubts, 2.0, 2)
    first = (0.19 / 0.2 + 0.1) * 1.5 * 0.6 * 2**2  # three parents, two at most
    second = 0.1 * (0.5 + 0.5) * 0.6
    assert found.tolist() == pytest.approx([first, second])


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
        asked = np.array(parents, np.uint32), sites, nothing, no_weights, 0.3, 1e-4, 1.0, 0.0
        pages, parts, _ = kernels.blend.gather(kernels.blend.Scratch(), graph, query, *asked)
        return dict(zip(pages.tolist(), parts[1].tolist(), strict=True))

    # Beside the query, near and far are named by two sites, of 3 and 2 pages that link to them.
    found = near_of(first, second, third, farm)
    assert found[near] == pytest.approx(1 / 2 + 0)  # by first with far; second has nothing else
    assert found[far] == pytest.approx(1 / 2 * (1 / 3) + 0)
    assert found[wanted] == pytest.approx(1 / 2 * (1 / 3) + 1 / 2 * (1 / 2) * (1 / 2))
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
        pages, parts, _ = kernels.blend.gather(
            own, star.ours, 1, zero, nothing, nothing, no_weights, 0.3, 1e-5, 0.85, 0.35
        )
        near = dict(zip(pages.tolist(), parts[1].tolist(), strict=True))
        assert near[4999] == pytest.approx(4998**-0.85)
        assert near[2] == 1.0
        assert near[0] == 0.0
    small = in_order([(0, 1)], 3).ours
    pages, parts, _ = kernels.blend.gather(
        own, small, 0, nothing, nothing, nothing, no_weights, 0.5, 1e-9, 0.85, 0.0
    )
    assert (pages.tolist(), parts[1:].tolist()) == ([1], [[0.0], [0.0]])
    assert parts[0].tolist() == pytest.approx([1 / 3], abs=1e-8)
