"""The compiled parts of a blend agree with the plain kernels of each part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.asking.test_walk import links_of_a_graph
from tests.kernels.graphs import Pairs, in_order
from whatsrelated import kernels
from whatsrelated.kernels.asking import blend as plain
from whatsrelated.kernels.shared.adjacency import children_of, parents_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.blend.Scratch()


def parts(
    links: Links,
    *pages: int,
    shares: Sequence[float] = (1.0,),
    near_shares: Sequence[float] = (),
    parents: Sequence[int] = (),
    sites: Sequence[int] = (),
    children: Sequence[int] = (),
    **numbers: float,
) -> Any:
    usual = {"restart": 0.3, "error": 1e-4, "walk_power": 0.0, "distance_power": 1.0}
    return kernels.blend.parts(
        scratch,
        links,
        np.array(pages, np.uint32),
        np.array(shares),
        parents=np.array(parents, np.uint32),
        near_shares=np.array(near_shares or shares),
        sites=np.array(sites, np.uint32),
        children=np.array(children, np.uint32),
        child_shares=np.ones(len(children)),
        **{**usual, **numbers},
    )


def by_page(pages: NDArray[uint32], values: NDArray[Any]) -> dict[int, Any]:
    return dict(zip(pages.tolist(), values.tolist(), strict=True))


@compiled
@given(
    links_of_a_graph,
    st.lists(st.integers(0, 14), min_size=1, max_size=5, unique=True),
    st.lists(st.floats(0.01, 1), min_size=5, max_size=5),
    st.integers(0, 15),
    st.floats(0.1, 0.9),
    st.floats(0, 2),
    st.floats(0, 1),
)
def test_the_parts_are_those_of_the_plain_kernels(
    pairs: Pairs,
    queries: list[int],
    weights: list[float],
    of_a_site: int,
    restart: float,
    distances: float,
    degrees: float,
) -> None:
    graph = in_order(pairs, 15)
    pages, shares = np.array(queries, np.uint32), np.array(weights[: len(queries)])
    children = np.unique(np.concatenate([children_of(graph.twin, page) for page in queries]))
    query: dict[str, Any] = {
        "parents": np.unique(np.concatenate([parents_of(graph.twin, page) for page in queries])),
        "near_shares": shares[::-1].copy(),
        "sites": np.arange(15 if of_a_site else 0, dtype=np.uint32) // max(of_a_site, 1),
        "children": children,
        "child_shares": 1 / (1.0 + np.arange(len(children))),
        "restart": restart,
        "error": 1e-4,
        "walk_power": degrees,
        "distance_power": distances,
    }
    found, rows, *rest = kernels.blend.parts(scratch, graph.ours, pages, shares, **query)
    twin_pages, twin_rows, *twin_rest = plain.parts(
        plain.Scratch(), graph.twin, pages, shares, **query
    )
    assert found.tolist() == twin_pages.tolist()
    assert rows.tolist() == [pytest.approx(row, rel=1e-9, abs=1e-15) for row in twin_rows.tolist()]
    for ours, theirs in zip(rest, twin_rest, strict=True):  # in-degrees, counts, read
        assert np.array_equal(ours, theirs)


def test_the_parts_by_hand() -> None:
    # On its parents, 1 has 3 beside it twice, 4 once and 5 three links away; 2 and 3 link to 5 too.
    links = in_order([(0, 1), (0, 3), (2, 1), (2, 3), (2, 4), (2, 5), (1, 5), (3, 5)], 6).ours
    found, divided = (
        parts(links, 1, parents=[0, 2], children=[5], error=1e-9, walk_power=power)
        for power in (0.0, 0.5)
    )
    pages, (walk, near, coupled, *penalized), in_degrees, counts, _ = found
    assert by_page(pages, near) == {0: 0, 2: 0, 3: 2, 4: 1 / 2, 5: 1 / 3}
    shared = 1 / math.log(2 + 3)
    by_hand = {0: 0, 2: shared / math.sqrt(4), 3: shared, 4: 0, 5: 0}
    assert by_page(pages, coupled) == pytest.approx(by_hand)
    assert by_page(pages, in_degrees) == {0: 1, 2: 1, 3: 2, 4: 1, 5: 3}  # 0 and 2 have none
    assert counts == [5, 3, 2]
    assert not np.any(penalized)
    degrees = np.sqrt([{0: 2, 2: 4, 3: 3, 4: 1, 5: 3}[page] for page in pages.tolist()])
    assert divided[1][0].tolist() == pytest.approx((walk / degrees).tolist())


def test_pages_of_the_query_s_site_and_pages_that_link_one_way_are_marked() -> None:
    query, section, index, fan, friend = range(5)
    links = [(query, section), (index, query), (fan, query), (friend, query), (query, friend)]
    around = {"parents": [index, fan, friend], "sites": [0, 0, 0, 1, 2]}
    pages, (*_, own_site, one_way), *_ = parts(in_order(links, 5).ours, query, **around)
    assert by_page(pages, own_site) == {section: 1, index: 1, fan: 0, friend: 0}
    assert by_page(pages, one_way) == {section: 0, index: 1, fan: 1, friend: 0}


def test_a_link_between_two_query_pages_counts_for_both() -> None:
    parent, first, tea, milk, second, rice = range(6)
    graph = in_order([(parent, page) for page in (first, tea, milk, second, rice)], 6).ours
    around = {"parents": [parent], "shares": [0.75, 0.25], "near_shares": [3.0, 1.0]}
    pages, (_, near, _, own_site, one_way), *_ = parts(
        graph, first, second, sites=[0, 1, 0, 1, 0, 1], **around
    )
    assert by_page(pages, near) == {parent: 0, tea: 3 + 1 / 2, milk: 3 / 2 + 1, rice: 1}
    assert by_page(pages, own_site) == {parent: 0.25, tea: 0.25, milk: 0.75, rice: 0.75}
    assert by_page(pages, one_way) == {parent: 1, tea: 0, milk: 0, rice: 0}


def test_a_parent_counts_as_far_as_other_sites_link_to_its_other_links() -> None:
    query, first, second, third, farm, owner, other, near, far, wanted = range(10)
    rows = {
        first: [query, near, far],
        second: [near, query, wanted],
        third: [wanted, far, query],
        farm: [query, owner],
        other: [near, first],
    }
    graph = in_order([(page, link) for page, row in rows.items() for link in row], 10).ours
    sites = [0, 1, 2, 2, 3, 4, 5, 6, 7, 8]

    def near_of(*linking: int) -> dict[int, float]:
        pages, rows, *_ = parts(graph, query, parents=linking, sites=sites)
        return by_page(pages, rows[1])

    # Beside the query, near and far are named by two sites, of 3 and 2 pages that link to them.
    found = near_of(first, second, third, farm)
    assert found[near] == pytest.approx(1 / 2 + 0)  # by first with far; second has nothing else
    assert found[far] == pytest.approx(1 / 2 * (1 / 3) + 0)
    assert found[wanted] == 0  # second and third are one site, which alone names it
    assert found[owner] == 0
    assert near_of(second, farm)[owner] == 1  # no two agree: each site has its vote
    assert near_of(first, second)[near] == 2  # or on one page alone


def test_far_links_have_their_weight_and_the_scratch_is_clean_afterwards() -> None:
    star = in_order([(0, i) for i in range(1, 5000)], 5000).ours
    for power in (0.85, 0.85, 0.5):  # the kernel keeps its table of powers as long as it can
        pages, rows, *_ = parts(star, 1, parents=[0], error=1e-5, distance_power=power)
        near = by_page(pages, rows[1])
        assert (near[2], near[0]) == (1.0, 0.0)
        assert near[500] == pytest.approx(499**-power)
        assert near[4999] == pytest.approx(4998**-power)
    small = in_order([(0, 1)], 3).ours
    pages, rows, *_ = parts(small, 0, restart=0.5, error=1e-9)
    assert (pages.tolist(), rows[1:3].tolist()) == ([1], [[0.0], [0.0]])
    assert rows[0].tolist() == pytest.approx([1 / 3], abs=1e-8)
