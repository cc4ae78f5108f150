"""Axes have round ticks, and plots are drawn to their scale."""

from __future__ import annotations

import pytest

from whatsrelated.apps.evaluate import plots


def test_axes_end_at_round_numbers() -> None:
    assert plots.linear("", 0.57).ticks == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert plots.linear("", 30).ticks == (0, 5, 10, 15, 20, 25, 30)
    axis = plots.logarithmic("", [0.3, 40])
    assert (axis.low, axis.high) == pytest.approx((0.2, 50))
    assert axis.share(axis.low) == 0
    assert axis.share(axis.high) == pytest.approx(1)
    assert axis.share(10**0.5) == pytest.approx(0.5, abs=1e-6)
    assert [plots.short(value) for value in (0.05, 20.0, 3000.0, 2e6)] == ["0.05", "20", "3k", "2M"]


def test_a_point_is_drawn_where_its_axes_say() -> None:
    axis = plots.linear("", 1.0)
    series = plots.Series(0, [(0.0, 0.0), (1.0, 1.0)])
    drawn = plots.Plot([series], axis, axis, "two points", 250, 210).svg()
    left, right = plots.LEFT, 250 - plots.RIGHT
    assert f'cx="{left}" cy="{210 - plots.BOTTOM}"' in drawn
    assert f'cx="{right}" cy="{plots.TOP}"' in drawn


def test_dots_in_the_same_place_are_drawn_once() -> None:
    axis = plots.linear("", 1.0)
    dots = plots.Series(0, [(0.5, 0.5)] * 3)
    assert plots.Plot([dots], axis, axis, "one point").svg().count("<circle") == 1
