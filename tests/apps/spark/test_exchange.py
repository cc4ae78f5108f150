"""What tasks exchange: blobs that are not too large, in the order of their senders."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whatsrelated.apps.spark import exchange
from whatsrelated.apps.spark.exchange import Blob, Received, cut


def test_bytes_are_cut_into_blobs_that_are_not_too_large() -> None:
    data = np.arange(exchange.LARGEST // 2, dtype=np.uint32)
    blobs = list(cut(3, data))
    assert [blob.receiver for blob in blobs] == [3, 3]
    assert b"".join(blob.data for blob in blobs) == data.tobytes()
    assert list(cut(3, b"")) == []
    assert list(cut(0, b"done")) == [Blob(0, b"done")]


def test_a_task_receives_data_in_the_order_of_senders() -> None:
    def task(number: int, received: Received) -> Iterator[Blob]:
        yield from (Blob(sender, bytes(data) + b"%d" % number) for sender, data in received)

    came = [(7, (2, 0, b"c")), (7, (1, 11, b"b")), (7, (1, 2, b"a"))]
    sent = list(exchange._receive(task, 7, came))
    assert sent == [(1, (7, 0, b"a7")), (1, (7, 1, b"b7")), (2, (7, 2, b"c7"))]
