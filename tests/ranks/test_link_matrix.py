"""The link matrix: its products, its chunks, and threads that do not change the scores."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from tests.ranks.definitions import link_matrix, web
from tests.waiting import PATIENCE
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.ranks.link_matrix import PAGE, Adjacency, LinkMatrix, Threads


def test_the_link_matrix_multiplies_in_both_directions() -> None:
    graph = graph_of("a -> b c d", "b -> c", "d -> a c f", "e -> f", "g")
    links, dense = LinkMatrix.of(graph.store, Threads(1)), link_matrix(graph)
    x = np.random.default_rng(0).random(len(graph))
    for matrix, expected in ((links, dense @ x), (links.T, dense.T @ x), (links.T.T, dense @ x)):
        out = np.empty(len(graph))
        assert matrix.multiply(x, out) == pytest.approx(np.square(expected).sum())
        assert out.tolist() == pytest.approx(expected.tolist())
    assert links.degrees(np.float64).tolist() == dense.sum(axis=1).tolist()
    assert links.T.degrees(np.float32).tolist() == dense.sum(axis=0).tolist()


def test_chunks_cover_all_pages_with_about_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whatsrelated.ranks.link_matrix.CHUNK", 400)
    store = web("plain").store
    adjacency = Adjacency(store.out_offsets, store.out_links)
    bounds = np.array(adjacency.bounds)
    assert (bounds[0], bounds[-1]) == (0, store.n_pages)
    assert len(bounds) - 1 == adjacency.chunks
    assert adjacency.chunks % 16 == 0
    work = np.diff(store.out_offsets[bounds].astype(int)) + PAGE * np.diff(bounds)
    most = int(np.diff(store.out_offsets.astype(int)).max()) + PAGE
    assert (np.diff(bounds) >= 0).all()
    assert np.abs(work - work.mean()).max() <= most


def test_a_small_graph_is_one_chunk() -> None:
    store = graph_of("a -> b c", "b -> c").store
    assert Adjacency(store.out_offsets, store.out_links).bounds == [0, 3]


@pytest.mark.parametrize("count", [1, 2, 7])
def test_all_chunks_are_summed_in_their_order_by_any_number_of_threads(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.link_matrix.CHUNK", 64)
    threads = Threads(count)
    links = LinkMatrix.of(web("plain").store, threads)
    values = np.random.default_rng(3).random(len(links)) ** 40

    def call(*, chunks: range, sums: Any) -> None:
        (chunk,) = chunks
        first, last = links.rows.bounds[chunk : chunk + 2]
        sums[:] = values[first:last].sum(), last - first

    total, pages = links.sum_chunks(call)
    threads.close()
    expected = [values[first:last].sum() for first, last in pairwise(links.rows.bounds)]
    assert len(expected) > 16
    assert total == np.array([[part, 0] for part in expected]).sum(axis=0)[0]
    assert pages == len(links)


def test_tasks_run_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=PATIENCE)
    threads = Threads(2)
    threads.run(lambda _: together.wait() and None, 2)
    threads.close()


def test_an_error_in_a_thread_is_raised() -> None:
    def fail(number: int) -> None:
        raise OptionError("no")

    threads = Threads(2)
    with pytest.raises(OptionError, match="no"):
        threads.run(fail, 3)
    threads.close()
    with pytest.raises(OptionError, match="threads must be at least 1, got 0"):
        Threads(0)


RANKS = ("pagerank", "hubrank", "hits", "randomized-hits", "mbcc")


def test_scores_are_the_same_to_the_last_bit_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.link_matrix.CHUNK", 64)
    random = np.random.default_rng(5)
    pairs = random.zipf(1.5, (4000, 2)) % 300
    graph = Graph.from_links((f"p{a}", f"p{b}") for a, b in pairs.tolist())
    for name in RANKS:
        gauss_seidel = name in ("pagerank", "hubrank")
        for tolerance in (1e-6, 1e-10):
            found = [
                Graph(graph.store).rank(name, tolerance=tolerance, threads=threads, accept=True)
                for threads in (1, 1, 2, 2, 3, 3, 5, 5)
            ]
            # Gauss–Seidel takes another way to the same scores with another number of threads.
            pairs_of = zip(found[::2], found[1::2], strict=True)
            for one, other in pairs_of if gauss_seidel else pairwise(found):
                assert one.rounds == other.rounds
                assert np.array_equal(one.scores, other.scores)
            for other in found[1:]:
                assert np.abs(found[0].scores - other.scores).sum() < 20 * tolerance
