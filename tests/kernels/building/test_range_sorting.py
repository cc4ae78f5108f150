"""The compiled grouping of ranges agrees with its plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from whatsrelated import kernels
from whatsrelated.kernels.building import range_sorting as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

PAGES = 40
pages = st.integers(0, PAGES - 1)
pairs = st.lists(st.tuples(pages, pages), max_size=200)
TWINS = (kernels.range_sorting, plain)


def words_of(given_pairs: list[tuple[int, int]]) -> NDArray[np.uint64]:
    return np.array([key << 32 | value for key, value in given_pairs], np.uint64)


@given(pairs, st.integers(0, 5))
def test_links_are_counted_by_block(given_pairs: list[tuple[int, int]], shift: int) -> None:
    values = np.array([value for _, value in given_pairs], np.uint32)
    found = np.zeros((len(TWINS), (PAGES >> shift) + 1), np.int64)
    for kernel, counts in zip(TWINS, found, strict=True):
        kernel.count_blocks(counts, values, shift)
    assert np.array_equal(*found)
    assert found[0].sum() == len(values)


@given(pairs, st.integers(1, 4), st.integers(1, 5), st.sampled_from([1, 100, 100_000_000]))
def test_pairs_go_to_their_buckets_and_come_back(
    given_pairs: list[tuple[int, int]], key_bytes: int, buckets: int, factor: int
) -> None:
    keys, values = np.array(given_pairs, np.uint32).reshape(-1, 2).T.copy()
    values *= np.uint32(factor)
    bucket_of = np.minimum(np.arange(PAGES // 4 + 1) // 2, buckets - 1).astype(np.uint32)
    lows = np.arange(buckets, dtype=np.uint32) * 8
    found = []
    for kernel in TWINS:
        before, counts = np.zeros(buckets, np.uint32), np.zeros(buckets, np.int64)
        data: list[bytes] = [b""] * buckets
        for part in np.array_split(np.arange(len(keys)), 3):  # what came before is carried on
            into = np.zeros(len(part) * (key_bytes + 5), np.uint8)
            given_part = keys[part], values[part], bucket_of, 2, lows, key_bytes
            starts = kernel.scatter(*given_part, before, counts, into).tolist()
            for bucket in range(buckets):
                data[bucket] += into[starts[bucket] : starts[bucket + 1]].tobytes()
        found.append((data, before.tolist(), counts.tolist()))
    assert found[0] == found[1]
    data, _, pair_counts = found[0]
    for bucket, low in enumerate(lows.tolist()):
        read = np.zeros((len(TWINS), pair_counts[bucket]), np.uint64)
        for kernel, words in zip(TWINS, read, strict=True):
            kernel.gather(np.frombuffer(data[bucket], np.uint8), key_bytes, words)
        assert np.array_equal(*read)
        chosen = bucket_of[keys >> 2] == bucket
        assert (low + (read[0] >> 32)).tolist() == keys[chosen].tolist()
        assert (read[0] & 0xFFFFFFFF).tolist() == values[chosen].tolist()


@pytest.mark.parametrize("kernel", TWINS)
@pytest.mark.parametrize("values", [[7], [7, 5_000_000]])
def test_pairs_that_were_cut_short_are_an_error(kernel: Any, values: list[int]) -> None:
    count = len(values)
    into, before = np.zeros(8 * count, np.uint8), np.zeros(1, np.uint32)
    pairs = np.zeros(count, np.uint32), np.array(values, np.uint32)
    one = np.zeros(1, np.uint32)
    written = int(kernel.scatter(*pairs, one, 8, one, 3, before, np.zeros(1, np.int64), into)[1])
    kernel.gather(into[:written], 3, np.zeros(count, np.uint64))
    for cut in range(written):
        with pytest.raises(ValueError, match="too few pairs"):
            kernel.gather(into[:cut], 3, np.zeros(count, np.uint64))


@given(pairs, st.integers(0, 9))
def test_rows_of_a_range_are_distinct(given_pairs: list[tuple[int, int]], low: int) -> None:
    words = words_of(given_pairs)
    found = []
    for kernel in TWINS:
        spare, offsets = np.empty(len(words), np.uint64), np.zeros(PAGES + 1, np.uint64)
        links = np.empty(len(words), np.uint32)
        written = kernel.distinct_rows(words, low, spare, offsets, links)
        found.append((offsets.tolist(), links[:written].tolist()))
    assert found[0] == found[1]
    rows: list[list[int]] = [[] for _ in range(PAGES)]
    for key, value in given_pairs:
        if value != low + key and value not in rows[key]:
            rows[key].append(value)
    assert found[0][1] == [value for row in rows for value in row]


@given(pairs, st.permutations(range(PAGES)))
def test_rows_of_a_range_are_ordered_by_rank(
    given_pairs: list[tuple[int, int]], given_order: list[int]
) -> None:
    order = np.array(given_order, np.uint32)
    ranks = np.empty(PAGES, np.uint32)
    ranks[order] = np.arange(PAGES, dtype=np.uint32)
    found = []
    for kernel in TWINS:
        words = words_of(given_pairs)
        spare, offsets = np.empty(len(words), np.uint64), np.zeros(PAGES + 1, np.uint64)
        links = np.empty(len(words), np.uint32)
        kernel.ranked_rows(words, ranks, order, spare, offsets, links)
        found.append((offsets.tolist(), links.tolist()))
    assert found[0] == found[1]
    placed = sorted(given_pairs, key=lambda pair: (pair[0], ranks[pair[1]]))
    assert found[0][1] == [value for _, value in placed]


def test_ranks_of_more_than_two_digits_are_ordered() -> None:
    pages = 5_000_000
    rng = np.random.default_rng(1)
    order = rng.permutation(pages).astype(np.uint32)
    ranks = np.empty(pages, np.uint32)
    ranks[order] = np.arange(pages, dtype=np.uint32)
    parents = rng.integers(0, pages, 1000)
    words = (np.arange(1000) % 7 << 32 | parents).astype(np.uint64)
    offsets, links = np.zeros(8, np.uint64), np.empty(1000, np.uint32)
    kernels.range_sorting.ranked_rows(
        words, ranks, order, np.empty(1000, np.uint64), offsets, links
    )
    wanted = [page for key in range(7) for page in sorted(parents[key::7].tolist(), key=ranks.item)]
    assert links.tolist() == wanted
