"""Companion as you would write it in NumPy and SciPy, and networkx's HITS.

The queries and answers are the same, computed on whole arrays: one gather reads all links, and
near-duplicates are filtered by counts before they are compared.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from whatsrelated.contract.sampling import draw, sample
from whatsrelated.graph import Store
from whatsrelated.vicinity.gathering import VicinityGraph

Array = NDArray[Any]
PARENTS, SIBLINGS, CHILDREN, COPARENTS = 2000, 8, 40, 8


def companion(store: Store, url: str, sites: Array, limit: int = 10) -> list[tuple[str, float]]:
    """The best pages and their authorities, with the paper's parameters."""
    page = store.names.page_of(url)
    assert page is not None
    pages = gathered(store, page)
    owner, targets, lengths = rows(store.out_offsets, store.out_links, pages)
    place = np.searchsorted(pages, targets)
    place[place == len(pages)] = 0
    site = sites[pages]
    inside = (pages[place] == targets) & (site[owner] != site[place])
    sources, ends = owner[inside], place[inside]
    names = merged(store, pages, page, owner, targets, lengths)
    if names is not None:
        pairs = np.unique(names[sources] * len(pages) + names[ends])
        sources, ends = pairs // len(pages), pairs % len(pages)
        apart = site[sources] != site[ends]  # one node is one site, so this drops loops too
        sources, ends = sources[apart], ends[apart]
    authority = settled(sources, ends, site, len(pages))
    others = np.where(pages == page, 0, authority)
    rounded = np.round(others / others.max(), 9)
    best = np.flatnonzero(rounded >= np.partition(rounded, -limit)[-limit])
    best = best[np.lexsort((pages[best], store.in_degree(pages[best]), -rounded[best]))][:limit]
    return [(store.url(pages[place]), authority[place]) for place in best.tolist()]


def rows(offsets: Array, links: Array, pages: Array, most: int | None = None) -> Any:
    """The links of the pages, end to end: source, target, and the number of links per page."""
    starts = offsets[pages].astype(np.int64)
    lengths = offsets[pages + np.uint32(1)].astype(np.int64) - starts
    if most is not None:
        lengths = np.minimum(lengths, most)
    owner = np.repeat(np.arange(len(pages)), lengths)
    before = np.cumsum(lengths) - lengths
    return owner, links[np.arange(len(owner)) + (starts - before)[owner]], lengths


def gathered(store: Store, page: int) -> Array:
    """The pages of the vicinity, ascending."""
    parents = store.links_to(page)
    if len(parents) > PARENTS:
        parents = sample(parents, PARENTS, draw(store.url(page), 0))
    owner, targets, lengths = rows(store.out_offsets, store.out_links, parents)
    own = np.flatnonzero(targets == page)
    around = abs(np.arange(len(targets)) - own[owner]) <= SIBLINGS // 2
    siblings = targets[around | (lengths <= SIBLINGS + 1)[owner]]
    children = store.links_from(page)[:CHILDREN]
    child, coparents, _ = rows(store.in_offsets, store.in_links, children, COPARENTS + 1)
    child, coparents = child[coparents != page], coparents[coparents != page]
    first = np.searchsorted(child, child)
    coparents = coparents[np.arange(len(child)) - first < COPARENTS]
    return np.unique(np.concatenate([[np.uint32(page)], parents, siblings, children, coparents]))


def merged(
    store: Store, pages: Array, page: int, owner: Array, targets: Array, lengths: Array
) -> Array | None:
    """The position of each page's representative, or None if there are no near-duplicates."""
    kept = lengths > 10
    spare = lengths - -(-lengths * 95 // 100)
    mask = (1 << int(2 * len(targets)).bit_length()) - 1
    while True:
        used = kept[owner]
        owner, targets = owner[used], targets[used]
        hashed = targets & mask
        alone = np.bincount(hashed, minlength=1)[hashed] == 1
        left = kept & (np.bincount(owner[alone], minlength=len(pages)) <= spare)
        if left.sum() == kept.sum():
            break
        kept = left
    if kept.sum() < 2:
        return None
    few = np.flatnonzero(kept)
    links, column = np.unique(targets, return_inverse=True)
    row = np.searchsorted(few, owner)
    matrix = sparse.csr_matrix((np.ones(len(row), np.int32), (row, column)), (len(few), len(links)))
    shared = (matrix @ matrix.T).tocoo()
    longer = np.maximum(lengths[few][shared.row], lengths[few][shared.col])
    alike = (100 * shared.data >= 95 * longer) & (shared.row < shared.col)
    if not alike.any():
        return None
    graph = sparse.csr_matrix(
        (np.ones(alike.sum()), (few[shared.row[alike]], few[shared.col[alike]])), (len(pages),) * 2
    )
    _, group = sparse.csgraph.connected_components(graph, directed=False)
    best = np.lexsort((pages, -store.in_degree(pages), pages != page, group))
    named = np.empty(group.max() + 1, np.int64)
    named[group[best][::-1]] = best[::-1]
    names: Array = named[group]
    return names


def settled(sources: Array, ends: Array, site: Array, size: int) -> Array:
    """The authorities, with the weights of BH98."""

    def shares(one: Array, other: Array) -> Array:
        _, which, count = np.unique(one * size + other, return_inverse=True, return_counts=True)
        weights: Array = 1 / count[which]
        return weights

    numbers = np.unique(site, return_inverse=True)[1]
    into = shares(numbers[sources], ends), (ends, sources)
    out_of = shares(sources, numbers[ends]), (sources, ends)
    to_authorities = sparse.csr_matrix(into, (size, size))
    to_hubs = sparse.csr_matrix(out_of, (size, size))
    authority = hub = np.ones(size)
    for _ in range(1000):
        moved = to_authorities @ hub
        moved /= np.sqrt(moved @ moved)
        hub = to_hubs @ moved
        hub /= np.sqrt(hub @ hub)
        change = abs(moved - authority).sum()
        authority = moved
        if change < 1e-9:
            break
    return authority


def networkx_graph(vicinity: VicinityGraph) -> nx.DiGraph:
    """The vicinity as a networkx graph, with pages identified by position."""
    sources = np.repeat(np.arange(len(vicinity.pages)), np.diff(vicinity.starts))
    graph = nx.DiGraph()
    graph.add_edges_from(zip(sources.tolist(), vicinity.targets.tolist(), strict=True))
    return graph
