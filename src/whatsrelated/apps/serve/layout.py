"""Positions of pages in a picture: similar pages are side by side, and no names overlap.

1. `circle` orders pages around a circle so neighbours are similar (nearest neighbour, then 2-opt),
   with wider gaps between less similar pages;
2. `settle` pushes overlapping boxes apart, along the shorter axis.

Both are deterministic: no random start, no clock.

Cost: a few milliseconds for a few dozen points; more are not drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import bool_, float64
    from numpy.typing import NDArray

PUSHES = 300
APART = 8.0
"""Free space between two boxes."""
LEAST_GAP = 0.5
"""The gap between two identical neighbours; dissimilar neighbours get up to 1 more."""
NARROW, BROAD = "fijlrtI.,:;'|!()[]/- ", "mwMW@%—"


def circle(alike: NDArray[float64]) -> NDArray[float64]:
    """An angle for each page, in radians from the top; similar pages are near each other."""
    count = len(alike)
    if count < 2:
        return np.zeros(count)
    others = alike * (1 - np.eye(count))
    most = np.sqrt(np.maximum(others.max(axis=1), 1e-9))
    apart = 1 - np.clip(others / np.outer(most, most), 0, 1)
    order = _round_trip(apart)
    gaps = LEAST_GAP + apart[order, np.roll(order, -1)]
    angles = np.empty(count)
    angles[order] = 2 * np.pi * (np.cumsum(gaps) - gaps) / gaps.sum()
    return angles


def _round_trip(apart: NDArray[float64]) -> list[int]:
    """A short round trip from the first page that reversing a section cannot shorten."""
    left = list(range(1, len(apart)))
    order = [0]
    while left:
        order.append(min(left, key=lambda other: (apart[order[-1], other], other)))
        left.remove(order[-1])
    shorter = True
    while shorter:
        shorter = False
        for i in range(1, len(order) - 1):
            for j in range(i + 1, len(order)):
                a, b, c, d = order[i - 1], order[i], order[j], order[(j + 1) % len(order)]
                if apart[a, c] + apart[b, d] < apart[a, b] + apart[c, d] - 1e-9:
                    order[i : j + 1] = reversed(order[i : j + 1])
                    shorter = True
    return order


def settle(
    centres: NDArray[float64], sizes: NDArray[float64], width: float, height: float
) -> NDArray[float64]:
    """The centres of the boxes, moved until none overlap, within the frame."""
    centres = centres.copy()
    half = sizes / 2
    least, most = half, np.array([width, height]) - half
    reach = half[:, None] + half[None] + APART
    numbers = np.arange(len(centres))
    later = np.sign(numbers[:, None] - numbers[None])
    apart = later != 0
    for _ in range(PUSHES):
        centres = np.clip(centres, least, np.maximum(least, most))
        between = centres[:, None] - centres[None]
        over = reach - np.abs(between)
        clash = np.all(over > 0, axis=2) & apart
        if not (over[clash] > APART / 2).all(axis=-1).any():
            break
        along = (over[..., 0] <= over[..., 1])[..., None] == np.array([True, False])
        side = np.where(between == 0, later[..., None], np.sign(between))
        push = np.where(clash[..., None] & along, side * over, 0)
        centres += 0.35 * push.sum(axis=1)
    return np.clip(centres, least, np.maximum(least, most))


def overlapping(centres: NDArray[float64], sizes: NDArray[float64]) -> NDArray[bool_]:
    """The boxes that still overlap an earlier one."""
    reach = (sizes[:, None] + sizes[None]) / 2
    clash = (np.abs(centres[:, None] - centres[None]) < reach - 0.5).all(axis=2)
    return np.asarray(np.tril(clash, -1).any(axis=1), np.bool_)


def text_width(text: str, size: float) -> float:
    """The approximate width of a text in a common typeface, in the unit of `size`."""
    return size * sum(map(_advance, text))


def _advance(letter: str) -> float:
    if letter in NARROW:
        return 0.36
    if letter in BROAD or east_asian_width(letter) in "WF":
        return 1.0
    return 0.72 if letter.isupper() else 0.61


def wrap(text: str, most: int) -> list[str]:
    """A text on at most two lines of `most` characters, cut if it is longer."""
    words, lines = text.split() or [text], [""]
    for word in words:
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= most or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > 2:
        lines = [lines[0], " ".join(lines[1:])]
    return [line if len(line) <= most else line[: most - 1].rstrip() + "…" for line in lines]


def line_labels(names: Sequence[str], most: int) -> list[list[str]]:
    """Labels of one line; if two would be cut to the same text, they show their start and end."""
    found = [[name if len(name) <= most else name[: most - 1].rstrip() + "…"] for name in names]
    for place, name in enumerate(names):
        if any(found[i] == found[place] and names[i] != name for i in range(len(names))):
            half = most // 2
            found[place] = [f"{name[: most - half - 1].rstrip()}…{name[-half:].lstrip()}"]
    return found


def labels(names: Sequence[str], most: int) -> list[list[str]]:
    """Labels of one or two lines; different names never become the same label."""
    found = [wrap(name, most) for name in names]
    for place, name in enumerate(names):
        same = [i for i, lines in enumerate(found) if lines == found[place] and names[i] != name]
        if same:
            for i in [place, *same]:
                found[i] = _ends(names[i], [names[j] for j in [place, *same] if j != i], most)
    return found


def _ends(name: str, others: Sequence[str], most: int) -> list[str]:
    """The start of a name and, on a second line, its end from where it differs from all others."""
    common = max(_same_start(name, other) for other in others)
    rest = name[max(0, min(common - 2, len(name) - most + 2)) :]
    if len(rest) > most - 1:
        rest = rest[: most - 2] + "…"
    return [name[: most - 1].rstrip() + "…", "…" + rest.lstrip()]


def _same_start(one: str, two: str) -> int:
    pairs = zip(one, two, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(two)))
