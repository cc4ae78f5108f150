"""Pairs split on disk by ranges of pages come back as they were."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from whatsrelated.graph import buckets as module
from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.buckets import MAX_OPEN, Buckets, LinkCounts, Workspace


def counted(keys: NDArray[np.uint32], pages: int) -> LinkCounts:
    counts = LinkCounts(pages)
    counts.add(keys)
    return counts


def pairs_of(buckets: Buckets) -> list[tuple[int, list[int], list[int]]]:
    """The first page of each range, and its keys and values."""
    found = []
    for low, _, words, spare in buckets.read(Workspace()):
        assert len(spare) == len(words)
        found.append((low, (low + (words >> 32)).tolist(), (words & 0xFFFFFFFF).tolist()))
    return found


def test_a_bucket_is_a_range_of_pages_with_no_more_links_than_fit(tmp_path: Path) -> None:
    degrees = np.repeat(np.arange(7, dtype=np.uint32), [2, 2, 0, 9, 1, 1, 1])
    buckets = Buckets(counted(degrees, 7), 4, ArraySpool(tmp_path, 0))
    assert buckets.bounds == [(0, 3), (3, 4), (4, 7)]
    buckets.append(np.array([6, 0, 3, 4], np.uint32), np.array([1, 2, 3, 4], np.uint32))
    assert pairs_of(buckets) == [(0, [0], [2]), (3, [3], [3]), (4, [6, 4], [1, 4])]
    assert list(tmp_path.iterdir()) == []


def test_a_bucket_of_pages_without_links_fits_in_memory(tmp_path: Path) -> None:
    with patch.object(module, "WIDEST", 4):
        buckets = Buckets(LinkCounts(10), 4, ArraySpool(tmp_path, 0))
    assert buckets.bounds == [(0, 4), (4, 8), (8, 10)]
    assert pairs_of(buckets) == [(0, [], []), (4, [], []), (8, [], [])]


@pytest.mark.parametrize("pages", [100, 60_000, 5_000_000, 300_000_000])
def test_keys_take_as_many_bytes_as_a_range_is_wide(tmp_path: Path, pages: int) -> None:
    rng = np.random.default_rng(0)
    keys = rng.integers(0, pages, 500).astype(np.uint32)
    keys[:3] = 0, pages - 1, pages // 2
    values = rng.integers(0, 2**32, 500).astype(np.uint32)
    with patch.object(module, "WIDEST", 1 << 32):
        buckets = Buckets(counted(keys, pages), 300, ArraySpool(tmp_path, 0))
        buckets.append(keys, values)
        found = [pair for _, ks, vs in pairs_of(buckets) for pair in zip(ks, vs, strict=True)]
    assert sorted(found) == sorted(zip(keys.tolist(), values.tolist(), strict=True))


def test_pairs_that_come_by_their_values_take_a_byte_for_each_value(tmp_path: Path) -> None:
    count = 100_000
    keys = np.random.default_rng(0).integers(0, 60_000, count).astype(np.uint32)
    buckets = Buckets(counted(keys, 60_000), count // 2, ArraySpool(tmp_path, 0))
    for part in np.split(np.arange(count, dtype=np.uint32), 5)[::-1]:
        buckets.append(keys[part], part)
    bytes_a_pair = sum(file.stat().st_size for file in tmp_path.iterdir()) / count
    assert 2.7 < bytes_a_pair <= 3.01  # some may still be in the buffers of files
    assert sorted(value for _, _, vs in pairs_of(buckets) for value in vs) == list(range(count))


def test_many_ranges_do_not_keep_their_files_open(tmp_path: Path) -> None:
    keys = np.random.default_rng(0).integers(0, 500, 3000).astype(np.uint32)
    values = np.arange(3000, dtype=np.uint32)
    buckets = Buckets(counted(keys, 500), 10, ArraySpool(tmp_path, 0))
    assert len(buckets.bounds) > MAX_OPEN
    for low in range(0, 3000, 700):
        buckets.append(keys[low : low + 700], values[low : low + 700])
    descriptors = Path("/proc/self/fd")
    if descriptors.is_dir():
        assert not [
            path
            for path in map(os.path.realpath, descriptors.iterdir())
            if path.startswith(str(tmp_path))
        ]
    found = {
        value: key for _, ks, vs in pairs_of(buckets) for key, value in zip(ks, vs, strict=True)
    }
    assert [found[value] for value in values] == keys.tolist()


def test_a_workspace_reuses_its_memory_and_grows_if_needed() -> None:
    work = Workspace()
    first = work.array("words", 8, np.uint64)
    assert np.shares_memory(first, work.array("words", 5, np.uint64))
    assert not np.shares_memory(first, work.array("spare", 5, np.uint64))
    assert len(work.array("words", 20, np.uint64)) == 20
