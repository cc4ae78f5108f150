"""Both directions of the links: the same at once in memory and range by range on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from whatsrelated.graph import buckets, linking
from whatsrelated.graph.array_spool import ArraySpool, SpoolWriter
from whatsrelated.graph.build import MemoryArray
from whatsrelated.graph.format import dtype_of
from whatsrelated.graph.linking import BYTES_A_WORD, Pairs, link_in_memory, link_on_disk

PAGES = 12
some_pairs = st.lists(st.tuples(st.integers(0, PAGES - 1), st.integers(0, PAGES - 1)), max_size=60)


class Copies(MemoryArray):
    """An array in memory that copies what is appended, as a file does."""

    def append(self, values: NDArray[Any]) -> None:
        super().append(values.copy())


class Arrays(dict[str, MemoryArray]):
    """The arrays of a graph by name."""

    def __missing__(self, name: str) -> MemoryArray:
        self[name] = Copies(dtype_of(name))
        return self[name]

    def lists(self, direction: str) -> list[list[int]]:
        offsets, links = (self[f"{direction}.{part}"].whole() for part in ("offsets", "links"))
        return [row.tolist() for row in np.split(links, offsets[1:-1].astype(int))]


def pieces(pairs: list[tuple[int, int]]) -> Iterator[Pairs]:
    """The pairs in two pieces."""
    for part in (pairs[:7], pairs[7:]):
        array = np.array(part, np.uint32).reshape(-1, 2)
        yield array[:, 0].copy(), array[:, 1].copy()


@given(some_pairs, st.booleans(), st.integers(1, 9), st.integers(1, 9), st.integers(1, 20))
def test_links_are_in_both_directions_however_few_fit_in_memory(
    pairs: list[tuple[int, int]], in_order: bool, links_in_memory: int, piece: int, widest: int
) -> None:
    if in_order:
        pairs.sort(key=lambda pair: pair[0])
    out: list[list[int]] = [[] for _ in range(PAGES)]
    for source, target in pairs:
        if source != target and target not in out[source]:
            out[source].append(target)
    degree = [sum(page in links for links in out) for page in range(PAGES)]
    parents = [
        sorted((p for p in range(PAGES) if page in out[p]), key=lambda p: (-degree[p], p))
        for page in range(PAGES)
    ]
    at_once, by_ranges = Arrays(), Arrays()
    marked, again_marked = np.zeros(PAGES, np.bool_), np.zeros(PAGES, np.bool_)
    n_links = link_in_memory(pieces(pairs), at_once.__getitem__, marked)
    reports: list[int] = []
    with (
        TemporaryDirectory() as folder,
        patch.multiple(linking, PIECE=piece, WIDEST=widest),
        patch.multiple(buckets, PIECE=piece, WIDEST=widest),
    ):
        spool = ArraySpool(Path(folder), 0)
        memory = links_in_memory * BYTES_A_WORD
        again = link_on_disk(
            lambda _: pieces(pairs),
            by_ranges.__getitem__,
            again_marked,
            spool,
            memory,
            reports.append,
        )
        assert list(Path(folder).iterdir()) == []
    assert n_links == again == sum(map(len, out))
    assert marked.tolist() == again_marked.tolist() == [bool(links) for links in out]
    assert reports == sorted(reports)
    assert reports[-1] == 2 * n_links
    for arrays in (at_once, by_ranges):
        assert arrays.lists("out") == out
        assert arrays.lists("in") == parents


def test_links_that_come_by_their_source_are_not_split_once_more(tmp_path: Path) -> None:
    written = 0

    class Counting(ArraySpool):
        def writer(self, dtype: str, stays_open: bool = True) -> SpoolWriter:
            nonlocal written
            written += 1
            return super().writer(dtype, stays_open)

    for pairs, files in (([(0, 1), (1, 2), (1, 0), (2, 0)], 1), ([(1, 2), (0, 1), (2, 0)], 2)):
        written = 0
        spool = Counting(tmp_path, 0)
        given_pairs = pairs
        link_on_disk(
            lambda _, given_pairs=given_pairs: pieces(given_pairs),  # type: ignore[misc]
            Arrays().__getitem__,
            np.zeros(3, np.bool_),
            spool,
            1 << 20,
            lambda done: None,
        )
        assert written == files
