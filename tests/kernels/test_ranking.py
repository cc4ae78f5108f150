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


@st.composite
def grouped(draw: st.DrawFn) -> dict[str, Any]:
    """Links both ways of some pages, with groups of them, their gains and their last changes."""
    sweep = draw(sweeps())
    random, pages = sweep["random"], sweep["pages"]
    out = out_offsets(random, pages)
    cuts = draw(st.lists(st.integers(1, pages), max_size=4))
    groups = np.unique([0, *cuts, pages]).astype(np.uint32)
    return sweep | {
        "out_offsets": out,
        "out_links": random.integers(0, pages, int(out[-1])).astype(np.uint32),
        "groups": groups,
        "gains": random.choice([0, 0.3, 2], len(groups) - 1).astype(np.float32),
        "changes": random.normal(size=len(groups) - 1).astype(np.float32),
        "shares": random.random(pages).astype(np.float32),
    }


@given(grouped(), st.booleans())
def test_shares_flow_in_place_group_by_group(sweep: dict[str, Any], jumping: bool) -> None:
    jumps = sweep["random"].random(sweep["pages"]).astype(np.float32) if jumping else None
    links = (sweep["offsets"], sweep["links"], sweep["out_offsets"])
    last = len(sweep["gains"])
    found = []
    for kernels in (compiled, plain):
        gains, changes, shares = (sweep[name].copy() for name in ("gains", "changes", "shares"))
        arrays = (sweep["groups"], gains, changes, shares)
        sums = np.full((2, 4), np.nan)
        for first, stop, row in ((last // 2, last, sums[0]), (0, last // 2, sums[1])):
            kernels.flow(*links, jumps, 0.05, 0.01, 0.3, *arrays, first, stop, row)
        found.append((shares, gains, changes, sums))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-3)


@given(grouped())
def test_echoes_are_told_by_the_links_within_a_group(sweep: dict[str, Any]) -> None:
    links = (sweep["out_offsets"], sweep["out_links"], sweep["shares"], sweep["groups"])
    last = len(sweep["gains"])
    found = []
    for kernels in (compiled, plain):
        gains = np.zeros(last, np.float32)
        kernels.echoes(*links, 0.85, gains, 0, last // 2)
        kernels.echoes(*links, 0.85, gains, last // 2, last)
        found.append(gains)
    np.testing.assert_allclose(*found, rtol=1e-4)


@pytest.mark.parametrize("kernels", [compiled, plain])
def test_a_page_reads_what_those_after_it_have_got_in_place(kernels: Any) -> None:
    # Each page reads the next one, and the last itself, which holds 1.
    pages = 600
    offsets = np.arange(pages + 1, dtype=np.uint64)
    links = np.minimum(np.arange(pages) + 1, pages - 1).astype(np.uint32)
    shares = np.arange(pages, 0, -1, dtype=np.float32)
    groups = np.array([0, 100, pages], np.uint32)
    gains, sums = np.zeros(2, np.float32), np.empty(4)
    arrays = (groups, gains, gains.copy(), shares)
    kernels.flow(offsets, links, offsets, None, 1.0, 0.0, 0.0, *arrays, 0, 2, sums)
    assert shares.tolist() == [1.0] * pages
    assert sums.tolist() == [sum(range(pages)), 0.0, 0.0, pages]


@pytest.mark.parametrize("kernels", [compiled, plain])
def test_two_pages_that_link_to_one_another_get_at_once_what_they_will_have(kernels: Any) -> None:
    # x = 0.5 y + 1 and y = 0.5 x + 1: both are 2 in the end.
    offsets, links = np.array([0, 1, 2], np.uint64), np.array([1, 0], np.uint32)
    groups, shares = np.array([0, 2], np.uint32), np.ones(2, np.float32)
    gains, changes, sums = np.zeros(1, np.float32), np.zeros(1, np.float32), np.empty(4)
    kernels.echoes(offsets, links, shares, groups, 0.5, gains, 0, 1)
    assert gains.tolist() == [0.5]  # of what is 1, a quarter comes late, and half comes back
    arrays = (groups, gains, changes, shares)
    kernels.flow(offsets, links, offsets, None, 0.5, 1.0, 0.0, *arrays, 0, 1, sums)
    # 1.5 and 1.75 by the round, 1.25 more than before: half of that is 0.625.
    assert shares.tolist() == pytest.approx([1.75 * 3.875 / 3.25, 1.5 * 3.875 / 3.25])
    assert sums.tolist() == pytest.approx([1.25, 0.625, 0, 3.875])
    changes[0] = -0.2
    kernels.flow(offsets, links, offsets, None, 0.5, 1.0, 0.0, *arrays, 0, 1, sums)
    assert gains.tolist() == [0.25]  # it has swung, and gets half of it from now on
