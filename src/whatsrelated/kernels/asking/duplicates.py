"""Near-duplicates by definition: count the links that each pair of pages shares."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


def near_duplicates(
    links: Links, pages: NDArray[uint32], rule: tuple[int, int, int]
) -> NDArray[uint32]:
    """For each page, the position of the first page of its group.

    `rule` is (least, part, whole).
    """
    least, part, whole = rule
    groups = list(range(len(pages)))
    sizes: list[int] = []
    linked_from: dict[int, list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        row = row_of(links, page, backward=False)
        sizes.append(len(row))
        if len(row) <= least:
            continue
        shared: Counter[int] = Counter()
        for link in row:
            shared.update(linked_from[link])
            linked_from[link].append(place)
        for other, count in shared.items():
            if whole * count >= part * max(sizes[place], sizes[other]):
                joined = {_first(groups, place), _first(groups, other)}
                groups[max(joined)] = min(joined)
    return np.array([_first(groups, place) for place in range(len(pages))], np.uint32)


def _first(groups: list[int], place: int) -> int:
    while groups[place] != place:
        place = groups[place]
    return place


def first_unlike(
    links: Links,
    page: int,
    candidates: NDArray[uint32],
    most: int,
    sites: NDArray[uint32] | None,
    rule: tuple[int, int, int],
) -> NDArray[uint32]:
    """The first `most` candidates that are neither on the page's site nor near-duplicates of it."""
    unlike: list[int] = []
    for other in candidates.tolist():
        if len(unlike) == most:
            break
        if other == page or (sites is not None and sites[other] == sites[page]):
            continue
        pair = np.array([page, other], np.uint32)
        if near_duplicates(links, pair, rule)[1] != 0:
            unlike.append(other)
    return np.array(unlike, np.uint32)
