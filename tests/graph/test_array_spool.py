"""Arrays of a build: in memory while they fit, else in files, read in the same way."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from whatsrelated.graph.array_spool import ArraySpool


def test_arrays_beyond_the_limit_are_on_disk_and_read_the_same_way(tmp_path: Path) -> None:
    spool = ArraySpool(tmp_path, memory=100)
    first = spool.add(np.arange(20, dtype=np.uint32))
    second = spool.add(np.arange(30, dtype=np.uint64))
    assert spool.in_memory == 80
    assert [file.stat().st_size for file in tmp_path.iterdir()] == [240]
    for spooled, count in ((first, 20), (second, 30)):
        assert len(spooled) == count
        assert spooled.load().tolist() == list(range(count))
        assert spooled.load(7, 9).tolist() == [7, 8]
        given = np.empty(count, spooled.load().dtype)
        assert spooled.load(2, 9, into=given).tolist() == [2, 3, 4, 5, 6, 7, 8]
    assert np.shares_memory(second.load(into=given), given)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_values_that_stand_in_a_row_are_on_disk_once(tmp_path: Path, dtype: type) -> None:
    array = np.repeat(np.array([5, 2, 2, 9, 5], dtype), [10, 1, 30, 1, 58])
    spool = ArraySpool(tmp_path, memory=0)
    spooled = spool.add_runs(array)
    assert [file.stat().st_size for file in tmp_path.iterdir()] == [8 * array.itemsize]
    assert (len(spooled), spooled.load().dtype) == (100, dtype)
    assert np.array_equal(spooled.load(), array)
    spooled.drop()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("values", [[], [3], [1, 1, 2, 2], [4, 4, 4, 4, 4]])
def test_runs_come_back_however_many_there_are(tmp_path: Path, values: list[int]) -> None:
    for memory in (0, 1000):
        spooled = ArraySpool(tmp_path, memory).add_runs(np.array(values, np.uint32))
        assert spooled.load().tolist() == values
        assert len(spooled) == len(values)


def test_a_temporary_file_that_was_cut_short_is_an_error(tmp_path: Path) -> None:
    spooled = ArraySpool(tmp_path, memory=0).add(np.arange(30, dtype=np.uint32))
    (file,) = tmp_path.iterdir()
    os.truncate(file, 50)
    with pytest.raises(OSError, match="cut short"):
        spooled.load(into=np.empty(30, np.uint32))


def test_a_dropped_array_gives_back_its_memory_or_its_file(tmp_path: Path) -> None:
    spool = ArraySpool(tmp_path, memory=100)
    held, on_disk = (spool.add(np.arange(20, dtype=np.uint32)) for _ in range(2))
    held.drop()
    on_disk.drop()
    assert (spool.in_memory, list(tmp_path.iterdir())) == (0, [])


def test_without_a_folder_everything_is_in_memory() -> None:
    spool = ArraySpool(None, memory=0)
    assert spool.add(np.arange(1000)).load(998).tolist() == [998, 999]
    assert spool.in_memory == 8000


def test_an_array_may_be_written_piece_by_piece(tmp_path: Path) -> None:
    writer = ArraySpool(tmp_path, memory=1 << 20).writer("<u4")
    for piece in ([1, 2], [], [3]):
        writer.append(np.array(piece, np.int64))
    spooled = writer.close()
    assert spooled.load().tolist() == [1, 2, 3]
    assert spooled.load().dtype == np.uint32
