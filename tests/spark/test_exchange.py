"""What Spark moves: rows that reach their partitions."""

from __future__ import annotations

import numpy as np
import pytest

from whatsrelated.spark.exchange import Blob, cut, partition_keys, spark_hash

# SELECT hash(0), hash(1), hash(42) in Spark; test_cluster asks Spark for more.
HASHES = {0: 933211791, 1: -559580957, 42: 29417773}


def test_the_hash_is_that_of_spark() -> None:
    values = np.array(list(HASHES), np.uint32)
    assert spark_hash(values).view(np.int32).tolist() == list(HASHES.values())


@pytest.mark.parametrize("partitions", [1, 2, 7, 64, 1000])
def test_every_receiver_has_a_partition_of_its_own(partitions: int) -> None:
    keys = partition_keys(partitions)
    assert (spark_hash(keys).view(np.int32) % partitions).tolist() == list(range(partitions))


def test_bytes_are_cut_into_blobs_that_are_not_too_large() -> None:
    data = np.arange(700_000, dtype=np.uint32)
    blobs = list(cut(3, data))
    assert [blob.receiver for blob in blobs] == [3, 3, 3]
    assert b"".join(blob.data for blob in blobs) == data.tobytes()
    assert list(cut(3, b"")) == []
    assert list(cut(0, b"done")) == [Blob(0, b"done")]
