"""Both directions of the links: the same at once in memory and range by range on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.build import MemoryArray
from whatsrelated.graph.format import dtype_of
from whatsrelated.graph.linking import (
    BYTES_PER_LINK,
    MOST_OPEN,
    Buckets,
    Pairs,
    link_in_memory,
    link_on_disk,
)

PAGES = 12
some_pairs = st.lists(st.tuples(st.integers(0, PAGES - 1), st.integers(0, PAGES - 1)), max_size=60)


class Arrays(dict[str, MemoryArray]):
    """The arrays of a graph by name."""

    def __missing__(self, name: str) -> MemoryArray:
        self[name] = MemoryArray(dtype_of(name))
        return self[name]

    def lists(self, direction: str) -> list[list[int]]:
        offsets, links = (self[f"{direction}.{part}"].whole() for part in ("offsets", "links"))
        return [row.tolist() for row in np.split(links, offsets[1:-1].astype(int))]


def pieces(pairs: list[tuple[int, int]]) -> Iterator[Pairs]:
    """The pairs in two pieces."""
    for part in (pairs[:7], pairs[7:]):
        array = np.array(part, np.uint32).reshape(-1, 2)
        yield array[:, 0].copy(), array[:, 1].copy()


@given(some_pairs, st.integers(1, 9))
def test_links_stand_in_both_directions_however_few_fit_in_memory(
    pairs: list[tuple[int, int]], links_in_memory: int
) -> None:
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
    linking, again_linking = np.zeros(PAGES, np.bool_), np.zeros(PAGES, np.bool_)
    n_links = link_in_memory(pieces(pairs), at_once.__getitem__, linking)
    reports: list[int] = []
    with TemporaryDirectory() as folder:
        spool = ArraySpool(Path(folder), 0)
        memory = links_in_memory * BYTES_PER_LINK
        again = link_on_disk(
            lambda _: pieces(pairs),
            by_ranges.__getitem__,
            again_linking,
            spool,
            memory,
            reports.append,
        )
        assert list(Path(folder).iterdir()) == []
    assert n_links == again == sum(map(len, out))
    assert linking.tolist() == again_linking.tolist() == [bool(links) for links in out]
    assert reports == sorted(reports)
    assert reports[-1] == 2 * n_links
    for arrays in (at_once, by_ranges):
        assert arrays.lists("out") == out
        assert arrays.lists("in") == parents


def test_a_bucket_is_a_range_of_pages_with_no_more_links_than_fit(tmp_path: Path) -> None:
    degrees = np.array([2, 2, 0, 9, 1, 1, 1], np.uint32)
    buckets = Buckets(degrees, 4, ArraySpool(tmp_path, 0))
    assert buckets.bounds == [(0, 3), (3, 4), (4, 7)]
    buckets.append(np.array([6, 0, 3, 4], np.uint32), np.array([1, 2, 3, 4], np.uint32))
    read = [(low, keys.tolist(), values.tolist()) for low, _, keys, values in buckets.read()]
    assert read == [(0, [0], [2]), (3, [3], [3]), (4, [6, 4], [1, 4])]


def test_many_ranges_do_not_keep_their_files_open(tmp_path: Path) -> None:
    keys = np.random.default_rng(0).integers(0, 500, 3000).astype(np.uint32)
    values = np.arange(3000, dtype=np.uint32)
    degrees = np.bincount(keys, minlength=500).astype(np.uint32)
    buckets = Buckets(degrees, 10, ArraySpool(tmp_path, 0))
    assert len(buckets.bounds) > MOST_OPEN
    for low in range(0, 3000, 700):
        buckets.append(keys[low : low + 700], values[low : low + 700])
    descriptors = Path("/proc/self/fd")
    if descriptors.is_dir():
        links = [link for link in descriptors.iterdir() if link.is_symlink()]
        assert not [link for link in links if str(link.readlink()).startswith(str(tmp_path))]
    found = {value: key for *_, ks, vs in buckets.read() for key, value in zip(ks, vs, strict=True)}
    assert [found[value] for value in values] == keys.tolist()
