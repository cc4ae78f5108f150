"""The passes over the links for the ranks, compiled and plain, on random links."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.kernels.ranking import sweep as plain

compiled = pytest.importorskip("whatsrelated.kernels.ranking._sweep")


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """Links of some pages, some with more than a batch of them, cut anywhere into two chunks."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pages = draw(st.integers(1, 40))
    degrees = random.integers(0, draw(st.sampled_from([1, 5, 9, 3000])), pages, endpoint=True)
    return {
        "random": random,
        "pages": pages,
        "cut": draw(st.integers(0, pages)),
        "offsets": np.concatenate([[0], np.cumsum(degrees)]).astype(np.uint64),
        "links": random.integers(0, pages, int(degrees.sum())).astype(np.uint32),
    }


def sums_of_chunks(
    kernel: Callable[..., None], graph: dict[str, Any], *arguments: Any, **settings: Any
) -> Any:
    """The sums that a kernel leaves, called for the first chunk and then for the other."""
    sums = np.full((2, 2), np.nan)
    for own, (first, last) in zip(sums, pairwise([0, graph["cut"], graph["pages"]]), strict=True):
        kernel(*arguments, **settings, first=first, last=last, sums=own)
    return sums


def squares(values: Any, cut: int) -> list[float]:
    """The sum of the squares of each chunk."""
    return [float(np.square(part, dtype=float).sum()) for part in np.split(values, [cut])]


def near(kind: type) -> dict[str, float]:
    return {"rtol": 2e-6, "atol": 1e-6} if kind is np.float32 else {"rtol": 1e-12, "atol": 1e-12}


@given(rows(), st.sampled_from([np.float32, np.float64]))
def test_a_product_is_sums_over_the_links(graph: dict[str, Any], kind: type) -> None:
    values = graph["random"].normal(size=graph["pages"]).astype(kind)
    found = []
    for kernels in (compiled, plain):
        result = np.full(graph["pages"], np.nan, kind)
        arrays = (graph["offsets"], graph["links"], values, result)
        sums = sums_of_chunks(kernels.multiply, graph, *arrays)
        found.append(result)
        assert sums[:, 0].tolist() == pytest.approx(squares(result, graph["cut"]))
    scale = 1 + len(graph["links"])
    tolerance = {"rtol": 1e-4, "atol": 1e-7 * scale} if kind is np.float32 else near(kind)
    np.testing.assert_allclose(*found, **tolerance)


@given(rows())
def test_a_product_is_added_to_a_total_in_double_precision(graph: dict[str, Any]) -> None:
    values = graph["random"].random(graph["pages"]).astype(np.float32)
    start = graph["random"].normal(size=graph["pages"]) * 1e6
    found = []
    for kernels in (compiled, plain):
        total, added = start.copy(), np.full(graph["pages"], np.nan, np.float32)
        arrays = (graph["offsets"], graph["links"], values, added, total)
        sums = sums_of_chunks(kernels.multiply, graph, *arrays)
        np.testing.assert_allclose(total - start, added, rtol=1e-6, atol=1e-8)
        found.append(added)
        assert sums[:, 0].tolist() == pytest.approx(squares(total, graph["cut"]))
    np.testing.assert_allclose(*found, rtol=2e-6, atol=1e-7)


@given(
    rows(),
    st.sampled_from([np.float32, np.float64]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_contributions_are_pulled_compared_and_added_up(
    graph: dict[str, Any], kind: type, weighted: bool, comparing: bool, adding: bool
) -> None:
    random, pages = graph["random"], graph["pages"]
    contributions, previous = random.random((2, pages)).astype(kind) / pages
    degrees = random.integers(0, 3, pages).astype(kind)
    weights = random.random(pages).astype(kind) if weighted else None
    found = []
    for kernels in (compiled, plain):
        result = np.full(pages, np.nan, kind)
        total = np.ones(pages) if adding else None
        sums = sums_of_chunks(
            kernels.pull,
            graph,
            *(graph["offsets"], graph["links"], contributions, degrees, result),
            damping=0.85,
            constant=0.01,
            jump=0.3,
            weights=weights,
            previous=previous if comparing else None,
            total=total,
        )
        found.append((result, total, sums))
    for ours, theirs in zip(*found, strict=True):
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, **near(kind))


@given(rows())
def test_two_vectors_are_combined(graph: dict[str, Any]) -> None:
    x, start = graph["random"].normal(size=(2, graph["pages"]))
    found = []
    for kernels in (compiled, plain):
        y = start.astype(np.float32)
        sums = sums_of_chunks(kernels.axpby, graph, x, y, a=0.5, b=-2.0)
        found.append((y, sums[:, 0]))
        np.testing.assert_allclose(y, x / 2 - 2 * start, atol=1e-5)
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def test_a_page_with_a_million_links_loses_no_digits_in_single_precision() -> None:
    links = 2_000_001
    values = np.full(3, 0.1, np.float32)
    offsets = np.array([0, links], np.uint64)
    result, sums = np.empty(1, np.float32), np.empty(2)
    targets = np.ones(links, np.uint32)
    compiled.multiply(offsets, targets, values, result, first=0, last=1, sums=sums)
    assert result[0] == pytest.approx(links * float(values[0]), rel=1e-6)


def out_offsets(random: np.random.Generator, pages: int) -> Any:
    """Where the links of pages with 0 to 3 links begin."""
    return np.concatenate([[0], np.cumsum(random.integers(0, 4, pages))]).astype(np.uint64)


@st.composite
def grouped(draw: st.DrawFn) -> dict[str, Any]:
    """Links both ways of some pages, with groups of them, their gains and their last growths."""
    graph = draw(rows())
    random, pages = graph["random"], graph["pages"]
    out = out_offsets(random, pages)
    cuts = draw(st.lists(st.integers(1, pages), max_size=4))
    groups = np.unique([0, *cuts, pages]).astype(np.uint32)
    return graph | {
        "out_offsets": out,
        "out_links": random.integers(0, pages, int(out[-1])).astype(np.uint32),
        "groups": groups,
        "gains": random.choice([0, 0.3, 2], len(groups) - 1).astype(np.float32),
        "growths": random.normal(size=len(groups) - 1).astype(np.float32),
        "contributions": random.random(pages).astype(np.float32),
    }


@given(grouped(), st.booleans())
def test_gauss_seidel_goes_group_by_group(graph: dict[str, Any], weighted: bool) -> None:
    weights = graph["random"].random(graph["pages"]).astype(np.float32) if weighted else None
    links = (graph["offsets"], graph["links"], graph["out_offsets"])
    count = len(graph["gains"])
    found = []
    for kernels in (compiled, plain):
        gains, growths, contributions = (
            graph[name].copy() for name in ("gains", "growths", "contributions")
        )
        sums = np.full((2, 4), np.nan)
        for first, last, own in ((count // 2, count, sums[0]), (0, count // 2, sums[1])):
            kernels.gauss_seidel(
                *links,
                contributions,
                damping=0.05,
                constant=0.01,
                jump=0.3,
                weights=weights,
                groups=graph["groups"],
                gains=gains,
                growths=growths,
                first=first,
                last=last,
                sums=own,
            )
        found.append((contributions, gains, growths, sums))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-3)


@given(grouped())
def test_gains_are_estimated_from_the_links_within_a_group(graph: dict[str, Any]) -> None:
    arrays = (graph["out_offsets"], graph["out_links"], graph["contributions"])
    count = len(graph["gains"])
    found = []
    for kernels in (compiled, plain):
        gains = np.zeros(count, np.float32)
        for first, last in pairwise([0, count // 2, count]):
            kernels.aggregation_gains(
                *arrays, groups=graph["groups"], damping=0.85, gains=gains, first=first, last=last
            )
        found.append(gains)
    np.testing.assert_allclose(*found, rtol=1e-4)


@pytest.mark.parametrize("kernels", [compiled, plain])
def test_a_page_reads_what_was_just_computed_for_those_after_it(kernels: Any) -> None:
    # Each page reads the next one, and the last itself, which holds 1.
    pages = 600
    offsets = np.arange(pages + 1, dtype=np.uint64)
    links = np.minimum(np.arange(pages) + 1, pages - 1).astype(np.uint32)
    contributions = np.arange(pages, 0, -1, dtype=np.float32)
    sums = np.zeros(4)
    kernels.gauss_seidel(
        *(offsets, links, offsets, contributions),
        damping=1.0,
        constant=0.0,
        jump=0.0,
        weights=None,
        groups=np.array([0, 100, pages], np.uint32),
        gains=np.zeros(2, np.float32),
        growths=np.zeros(2, np.float32),
        first=0,
        last=2,
        sums=sums,
    )
    assert contributions.tolist() == [1.0] * pages
    assert sums.tolist() == [sum(range(pages)), 0.0, 0.0, pages]


@pytest.mark.parametrize("kernels", [compiled, plain])
def test_two_pages_that_link_to_one_another_get_at_once_what_they_will_have(kernels: Any) -> None:
    # x = 0.5 y + 1 and y = 0.5 x + 1: both are 2 in the end.
    offsets, links = np.array([0, 1, 2], np.uint64), np.array([1, 0], np.uint32)
    contributions, sums = np.ones(2, np.float32), np.zeros(4)
    group: dict[str, Any] = {
        "groups": np.array([0, 2], np.uint32),
        "gains": np.zeros(1, np.float32),
        "damping": 0.5,
        "first": 0,
        "last": 1,
    }
    kernels.aggregation_gains(offsets, links, contributions, **group)
    # Of what is 1, a quarter comes late, and half comes back.
    assert group["gains"].tolist() == [0.5]
    growths = np.zeros(1, np.float32)
    group |= {"growths": growths, "constant": 1.0, "jump": 0.0, "weights": None, "sums": sums}
    kernels.gauss_seidel(offsets, links, offsets, contributions, **group)
    # 1.5 and 1.75 by the sweep, 1.25 more than before: half of that is 0.625.
    assert contributions.tolist() == pytest.approx([1.75 * 3.875 / 3.25, 1.5 * 3.875 / 3.25])
    assert sums.tolist() == pytest.approx([1.25, 0.625, 0, 3.875])
    growths[0] = -0.2
    kernels.gauss_seidel(offsets, links, offsets, contributions, **group)
    assert group["gains"].tolist() == [0.25]  # it oscillates, and gets half of it from now on
