"""The compiled paths agree with their plain twin, and with a walk that stops when it repeats."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, arrays_of, graphs
from whatsrelated import kernels
from whatsrelated.kernels.asking import path_sums as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

NEVER = float("inf")
WHOLE = {"least": 0.0, "damping": 0.85, "deadline": NEVER}


def by_page(pages: Any, values: Any) -> dict[int, float]:
    return dict(zip(pages.tolist(), values.tolist(), strict=True))


def simple_paths(graph: Arrays, path: list[int], radius: int) -> list[list[int]]:
    """Every simple path that begins with `path`, of at most so many links."""
    found = [path]
    if len(path) <= radius:
        row = graph.links[int(graph.offsets[path[-1]]) : int(graph.offsets[path[-1] + 1])]
        for page in row.tolist():
            if page not in path:
                found += simple_paths(graph, [*path, page], radius)
    return found


def sent(graph: Arrays, source: int, radius: int) -> dict[int, float]:
    """What a source sends to every other page, by the definition."""
    degrees = graph.degrees()
    got: dict[int, float] = {}
    for path in simple_paths(graph, [source], radius)[1:]:
        share = graph.rank[source] / np.prod([degrees[page] for page in path[:-1]])
        got[path[-1]] = got.get(path[-1], 0.0) + share
    return got


@compiled
@given(graphs(), st.data(), st.integers(-1, 5), st.sampled_from([0.0, 1e-3, 0.02, 0.1]))
def test_arrivals_equal_those_of_the_twin(
    graph: Arrays, data: st.DataObject, radius: int, least: float
) -> None:
    root = data.draw(st.integers(0, len(graph.rank) - 1))
    until = {"radius": radius or 1, "least": least, "damping": 0.85, "deadline": NEVER}
    for share, rank in ((0.25, None), (1.0, graph.rank)):
        ours = kernels.path_sums.arrivals(graph.ours, root, share, rank=rank, **until)
        twin = plain.arrivals(graph.twin, root, share, rank=rank, **until)
        assert by_page(*ours[:2]) == pytest.approx(by_page(*twin[:2]), abs=1e-15)
        assert ours[2] == pytest.approx(twin[2])
        assert ours[3] == twin[3]


@given(graphs(), st.integers(1, 4))
def test_what_arrives_is_the_sum_over_simple_paths(graph: Arrays, radius: int) -> None:
    degrees = graph.degrees()
    for root in range(len(graph.rank)):
        expected = sent(graph, root, radius)
        share = graph.rank[root] / max(degrees[root], 1)
        pages, values, lost, _ = kernels.path_sums.arrivals(
            graph.ours, root, share, radius=radius, rank=None, **WHOLE
        )
        assert by_page(pages, values) == pytest.approx(expected)
        assert lost == 0


@given(graphs(), st.data(), st.integers(1, 4))
def test_the_way_back_finds_what_every_source_sends(
    graph: Arrays, data: st.DataObject, radius: int
) -> None:
    page = data.draw(st.integers(0, len(graph.rank) - 1))
    pages, values, _, _ = kernels.path_sums.arrivals(
        graph.ours, page, 1.0, radius=radius, rank=graph.rank, **WHOLE
    )
    ours = by_page(pages, graph.rank[pages] * values / graph.degrees()[pages])
    sources = range(len(graph.rank))
    expected = {s: sent(graph, s, radius).get(page, 0.0) for s in sources if s != page}
    assert ours == pytest.approx({s: value for s, value in expected.items() if value > 0})


@given(graphs(), st.data(), st.integers(1, 5), st.floats(1e-4, 0.1))
def test_the_backward_pass_loses_at_most_the_reported_amount(
    graph: Arrays, data: st.DataObject, radius: int, least: float
) -> None:
    page = data.draw(st.integers(0, len(graph.rank) - 1))
    worth = graph.rank / np.maximum(graph.degrees(), 1)
    whole, part = (
        kernels.path_sums.arrivals(
            graph.ours, page, 1.0, radius=radius, rank=graph.rank, **{**WHOLE, "least": spared}
        )
        for spared in (0.0, least)
    )
    lost = (worth[whole[0]] * whole[1]).sum() - (worth[part[0]] * part[1]).sum()
    assert -1e-15 <= lost <= part[2] + 1e-12


def given_to(graph: Arrays, page: int, radius: int) -> tuple[Any, Any]:
    """The sources of a page and what they give it, the most first."""
    amounts = {s: sent(graph, s, radius).get(page, 0.0) for s in range(len(graph.rank))}
    amounts[page] = float(graph.rank[page])
    sources = sorted((s for s in amounts if amounts[s] > 0), key=lambda s: -amounts[s])
    return np.array(sources, np.uint32), np.array([amounts[s] for s in sources])


def exact_scores(graph: Arrays, page: int, sources: Any, amounts: Any, radius: int) -> Any:
    return kernels.path_sums.shared_scores(
        graph.ours, graph.rank, page, sources, amounts, radius=radius, least=0.0, deadline=NEVER
    )


@compiled
@settings(max_examples=60)
@given(graphs(), st.data(), st.integers(-1, 4), st.sampled_from([0.0, 1e-3, 0.02]))
def test_shares_equal_those_of_the_twin(
    graph: Arrays, data: st.DataObject, radius: int, least: float
) -> None:
    page = data.draw(st.integers(0, len(graph.rank) - 1))
    sources, amounts = given_to(graph, page, 3)
    arguments = (graph.rank, page, sources, amounts)
    until = {"radius": radius or 1, "least": least, "deadline": NEVER}
    ours = kernels.path_sums.shared_scores(graph.ours, *arguments, **until)
    twin = plain.shared_scores(graph.twin, *arguments, **until)
    assert by_page(*ours[:2]) == pytest.approx(by_page(*twin[:2]), abs=1e-15)
    assert ours[2] == pytest.approx(twin[2])
    assert ours[3:] == twin[3:]


@settings(max_examples=60)
@given(graphs(), st.data(), st.integers(2, 5), st.floats(1e-4, 0.1))
def test_no_score_loses_more_than_reported(
    graph: Arrays, data: st.DataObject, radius: int, least: float
) -> None:
    page = data.draw(st.integers(0, len(graph.rank) - 1))
    sources, amounts = given_to(graph, page, radius)
    exact = exact_scores(graph, page, sources, amounts, radius)
    pages, values, lost, _, _ = kernels.path_sums.shared_scores(
        graph.ours, graph.rank, page, sources, amounts, radius=radius, least=least, deadline=NEVER
    )
    whole, part = by_page(*exact[:2]), by_page(pages, values)
    for other, score in whole.items():
        assert -1e-12 <= score - part.get(other, 0.0) <= lost + 1e-12


def test_a_long_search_ends_when_its_time_is_up() -> None:
    whole = arrays_of([(a, b) for a in range(60) for b in range(60)], 60)
    sources = np.arange(60, dtype=np.uint32)
    begun = time.monotonic()
    _, scores, lost, _, followed = kernels.path_sums.shared_scores(
        whole.ours,
        whole.rank,
        0,
        sources,
        whole.rank,
        radius=-1,
        least=0.0,
        deadline=begun + 0.3,
    )
    assert time.monotonic() - begun < 60  # without a limit it would take ages
    assert followed < 60
    assert lost >= 1 - scores.max()
