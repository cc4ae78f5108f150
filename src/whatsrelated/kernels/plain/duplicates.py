"""Near-duplicates by the definition: how many links each two pages share."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray


def near_duplicates(
    out_offsets: NDArray[uint64],
    out_links: NDArray[uint32],
    pages: NDArray[uint32],
    least: int,
    part: int,
    whole: int,
) -> NDArray[uint32]:
    """For each of the pages, the place of the first page of its group."""
    groups = list(range(len(pages)))
    sizes: list[int] = []
    linked_from: dict[int, list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        links = out_links[int(out_offsets[page]) : int(out_offsets[page + 1])]
        sizes.append(len(links))
        if len(links) <= least:
            continue
        shared: Counter[int] = Counter()
        for link in links.tolist():
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


def unlike(
    out_offsets: NDArray[uint64],
    out_links: NDArray[uint32],
    sites: NDArray[uint32] | None,
    page: int,
    candidates: NDArray[uint32],
    most: int,
    least: int,
    part: int,
    whole: int,
) -> NDArray[uint32]:
    """The first `most` candidates that are not on the page's site, nor near-duplicates of it."""
    found: list[int] = []
    for other in candidates.tolist():
        if len(found) == most:
            break
        if other == page or (sites is not None and sites[other] == sites[page]):
            continue
        pair = np.array([page, other], np.uint32)
        if near_duplicates(out_offsets, out_links, pair, least, part, whole)[1] != 0:
            found.append(other)
    return np.array(found, np.uint32)
