"""Plots as SVG: lines, points and axes.

The page defines the colours, light and dark, by the classes `s0` ... `s7`; beyond
eight series, lines are dashed.  Every point of a line has a `<title>`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

COLOURS = 8
MOST_TICKS = 7
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 10, 40


@dataclass(frozen=True, slots=True)
class Series:
    """One method's numbers; `number` chooses its colour."""

    label: str
    number: int
    points: Sequence[tuple[float, float]]
    titles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Axis:
    """The label, range and ticks of an axis."""

    label: str
    low: float
    high: float
    ticks: tuple[float, ...]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """The position of a value on the axis, from 0 to 1."""
        low, high = self.low, self.high
        if self.logarithmic:
            value, low, high = log10(max(value, low)), log10(low), log10(high)
        return (value - low) / (high - low) if high > low else 0.5


def linear(label: str, high: float, low: float = 0.0) -> Axis:
    """An axis with four to eight round ticks, which ends at one of them."""
    span = max(high - low, 1e-9)
    step = next(
        size
        for size in (m * 10.0**e for e in range(floor(log10(span)) - 1, 20) for m in (1, 2, 5))
        if span / size <= 6
    )
    count = ceil(span / step - 1e-9)
    return Axis(label, low, low + count * step, tuple(low + i * step for i in range(count + 1)))


def logarithmic(label: str, values: Iterable[float]) -> Axis:
    """An axis by powers of ten, from one of 1, 2 and 5 to another."""
    positive = [value for value in values if value > 0] or [1.0]
    steps = [m * 10.0**e for e in range(-9, 16) for m in (1, 2, 5)]
    first = max(i for i, step in enumerate(steps) if step <= min(positive) * (1 + 1e-9))
    last = min(i for i, step in enumerate(steps) if step >= max(positive) * (1 - 1e-9))
    last = max(last, first + 1)
    ticks = steps[first : last + 1]
    if len(ticks) > MOST_TICKS:
        ticks = [tick for tick in ticks if f"{tick:e}".startswith("1.0")]
    return Axis(label, steps[first], steps[last], tuple(ticks), True)


def lines(
    series: Sequence[Series], x: Axis, y: Axis, about: str, width: int = 340, height: int = 250
) -> str:
    """A line with its points for each series, the last one on top."""
    across, up = _scales(x, y, width, height)
    parts = []
    for one in series:
        path = " ".join(f"{across(a):.1f},{up(b):.1f}" for a, b in one.points)
        marks = "".join(
            f'<circle cx="{across(a):.1f}" cy="{up(b):.1f}" r="3"><title>{escape(title)}</title>'
            "</circle>"
            for (a, b), title in zip(one.points, one.titles, strict=True)
        )
        parts.append(
            f'<g class="series {colour(one.number)}"><polyline points="{path}"/>{marks}</g>'
        )
    return _svg("".join(parts), x, y, about, width, height)


def points(
    series: Series, x: Axis, y: Axis, about: str, width: int = 250, height: int = 210
) -> str:
    """A dot for each point; dots in the same place are drawn once."""
    across, up = _scales(x, y, width, height)
    places = dict.fromkeys((round(across(a)), round(up(b))) for a, b in series.points)
    dots = "".join(f'<circle cx="{a}" cy="{b}" r="2"/>' for a, b in places)
    inside = f'<g class="dots {colour(series.number)}">{dots}</g>'
    return _svg(inside, x, y, about, width, height)


def colour(number: int) -> str:
    """The classes of a series."""
    return f"s{number % COLOURS}" + (" dashed" if number >= COLOURS else "")


def _scales(
    x: Axis, y: Axis, width: int, height: int
) -> tuple[Callable[[float], float], Callable[[float], float]]:
    def across(value: float) -> float:
        return LEFT + x.share(value) * (width - LEFT - RIGHT)

    def up(value: float) -> float:
        return height - BOTTOM - y.share(value) * (height - TOP - BOTTOM)

    return across, up


def _svg(inside: str, x: Axis, y: Axis, about: str, width: int, height: int) -> str:
    across, up = _scales(x, y, width, height)
    foot, right = height - BOTTOM, width - RIGHT
    parts = []
    for tick in y.ticks:
        at = f"{up(tick):.1f}"
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{at}" y2="{at}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at}" dy="4" text-anchor="end">{short(tick)}</text>')
    for tick in x.ticks:
        at = f"{across(tick):.1f}"
        parts.append(
            f'<text x="{at}" y="{foot + 15}" text-anchor="middle">{short(tick)}</text>'
            f'<line class="tick" x1="{at}" x2="{at}" y1="{foot}" y2="{foot + 4}"/>'
        )
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{right}" y1="{foot}" y2="{foot}"/>')
    middle = (LEFT + right) / 2
    parts.append(
        f'<text class="label" x="{middle:.0f}" y="{height - 6}" text-anchor="middle">'
        f"{escape(x.label)}</text>"
    )
    tall = (TOP + foot) / 2
    parts.append(
        f'<text class="label" transform="translate(11 {tall:.0f}) rotate(-90)" '
        f'text-anchor="middle">{escape(y.label)}</text>'
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(about)}">'
        f"{''.join(parts)}{inside}</svg>"
    )


def short(value: float) -> str:
    """A tick: 0.1, 20, 3k, 2M."""
    for size, mark in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{mark}"
    return f"{value:.6g}"
