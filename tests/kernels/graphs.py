"""Random graphs as the arrays that kernels read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.building import link_sorting as sorting
from whatsrelated.kernels.shared import links as plain

Pairs = list[tuple[int, int]]


class Arrays(NamedTuple):
    """Both directions of the links of a graph, and a rank of its pages."""

    offsets: Any
    links: Any
    in_offsets: Any
    in_links: Any
    rank: Any

    @property
    def ours(self) -> kernels.links.Links:
        """The links as the kernels in use take them."""
        return kernels.links.Links(*self[:4])

    @property
    def twin(self) -> plain.Links:
        """And as the plain ones do."""
        return plain.Links(*self[:4])

    def degrees(self, *, to: bool = False) -> Any:
        return np.diff(self.in_offsets if to else self.offsets).astype(np.int64)


def arrays_of(pairs: Pairs, n_pages: int) -> Arrays:
    """The graph of these links, each once and none from a page to itself."""
    links = sorted({pair for pair in pairs if pair[0] != pair[1]})
    array = np.array(links, np.uint32).reshape(-1, 2)
    offsets, out = sorting.group(array[:, 0], array[:, 1], 0, n_pages, True)
    in_offsets, into = sorting.group(array[:, 1], array[:, 0], 0, n_pages, True)
    return Arrays(offsets, out, in_offsets, into, pagerank(offsets, out))


def in_order(pairs: Pairs, n_pages: int) -> Arrays:
    """The graph of these links in their order, each once and none from a page to itself."""
    array = np.array(pairs, np.uint32).reshape(-1, 2)
    out = sorting.group(array[:, 0].copy(), array[:, 1].copy(), 0, n_pages, True)
    into = sorting.group(array[:, 1].copy(), array[:, 0].copy(), 0, n_pages, True)
    return Arrays(*out, *into, None)


def of_rows(offsets: Any, links: Any) -> Arrays:
    """A graph with only its rows of links, not the parents of pages."""
    return Arrays(offsets, links, np.zeros_like(offsets), np.empty(0, np.uint32), None)


def pagerank(offsets: Any, links: Any, damping: float = 0.85) -> Any:
    n = len(offsets) - 1
    degrees = np.diff(offsets).astype(np.int64)
    rank = np.full(n, 1 / n)
    for _ in range(200):
        shares = np.repeat(rank / np.maximum(degrees, 1), degrees)
        sent = np.bincount(links, shares, n)
        rank = damping * (sent + rank[degrees == 0].sum() / n) + (1 - damping) / n
    return rank


@st.composite
def graphs(draw: st.DrawFn, most_pages: int = 12, most_links: int = 60) -> Arrays:
    """Small graphs of any shape, with pages that nothing links to or from."""
    n = draw(st.integers(2, most_pages))
    pages = st.integers(0, n - 1)
    return arrays_of(draw(st.lists(st.tuples(pages, pages), min_size=1, max_size=most_links)), n)
