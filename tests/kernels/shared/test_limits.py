"""Limits apply to the thread that sets them, in every kernel that reads links."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import whatsrelated
from tests.kernels.graphs import in_order
from whatsrelated import kernels
from whatsrelated.errors import OutOfMemory, OutOfTime
from whatsrelated.kernels import scratch
from whatsrelated.kernels.scratch import keep_within, scratch_of
from whatsrelated.kernels.shared import limits as plain

BOTH = pytest.mark.parametrize("limits", [kernels.limits, plain], ids=["in use", "plain"])
compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="the twins look at time only")


@BOTH
def test_a_deadline_that_has_passed_is_an_error_while_it_is_in_force(limits: Any) -> None:
    limits.check()
    with limits.Limits(time.monotonic() - 1), pytest.raises(OutOfTime):
        limits.check()
    limits.check()


@BOTH
def test_the_check_requires_the_given_time_to_be_left(limits: Any) -> None:
    with limits.Limits(time.monotonic() + 60):
        limits.check(seconds=30)
        with pytest.raises(OutOfTime):
            limits.check(seconds=90)


@BOTH
def test_cancelling_outer_limits_cancels_inner_ones_unless_they_are_alone(
    limits: Any,
) -> None:
    outer = limits.Limits(memory=1000)
    with outer, limits.Limits(memory=5000) as inner:
        assert inner.memory == 1000
        outer.cancel()
        with pytest.raises(OutOfTime):
            limits.check()
        with limits.Limits(alone=True):
            limits.check()
        with pytest.raises(OutOfTime):
            limits.check()


@BOTH
def test_inner_limits_only_say_when_to_stop_with_what_there_is(limits: Any) -> None:
    now = time.monotonic()
    assert limits.time_to_stop() == math.inf
    with limits.Limits(now + 60):
        with limits.Limits(now - 1):
            assert limits.time_to_stop() == now - 1
            limits.check()
            with limits.Limits(now + 30):
                assert limits.time_to_stop() == now - 1
            with limits.Limits(alone=True):
                assert limits.time_to_stop() == math.inf
        assert limits.time_to_stop() == now + 60
    assert limits.time_to_stop() == math.inf


@BOTH
def test_limits_hold_for_their_own_thread(limits: Any) -> None:
    seen: list[int] = []
    with limits.Limits(time.monotonic() - 1, memory=80):
        other = threading.Thread(target=lambda: seen.append(limits.rows_within(8)))
        other.start()
        other.join()
        assert limits.rows_within(8) == 10
    assert seen[0] > 10**9


@BOTH
def test_omissions_are_reported(limits: Any) -> None:
    limits.mark_reached()
    with limits.Limits() as own:
        assert not own.reached
        limits.mark_reached()
        assert own.reached


ROWS = 70
WIDTH = 1000
PAGES = ROWS + WIDTH
"""Pages 0 to 69 link to the next thousand: more links than between two checks of the clock."""


@pytest.fixture(scope="module")
def dense() -> Any:
    pairs = [(page, other) for page in range(ROWS) for other in range(ROWS, PAGES)]
    return in_order(pairs, PAGES).ours


def rows() -> Any:
    return np.arange(ROWS, dtype=np.uint32)


def gather(links: Any, pages: Any, role: int = 1) -> Any:
    around = kernels.vicinity.Vicinity()
    around.clear(10)
    none = np.empty(0, np.uint32)
    around.add(pages, role, none)
    around.add_windows(links, ROWS, pages, -1, role, none)
    return around


KERNELS: dict[str, Callable[[Any], Any]] = {
    "sums": lambda links: kernels.row_sums.weighted_sums(
        kernels.row_sums.Scratch(), links, rows(), np.ones(ROWS), False
    ),
    "proximity": lambda links: kernels.row_sums.proximity_sums(
        kernels.row_sums.Scratch(), links, rows(), ROWS, 1.0
    ),
    "windows": lambda links: kernels.windows.count_siblings(
        kernels.windows.Scratch(), links, rows(), ROWS, -1, True
    ),
    "gathering": lambda links: gather(links, rows()),
    "walk": lambda links: kernels.walk.push(
        kernels.walk.Scratch(), links, np.array([ROWS], np.uint32), np.ones(1), 0.1, 1e-9
    ),
    "near-duplicates": lambda links: kernels.duplicates.near_duplicates(
        links, rows(), (10, 95, 100)
    ),
}


@compiled
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_checks_the_clock(kernel: str, dense: Any) -> None:
    KERNELS[kernel](dense)
    with kernels.limits.Limits(time.monotonic() - 1), pytest.raises(OutOfTime):
        KERNELS[kernel](dense)


@compiled
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "near-duplicates"])
def test_no_kernel_holds_more_pages_than_it_may(kernel: str, dense: Any) -> None:
    with kernels.limits.Limits(memory=500 * 512) as limits:
        KERNELS[kernel](dense)
        assert limits.reached


@compiled
def test_no_more_links_are_found_between_pages_than_may_be(dense: Any) -> None:
    around = gather(dense, rows())
    with kernels.limits.Limits(memory=10_000 * 192) as limits:
        _, starts, targets = around.graph(dense, None)
        assert limits.reached
    assert 10_000 <= len(targets) < 11_000
    whole = around.graph(dense, None)[2]
    assert len(whole) == ROWS * (WIDTH - 1)
    assert targets.tolist() == whole[: len(targets)].tolist()
    assert starts[-1] == len(targets)


@compiled
def test_links_that_cannot_be_left_out_are_an_error() -> None:
    with kernels.limits.Limits(memory=1000), pytest.raises(OutOfMemory, match="ask for less"):
        kernels.row_sums.Scratch()


@compiled
def test_a_large_query_frees_its_memory(dense: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for most, kept in ((1 << 40, True), (0, False), (1 << 40, True)):
        monkeypatch.setattr(scratch, "MAX_KEPT", most)
        held = scratch_of(kernels.row_sums.Scratch)
        with keep_within(kernels.limits.Limits()):
            kernels.row_sums.weighted_sums(
                scratch_of(kernels.row_sums.Scratch), dense, rows(), np.ones(ROWS), False
            )
            kernels.windows.count_siblings(
                scratch_of(kernels.windows.Scratch), dense, rows(), ROWS, -1, True
            )
        assert (scratch_of(kernels.row_sums.Scratch) is held) == kept


def test_a_question_without_limits_is_unchanged() -> None:
    graph = whatsrelated.Graph.from_links([("a", "b"), ("a", "c"), ("d", "b"), ("d", "c")])
    assert [each.url for each in graph.related("b", by="cocitation")] == ["c"]
