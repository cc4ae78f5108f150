"""The sweeps of the ranks, compiled and plain, on random links."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.kernels.plain import ranking as plain

compiled = pytest.importorskip("whatsrelated.kernels._ranking")


@st.composite
def sweeps(draw: st.DrawFn) -> dict[str, Any]:
    """Links of some pages, some with more than a segment of them, cut anywhere into chunks."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pages = draw(st.integers(1, 40))
    degrees = random.integers(0, draw(st.sampled_from([1, 5, 9, 3000])), pages, endpoint=True)
    cuts = sorted(draw(st.lists(st.integers(0, pages), max_size=4)))
    bounds = np.array([0, *cuts, pages], np.int64)
    return {
        "random": random,
        "pages": pages,
        "offsets": np.concatenate([[0], np.cumsum(degrees)]).astype(np.uint64),
        "links": random.integers(0, pages, int(degrees.sum())).astype(np.uint32),
        "bounds": bounds,
        "tallies": lambda width=2: np.full((len(bounds) - 1, width), np.nan),
    }


def swept(kernels: Any, name: str, sweep: dict[str, Any], *arguments: Any, width: int = 2) -> Any:
    """The tallies that a kernel leaves, called for the first chunk and then for the others."""
    tallies = sweep["tallies"](width)
    bounds = sweep["bounds"]
    getattr(kernels, name)(*arguments, bounds, 0, 1, tallies)
    getattr(kernels, name)(*arguments, bounds, 1, len(bounds) - 1, tallies)
    return tallies


def squares(values: Any, bounds: Any) -> list[float]:
    """The sum of the squares of each chunk."""
    return [float(np.square(part, dtype=float).sum()) for part in np.split(values, bounds[1:-1])]


def near(kind: type) -> dict[str, float]:
    return {"rtol": 2e-6, "atol": 1e-6} if kind is np.float32 else {"rtol": 1e-12, "atol": 1e-12}


@given(sweeps(), st.sampled_from([np.float32, np.float64]))
def test_products_are_sums_over_the_links(sweep: dict[str, Any], kind: type) -> None:
    values = sweep["random"].normal(size=sweep["pages"]).astype(kind)
    found = []
    for kernels in (compiled, plain):
        result = np.full(sweep["pages"], np.nan, kind)
        tallies = swept(
            kernels, "products", sweep, sweep["offsets"], sweep["links"], values, result
        )
        found.append(result)
        assert tallies[:, 0].tolist() == pytest.approx(squares(result, sweep["bounds"]))
    scale = 1 + len(sweep["links"])
    tolerance = {"rtol": 1e-4, "atol": 1e-7 * scale} if kind is np.float32 else near(kind)
    np.testing.assert_allclose(*found, **tolerance)


@given(sweeps())
def test_products_are_added_to_a_total_in_64_bits(sweep: dict[str, Any]) -> None:
    values = sweep["random"].random(sweep["pages"]).astype(np.float32)
    start = sweep["random"].normal(size=sweep["pages"]) * 1e6
    found = []
    for kernels in (compiled, plain):
        total, added = start.copy(), np.full(sweep["pages"], np.nan, np.float32)
        arrays = (sweep["offsets"], sweep["links"], values, total, added)
        tallies = swept(kernels, "add_products", sweep, *arrays)
        np.testing.assert_allclose(total - start, added, rtol=1e-6, atol=1e-8)
        found.append(added)
        assert tallies[:, 0].tolist() == pytest.approx(squares(total, sweep["bounds"]))
    np.testing.assert_allclose(*found, rtol=2e-6, atol=1e-7)


@given(
    sweeps(),
    st.sampled_from([np.float32, np.float64]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_shares_are_spread_compared_and_added_up(
    sweep: dict[str, Any], kind: type, jumping: bool, comparing: bool, adding: bool
) -> None:
    random, pages = sweep["random"], sweep["pages"]
    shares, before = random.random((2, pages)).astype(kind) / pages
    degrees = random.integers(0, 3, pages).astype(kind)
    jumps = random.random(pages).astype(kind) if jumping else None
    found = []
    for kernels in (compiled, plain):
        result = np.full(pages, np.nan, kind)
        total = np.ones(pages) if adding else None
        tallies = swept(
            kernels,
            "spread",
            sweep,
            sweep["offsets"],
            sweep["links"],
            shares,
            degrees,
            jumps,
            0.85,
            0.01,
            0.3,
            before if comparing else None,
            result,
            total,
        )
        found.append((result, total, tallies))
    for ours, theirs in zip(*found, strict=True):
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, **near(kind))


@given(sweeps())
def test_steps_are_combined_with_the_goal(sweep: dict[str, Any]) -> None:
    goal, start = sweep["random"].normal(size=(2, sweep["pages"]))
    found = []
    for kernels in (compiled, plain):
        steps = start.astype(np.float32)
        tallies = swept(kernels, "combine", sweep, goal, 0.5, -2.0, steps)
        found.append((steps, tallies[:, 0]))
        np.testing.assert_allclose(steps, goal / 2 - 2 * start, atol=1e-5)
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def test_a_page_with_a_million_links_loses_no_digits_in_32_bits() -> None:
    links = 2_000_001
    values = np.full(3, 0.1, np.float32)
    offsets = np.array([0, links], np.uint64)
    result, tallies = np.empty(1, np.float32), np.empty((1, 2))
    bounds = np.array([0, 1], np.int64)
    arguments = (offsets, np.ones(links, np.uint32), values, result, bounds, 0, 1, tallies)
    compiled.products(*arguments)
    assert result[0] == pytest.approx(links * float(values[0]), rel=1e-6)


def out_offsets(random: np.random.Generator, pages: int) -> Any:
    """Where the links of pages with 0 to 3 links begin."""
    return np.concatenate([[0], np.cumsum(random.integers(0, 4, pages))]).astype(np.uint64)


@given(sweeps(), st.sampled_from([np.float32, np.uint16]), st.booleans(), st.booleans())
def test_shares_flow_to_another_array_or_in_place(
    sweep: dict[str, Any], kind: type, jumping: bool, in_place: bool
) -> None:
    random, pages = sweep["random"], sweep["pages"]
    begun = random.random(pages).astype(np.float32)
    degrees = out_offsets(random, pages)
    jumps = random.random(pages).astype(np.float32) if jumping else None
    found = []
    for kernels in (compiled, plain):
        shares = begun.copy() if kind is np.float32 else plain.halved(begun)
        result = shares if in_place else np.zeros_like(shares)
        kept = np.full(pages, np.nan, np.float32)
        numbers = (degrees, jumps, 0.85, 0.01, 0.3, shares, result, kept)
        tallies = swept(kernels, "flow", sweep, sweep["offsets"], sweep["links"], *numbers, width=3)
        wide = result if kind is np.float32 else plain.widened(result)
        found.append((wide, kept, tallies))
    tolerance = {"rtol": 1e-4, "atol": 1e-4} if kind is np.float32 else {"rtol": 3e-2}
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, **tolerance)


@pytest.mark.parametrize("kind", [np.float32, np.uint16])
def test_a_block_reads_what_those_before_it_have_written_in_place(kind: type) -> None:
    # Each page reads that of the block before it, and the first block page 0, which holds 1.
    pages = 3 * plain.BLOCK
    offsets = np.arange(pages + 1, dtype=np.uint64)
    links = np.maximum(np.arange(pages) - plain.BLOCK, 0).astype(np.uint32)
    for kernels in (compiled, plain):
        begun = np.arange(1, pages + 1, dtype=np.float32)
        shares = begun if kind is np.float32 else plain.halved(begun)
        numbers = (offsets, None, 1.0, 0.0, 0.0, shares, shares, None)
        bounds, tallies = np.array([0, pages], np.int64), np.empty((1, 3))
        kernels.flow(offsets, links, *numbers, bounds, 0, 1, tallies)
        held = shares if kind is np.float32 else plain.widened(shares)
        assert held.tolist() == [1.0] * pages
        assert tallies[0].tolist() == pytest.approx([sum(range(pages)), 0.0, pages], rel=1e-3)


def test_16_bits_hold_eight_digits_of_any_size() -> None:
    values = np.array([0, 1e-30, 1e-9, 0.1, 1, 1.002, 3e4], np.float32)
    halves = plain.widened(plain.halved(values))
    np.testing.assert_allclose(halves, values, rtol=2**-9)
    assert halves[4] == 1 != halves[5]


@given(sweeps())
def test_steps_are_multiplied_with_one_another_as_scores(sweep: dict[str, Any]) -> None:
    random, pages = sweep["random"], sweep["pages"]
    stages = random.random((4, pages)).astype(np.float32)
    degrees = out_offsets(random, pages)
    found = [
        swept(kernels, "alignment", sweep, *stages, degrees, width=6)
        for kernels in (compiled, plain)
    ]
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-4)


@given(sweeps(), st.floats(-3, 3), st.floats(-3, 3))
def test_a_leap_combines_three_shares_and_stops_at_0(
    sweep: dict[str, Any], one: float, two: float
) -> None:
    random, pages = sweep["random"], sweep["pages"]
    second, third, begun = random.random((3, pages)).astype(np.float32)
    degrees = out_offsets(random, pages)
    found = []
    for kernels in (compiled, plain):
        shares = begun.copy()
        tallies = swept(kernels, "leap", sweep, second, third, one, two, degrees, shares, width=3)
        assert (shares >= 0).all()
        found.append((shares, tallies))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-4)
    expected = np.maximum((1 - one - two) * begun + one * second + two * third, 0)
    np.testing.assert_allclose(found[1][0], expected, rtol=1e-4, atol=1e-5)
