"""The sweeps over the links for the ranks, compiled and plain, on random links."""

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
    """A kernel's sums after calls for the first chunk and then the other."""
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
            jump=0.3,
            weights=weights,
            previous=previous if comparing else None,
            total=total,
        )
        found.append((result, total, sums))
    for ours, theirs in zip(*found, strict=True):
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, **near(kind))


def test_a_page_with_a_million_links_loses_no_digits_in_single_precision() -> None:
    links = 2_000_001
    values = np.full(3, 0.1, np.float32)
    offsets = np.array([0, links], np.uint64)
    result, sums = np.empty(1, np.float32), np.empty(2)
    targets = np.ones(links, np.uint32)
    compiled.multiply(offsets, targets, values, result, first=0, last=1, sums=sums)
    assert result[0] == pytest.approx(links * float(values[0]), rel=1e-6)


@given(rows(), st.booleans(), st.booleans())
def test_gauss_seidel_goes_from_the_last_page_to_the_first(
    graph: dict[str, Any], weighted: bool, correcting: bool
) -> None:
    random, pages, cut = graph["random"], graph["pages"], graph["cut"]
    weights, residual, start = random.random((3, pages)).astype(np.float32)
    out_offsets = np.concatenate([[0], np.cumsum(random.integers(0, 4, pages))]).astype(np.uint64)
    found = []
    for kernels in (compiled, plain):
        contributions, sums = start.copy(), np.zeros(3)
        for first, last in ((cut, pages), (0, cut)):
            kernels.gauss_seidel(
                *(graph["offsets"], graph["links"], out_offsets, contributions),
                damping=0.05,
                jump=0.3,
                weights=weights if weighted else None,
                residual=residual if correcting else None,
                first=first,
                last=last,
                sums=sums,
            )
        found.append((contributions, sums))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kernels", [compiled, plain])
def test_a_page_reads_the_newest_scores_of_the_pages_after_it(kernels: Any) -> None:
    # Each page reads the next one, and the last itself, which holds 1.
    pages = 600
    offsets = np.arange(pages + 1, dtype=np.uint64)
    links = np.minimum(np.arange(pages) + 1, pages - 1).astype(np.uint32)
    contributions = np.arange(pages, 0, -1, dtype=np.float32)
    sums = np.zeros(3)
    kernels.gauss_seidel(
        *(offsets, links, offsets, contributions),
        damping=1.0,
        jump=0.0,
        weights=None,
        residual=None,
        first=0,
        last=pages,
        sums=sums,
    )
    assert contributions.tolist() == [1.0] * pages
    assert sums.tolist() == [sum(range(pages)), 0.0, pages]


def sweeps(kernels: Any, graph: dict[str, Any], links: Any, base: int) -> list[Any]:
    """Each kernel's result for the last chunk, whose links start at `base`."""
    pages, start = graph["pages"], np.linspace(1, 2, graph["pages"], dtype=np.float32)
    chunk = {"first": graph["cut"], "last": pages, "base": base}
    shared = {"damping": 0.5, "jump": 0.1, "weights": None, **chunk}
    product, pulled, swept = np.zeros((3, pages), np.float32)
    swept[:] = start
    arrays = (graph["offsets"], links)
    kernels.multiply(*arrays, start, product, **chunk, sums=np.zeros(2))
    kernels.pull(
        *(*arrays, start, np.ones(pages, np.float32), pulled),
        **{**shared, "previous": None, "total": None, "sums": np.zeros(2)},
    )
    kernels.gauss_seidel(
        *(*arrays, np.arange(pages + 1, dtype=np.uint64), swept),
        **{**shared, "residual": None, "sums": np.zeros(3)},
    )
    return [product, pulled, swept]


@given(rows())
def test_the_links_of_a_chunk_are_enough(graph: dict[str, Any]) -> None:
    base = int(graph["offsets"][graph["cut"]])
    for kernels in (compiled, plain):
        whole = sweeps(kernels, graph, graph["links"], 0)
        part = sweeps(kernels, graph, graph["links"][base:].copy(), base)
        for one, other in zip(whole, part, strict=True):
            np.testing.assert_array_equal(one, other)
