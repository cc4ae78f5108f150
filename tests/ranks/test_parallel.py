"""Chunks cover all pages; sums and scores are the same each time."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from tests.ranks.definitions import web
from tests.waiting import PATIENCE
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.ranks.parallel import PAGE, Adjacency, Threads


def test_chunks_cover_all_pages_with_about_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whatsrelated.ranks.parallel.CHUNK", 400)
    store = web("plain").store
    adjacency = Adjacency(store.out_offsets, store.out_links)
    bounds = adjacency.bounds
    assert (bounds[0], bounds[-1]) == (0, store.n_pages)
    assert (len(bounds) - 1) % 16 == 0
    work = np.diff(store.out_offsets[bounds].astype(int)) + PAGE * np.diff(bounds)
    most = int(np.diff(store.out_offsets.astype(int)).max()) + PAGE
    assert (np.diff(bounds) >= 0).all()
    assert np.abs(work - work.mean()).max() <= most


def test_a_small_graph_is_one_chunk() -> None:
    store = graph_of("a -> b c", "b -> c").store
    assert Adjacency(store.out_offsets, store.out_links).bounds.tolist() == [0, 3]


@pytest.mark.parametrize("count", [1, 2, 7])
def test_all_chunks_are_summed_in_their_order_by_any_number_of_threads(count: int) -> None:
    values = np.random.default_rng(3).random(1000) ** 40
    bounds = np.array([0, 10, 10, 600, 999, 1000])

    def kernel(values: Any, *, scale: float, first: int, last: int, sums: Any) -> None:
        sums[:] = scale * values[first:last].sum(), last - first

    threads = Threads(count)
    total, pages = threads.sum_chunks(kernel, bounds, values, scale=0.3)
    threads.close()
    expected = [0.3 * values[first:last].sum() for first, last in pairwise(bounds)]
    assert total == np.array([[part, 0] for part in expected]).sum(axis=0)[0]
    assert pages == 1000


def test_tasks_run_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=PATIENCE)
    threads = Threads(2)
    threads.run([together.wait, together.wait])
    threads.close()


def test_an_error_in_a_thread_is_raised() -> None:
    def fail() -> None:
        raise OptionError("no")

    threads = Threads(2)
    with pytest.raises(OptionError, match="no"):
        threads.run([fail, fail, fail])
    threads.close()
    with pytest.raises(OptionError, match="threads must be at least 1, got 0"):
        Threads(0)


def test_scores_are_the_same_to_the_last_bit_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.parallel.CHUNK", 64)
    random = np.random.default_rng(5)
    pairs = random.zipf(1.5, (4000, 2)) % 300
    graph = Graph.from_links((f"p{a}", f"p{b}") for a, b in pairs.tolist())
    for name in ("pagerank", "hubrank", "hits", "randomized-hits", "mbcc"):
        gauss_seidel = name in ("pagerank", "hubrank")
        for tolerance in (1e-6, 1e-10):
            found = [
                Graph(graph.store).rank(name, tolerance=tolerance, threads=threads, accept=True)
                for threads in (1, 1, 2, 2, 3, 3, 5, 5)
            ]
            # Gauss–Seidel takes another way to the same scores with another number of threads.
            alike = zip(found[::2], found[1::2], strict=True) if gauss_seidel else pairwise(found)
            for one, other in alike:
                assert one.rounds == other.rounds
                assert np.array_equal(one.scores, other.scores)
            for other in found[1:]:
                assert np.abs(found[0].scores - other.scores).sum() < 20 * tolerance
