"""Names that are numbers: pages in the order of the numbers."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.graph import build_input
from whatsrelated.graph.build import build_in_memory
from whatsrelated.graph.plan import Plan
from whatsrelated.names.naming import Naming
from whatsrelated.stream import NamedLinks, Names, NumberedLinks


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))), st.sampled_from([0, 30, 50]))
def test_numbers_are_pages_in_the_order_of_numbers(
    pairs: list[tuple[int, int]], pages: int
) -> None:
    array = np.array(pairs, np.uint64).reshape(-1, 2)
    numbered = NumberedLinks(array[:, 0].copy(), array[:, 1].copy(), pages)
    store = build_in_memory([numbered], Plan(Naming()))
    known = sorted({number for pair in pairs for number in pair} | set(range(pages)))
    assert [store.url(page) for page in range(store.n_pages)] == [str(n) for n in known]
    links = {
        (store.url(page), store.url(target))
        for page in range(store.n_pages)
        for target in store.links_from(page).tolist()
    }
    assert links == {(str(a), str(b)) for a, b in pairs if a != b}


def test_numbers_beside_names_and_numbers_too_large_for_a_table_are_names() -> None:
    huge = 10**18
    numbered = NumberedLinks(np.array([7, huge], np.uint64), np.array([huge, 7], np.uint64))
    named = NamedLinks(Names.of([b"tea", b"7"]), np.array([0], np.uint32), np.array([1], np.uint32))
    store = build_in_memory([numbered, named], Plan(Naming()))
    assert [store.url(page) for page in range(3)] == ["7", str(huge), "tea"]
    assert store.links_to(0).tolist() == [1, 2]
    store = build_in_memory([numbered], Plan(Naming()))
    assert [store.url(page) for page in range(2)] == ["7", str(huge)]


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1),
    st.sampled_from([0, 30, 50]),
    st.integers(0, 40),
)
def test_numbers_too_large_for_a_table_make_the_same_graph(
    pairs: list[tuple[int, int]], pages: int, cut: int
) -> None:
    array = np.array(pairs, np.uint64).reshape(-1, 2)
    batches = [
        NumberedLinks(part[:, 0].copy(), part[:, 1].copy(), pages)
        for part in (array[:cut], array[cut:])
    ]
    with patch.object(build_input, "NUMBERS_AT_ONCE", 7):
        stores = [
            build_in_memory(
                [*batches, NumberedLinks(last, last)],
                Plan(Naming()),  # a link to itself: a page
            )
            for last in (np.array([99], np.uint64), np.array([10**19], np.uint64))
        ]
    fits, named = ([store.url(page) for page in range(store.n_pages)] for store in stores)
    assert fits[:-1] == named[:-1]
    assert (fits[-1], named[-1]) == ("99", str(10**19))
    for page in range(stores[0].n_pages):
        assert stores[0].links_from(page).tolist() == stores[1].links_from(page).tolist()
        assert stores[0].links_to(page).tolist() == stores[1].links_to(page).tolist()
