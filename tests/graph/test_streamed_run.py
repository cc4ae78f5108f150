"""Streamed names build the same graph as names in one list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import whatsrelated as wr
from whatsrelated.stream import NamedLinks, Names, Refused, StreamedNames

HOSTS = [f"http://h{i % 7}.x{i * i % 30}.co.uk/" for i in range(200)] + ["mailto:x"]
CHUNKS = [(0, 90), (90, 150), (150, 201)]


def links() -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    numbers = np.arange(400, dtype=np.uint32)
    return numbers % 201, numbers * numbers % 201


def streamed() -> Iterator[tuple[int, Names]]:
    for low, high in CHUNKS:
        yield low, Names.of(host.encode() for host in HOSTS[low:high])


@pytest.mark.parametrize("memory", [1 << 27, 1 << 32])
def test_chunks_are_numbered_as_one_list(tmp_path: Path, memory: int) -> None:
    graphs = []
    for names in (Names.of(host.encode() for host in HOSTS), StreamedNames(streamed)):
        refused = Refused()
        halves = ((0, 150), (150, 400))
        stream = [NamedLinks(names, *(e[a:b] for e in links())) for a, b in halves]
        graph = wr.build(iter(stream), tmp_path / "g.graph", memory=memory, refused=refused)
        graphs.append((graph.store.fingerprint, graph.n_links, refused.counts))
    assert graphs[0] == graphs[1]
    assert graphs[0][2]["not http"] > 0


def test_streamed_names_are_read_as_often_as_needed() -> None:
    names = StreamedNames(streamed)
    assert len(names) == 201
    assert names[120] == HOSTS[120].encode()
    assert list(names) == [host.encode() for host in HOSTS]
    with pytest.raises(IndexError):
        names[201]
