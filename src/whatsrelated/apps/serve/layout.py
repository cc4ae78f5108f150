"""Positions of pages in a picture: distance shows strength, angle shows similarity, and names never
overlap.

1. `distances` turns strengths into distances from the centre. A stronger page is always nearer, and
   equally strong pages are equally near;
2. `circle` orders pages around the centre so neighbours are similar (nearest neighbour, then
   2-opt), with wider gaps between less similar pages;
3. `arrange` places one page after the other at its distance, at the free angle nearest to the one
   that `circle` proposes. A name that fits nowhere is left out.

All are deterministic: no random start, no clock.

Cost: a few milliseconds for a few dozen points; more are not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args
from unicodedata import east_asian_width

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import bool_, float64
    from numpy.typing import NDArray

Side = Literal["below", "right", "left", "above"]
SIDES: tuple[Side, ...] = get_args(Side)

APART = 3.0
"""Minimum space between two boxes."""
BESIDE, UNDER = 5.0, 2.0
"""Space between a page and its name, beside it and below it."""
STEPS = 180
"""Number of angles tried for a page."""
DETOUR = 40.0
"""Maximum distance in pixels that a page moves along its circle before its name moves to a worse
side.
"""
SHORTER = 40.0
"""Maximum distance in pixels that a page moves along its circle before its name takes its next
shorter form.
"""
MIN_GAP = 0.5
"""The gap between two identical neighbours; dissimilar neighbours get up to 1 more."""
OTHER_GROUP = 1.0
"""Extra dissimilarity of pages in different groups."""
NARROW, BROAD = "fijlrtI.,:;'|!()[]/- ", "mwMW@%—…"


@dataclass(frozen=True)
class Spot:
    """A page with its name, to be placed: its distance, its preferred angle, and its sizes."""

    distance: float
    angle: float
    radius: float
    names: tuple[tuple[float, float], ...]
    """Width and height of each form of its name, the longest first."""


@dataclass(frozen=True)
class Placed:
    """A page's position, the side its name is on, and the form of the name that fits, if any."""

    x: float
    y: float
    side: Side
    form: int | None


def distances(strengths: NDArray[float64], near: float, far: float) -> NDArray[float64]:
    """The distance of each page from the middle, by its strength and its rank.

    Half of it is linear in the strength; the other half spreads out strengths that are close.
    """
    if not len(strengths):
        return np.zeros(0)
    values, place = np.unique(-strengths, return_inverse=True)
    if len(values) == 1:
        return np.full(len(strengths), round((near + far) / 2, 1))
    by_strength = (values - values[0]) / (values[-1] - values[0])
    by_place = np.arange(len(values)) / (len(values) - 1)
    radii = near + (far - near) * (by_strength + by_place) / 2
    return np.asarray(np.round(radii, 1)[place.ravel()], np.float64)


def circle(alike: NDArray[float64], groups: Sequence[int]) -> NDArray[float64]:
    """An angle for each page, in radians from the top; similar pages are near each other."""
    count = len(alike)
    if count < 2:
        return np.zeros(count)
    others = alike * (1 - np.eye(count))
    row_max = np.sqrt(np.maximum(others.max(axis=1), 1e-9))
    apart = 1 - np.clip(others / np.outer(row_max, row_max), 0, 1)
    apart += OTHER_GROUP * (np.array(groups)[:, None] != np.array(groups)[None])
    order = _round_trip(apart)
    gaps = MIN_GAP + apart[order, np.roll(order, -1)]
    angles = np.empty(count)
    angles[order] = 2 * np.pi * (np.cumsum(gaps) - gaps) / gaps.sum()
    return angles


def _round_trip(apart: NDArray[float64]) -> list[int]:
    """A short round trip from the first page; reversing a section of it would not shorten it."""
    unvisited = list(range(1, len(apart)))
    order = [0]
    while unvisited:
        order.append(min(unvisited, key=lambda other: (apart[order[-1], other], other)))
        unvisited.remove(order[-1])
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


def arrange(
    spots: Sequence[Spot], width: float, height: float, fixed: int = 0
) -> tuple[list[Placed], NDArray[float64]]:
    """The position of each page, in order, and all occupied boxes; the first `fixed` pages keep
    their angles.
    """
    boxes_taken = np.zeros((0, 4))
    placed = []
    for number, spot in enumerate(spots):
        placed_spot, boxes = _free_place(spot, boxes_taken, (width, height), move=number >= fixed)
        placed.append(placed_spot)
        boxes_taken = np.concatenate([boxes_taken, boxes])
    return placed, boxes_taken


def _free_place(
    spot: Spot, boxes_taken: NDArray[float64], frame: tuple[float, float], move: bool
) -> tuple[Placed, NDArray[float64]]:
    """The free place nearest to the preferred angle; a longer name may be a little further."""
    steps = np.arange(STEPS) - STEPS // 2 if move else np.zeros(1, np.int64)
    turns = 2 * np.pi / STEPS * steps[np.argsort(np.abs(steps), kind="stable")]
    angles = spot.angle + turns
    centres = np.array(frame) / 2 + spot.distance * np.stack(
        [np.sin(angles), -np.cos(angles)], axis=1
    )
    reach = np.full(2, spot.radius)
    circles = np.concatenate([centres - reach, centres + reach], axis=1)
    open_ = free(circles, boxes_taken, frame)
    best: tuple[float, int, Side, int] | None = None
    for form, size in enumerate(spot.names):
        for worse, side in enumerate(SIDES):
            boxes = name_boxes(centres, spot.radius, size, side)
            fits = np.flatnonzero(open_ & free(boxes, boxes_taken, frame))
            if len(fits):
                moved = float(abs(turns[fits[0]])) * max(spot.distance, 1)
                cost = moved + DETOUR * worse / 3 + SHORTER * form
                if best is None or cost < best[0]:
                    best = cost, int(fits[0]), side, form
    if best is not None:
        _, at, side, form = best
        name = name_boxes(centres[at : at + 1], spot.radius, spot.names[form], side)
        return _placed(centres[at], side, form), np.concatenate([circles[at : at + 1], name])
    at = int(np.argmax(open_))
    return _placed(centres[at], "below", None), circles[at : at + 1]


def _placed(centre: NDArray[float64], side: Side, form: int | None) -> Placed:
    return Placed(round(float(centre[0]), 2), round(float(centre[1]), 2), side, form)


def name_boxes(
    centres: NDArray[float64], radius: float, size: tuple[float, float], side: Side
) -> NDArray[float64]:
    """The boxes (left, top, right, bottom) of a name on one side of a page at each centre."""
    width, height = size
    away = radius + (BESIDE if side in ("left", "right") else UNDER)
    left, top = {
        "right": (away, -height / 2),
        "left": (-away - width, -height / 2),
        "below": (-width / 2, away),
        "above": (-width / 2, -away - height),
    }[side]
    corner = centres + np.array([left, top])
    return np.concatenate([corner, corner + np.array([width, height])], axis=1)


def free(
    boxes: NDArray[float64], boxes_taken: NDArray[float64], frame: tuple[float, float]
) -> NDArray[bool_]:
    """Which boxes are inside the frame and overlap no occupied box."""
    inside = np.all((boxes[:, :2] >= 1) & (boxes[:, 2:] <= np.array(frame) - 1), axis=1)
    one, other = boxes[:, None], boxes_taken[None]
    clash = (one[..., :2] < other[..., 2:] + APART) & (other[..., :2] < one[..., 2:] + APART)
    overlaps = np.any(np.all(clash, axis=2), axis=1)
    return np.asarray(inside & ~overlaps, np.bool_)


def text_width(text: str, size: float) -> float:
    """The approximate width of a string in a common typeface, in the unit of `size`."""
    return size * sum(map(_advance, text))


def _advance(letter: str) -> float:
    if letter in NARROW:
        return 0.4
    if letter in BROAD or east_asian_width(letter) in "WF":
        return 1.0
    return 0.77 if letter.isupper() else 0.62


def wrap(text: str, max_letters: int) -> list[str]:
    """Text on at most two lines of `most` characters, cut if it is longer."""
    words, lines = text.split() or [text], [""]
    for word in words:
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= max_letters or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > 2:
        lines = [lines[0], " ".join(lines[1:])]
    return [
        line if len(line) <= max_letters else line[: max_letters - 1].rstrip() + "…"
        for line in lines
    ]


def line_labels(names: Sequence[str], max_letters: int) -> list[list[str]]:
    """Labels of one line; if two would be cut to the same text, they show their start and end."""
    lines = [
        [name if len(name) <= max_letters else name[: max_letters - 1].rstrip() + "…"]
        for name in names
    ]
    for place, name in enumerate(names):
        if any(lines[i] == lines[place] and names[i] != name for i in range(len(names))):
            half = max_letters // 2
            lines[place] = [f"{name[: max_letters - half - 1].rstrip()}…{name[-half:].lstrip()}"]
    return lines


def lines_in(names: Sequence[str], width: float, size: float) -> list[list[str]]:
    """Labels of one line, with as many letters as fit the width."""
    letters = int(width / (min(map(_advance, NARROW)) * size))
    lines = line_labels(names, letters)
    while letters > 4 and any(text_width(line, size) > width for (line,) in lines):
        letters -= 1
        lines = line_labels(names, letters)
    return lines


def labels(names: Sequence[str], max_letters: int) -> list[list[str]]:
    """Labels of one or two lines; different names never become the same label."""
    wrapped = [wrap(name, max_letters) for name in names]
    for place, name in enumerate(names):
        same = [
            i for i, lines in enumerate(wrapped) if lines == wrapped[place] and names[i] != name
        ]
        if same:
            for i in [place, *same]:
                wrapped[i] = _ends(
                    names[i], [names[j] for j in [place, *same] if j != i], max_letters
                )
    return wrapped


def _ends(name: str, others: Sequence[str], max_letters: int) -> list[str]:
    """The start of a name and, on a second line, its end from where it differs from all others."""
    common = max(_same_start(name, other) for other in others)
    rest = name[max(0, min(common - 2, len(name) - max_letters + 2)) :]
    if len(rest) > max_letters - 1:
        rest = rest[: max_letters - 2] + "…"
    return [name[: max_letters - 1].rstrip() + "…", "…" + rest.lstrip()]


def _same_start(one: str, two: str) -> int:
    pairs = zip(one, two, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(two)))
