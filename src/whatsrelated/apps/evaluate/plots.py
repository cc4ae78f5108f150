"""Draw plots as SVG: lines, points and axes.

The page defines the colours, for light and dark themes, through the classes `s0` ... `s7`. From the
ninth series on, lines are dashed. Every point of a line has a `<title>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from whatsrelated.contract.markup import render

PACKAGE = "whatsrelated.apps.evaluate"
COLOURS = 8
MAX_TICKS = 7
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 10, 40


@dataclass(frozen=True, slots=True)
class Series:
    """One method's numbers; `number` chooses its colour.

    A series with titles is drawn as a line, one without as a cloud of dots.
    """

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
    """An axis with four to eight ticks at round numbers; it ends at a tick."""
    span = max(high - low, 1e-9)
    step = next(
        size
        for size in (m * 10.0**e for e in range(floor(log10(span)) - 1, 20) for m in (1, 2, 5))
        if span / size <= 6
    )
    count = ceil(span / step - 1e-9)
    return Axis(label, low, low + count * step, tuple(low + i * step for i in range(count + 1)))


def logarithmic(label: str, values: Iterable[float]) -> Axis:
    """A logarithmic axis that starts and ends at 1, 2 or 5 times a power of ten."""
    positive = [value for value in values if value > 0] or [1.0]
    steps = [m * 10.0**e for e in range(-9, 16) for m in (1, 2, 5)]
    first = max(i for i, step in enumerate(steps) if step <= min(positive) * (1 + 1e-9))
    last = min(i for i, step in enumerate(steps) if step >= max(positive) * (1 - 1e-9))
    last = max(last, first + 1)
    ticks = steps[first : last + 1]
    if len(ticks) > MAX_TICKS:
        ticks = [tick for tick in ticks if f"{tick:e}".startswith("1.0")]
    return Axis(label, steps[first], steps[last], tuple(ticks), True)


@dataclass(frozen=True, slots=True)
class Plot:
    """Series between two axes, the last one on top; `about` describes the plot to screen
    readers.
    """

    series: Sequence[Series]
    x: Axis
    y: Axis
    about: str
    width: int = 340
    height: int = 250

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The pixel position of a point."""
        return (
            LEFT + self.x.share(x) * (self.width - LEFT - RIGHT),
            self.height - BOTTOM - self.y.share(y) * (self.height - TOP - BOTTOM),
        )

    def svg(self) -> str:
        """The plot as SVG, which takes its colours from the surrounding page."""
        right, foot = self.width - RIGHT, self.height - BOTTOM
        edges = {"left": LEFT, "right": right, "top": TOP, "foot": foot}
        return render(PACKAGE, "plot.svg", plot=self, short=short, colour=colour, **edges)

    def dots(self, series: Series) -> list[tuple[int, int]]:
        """The distinct positions of a series in whole pixels."""
        places = (self.place(*point) for point in series.points)
        return list(dict.fromkeys((round(x), round(y)) for x, y in places))


def colour(number: int) -> str:
    """The classes of a series."""
    return f"s{number % COLOURS}" + (" dashed" if number >= COLOURS else "")


def short(value: float) -> str:
    """A tick: 0.1, 20, 3k, 2M."""
    for size, mark in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{mark}"
    return f"{value:.6g}"
