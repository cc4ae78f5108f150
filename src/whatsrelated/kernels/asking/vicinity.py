"""The pages around a query and the links between them, in a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import int64, uint8, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Vicinity:
    """Pages in the order they were added, and the links between them."""

    def __init__(self) -> None:
        self.roles: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.roles)

    def clear(self, expected: int) -> None:
        self.roles = {}

    def add(self, pages: NDArray[uint32], role: int, stop: NDArray[uint32]) -> None:
        self._add(pages.tolist(), role, set(stop.tolist()))

    def _add(self, pages: list[int], role: int, excluded: set[int]) -> None:
        for page in pages:
            if page not in excluded:
                self.roles[page] = self.roles.get(page, 0) | role

    def add_windows(
        self,
        links: Links,
        page: int,
        parents: NDArray[uint32],
        width: int,
        role: int,
        stop: NDArray[uint32],
    ) -> None:
        excluded = {page, *stop.tolist()}
        for parent in parents.tolist():
            row = row_of(links, parent, backward=False)
            if 0 <= width < len(row) - 1 and page in row:
                at = row.index(page)
                row = row[max(0, at - width // 2) : at + width // 2 + 1]
            self._add(row, role, excluded)

    def add_best_parents(
        self,
        links: Links,
        pages: NDArray[uint32],
        most: int,
        role: int,
        stop: NDArray[uint32],
        apart: NDArray[uint32],
    ) -> None:
        stop_pages = set(stop.tolist())
        excluded = stop_pages | set(apart.tolist())
        for page in pages.tolist():
            listed = [] if page in stop_pages else row_of(links, page, backward=True)
            self._add([p for p in listed if p not in excluded][:most], role, excluded)

    def members(self) -> tuple[NDArray[uint32], NDArray[uint8]]:
        roles = np.fromiter(self.roles.values(), np.uint8, len(self.roles))
        return np.fromiter(self.roles, np.uint32, len(self.roles)), roles

    def graph(
        self, links: Links, sites: NDArray[uint32] | None
    ) -> tuple[NDArray[uint32] | None, NDArray[int64], NDArray[uint32]]:
        numbers = None if sites is None else self._site_numbers(sites)
        places = {page: place for place, page in enumerate(self.roles)}
        starts, targets = [0], []
        for page, place in places.items():
            for link in row_of(links, page, backward=False):
                other = places.get(link)
                if other is None or (numbers is not None and numbers[other] == numbers[place]):
                    continue
                targets.append(other)
            starts.append(len(targets))
        return numbers, np.array(starts, np.int64), np.array(targets, np.uint32)

    def _site_numbers(self, sites: NDArray[uint32]) -> NDArray[uint32]:
        numbers: dict[int, int] = {}
        site_numbers = [numbers.setdefault(int(sites[page]), len(numbers)) for page in self.roles]
        return np.array(site_numbers, np.uint32)

    def crossings(
        self,
        links: Links,
        rows: NDArray[uint32],
        row_numbers: NDArray[uint32],
        place_numbers: NDArray[uint32] | None,
        backward: bool,
    ) -> tuple[NDArray[uint32], NDArray[uint32]]:
        places = {page: place for place, page in enumerate(self.roles)}
        pairs: dict[tuple[int, int], None] = {}
        for row, number in zip(rows.tolist(), row_numbers.tolist(), strict=True):
            for link in row_of(links, row, backward):
                if link in places:
                    place = places[link]
                    pairs[number, place if place_numbers is None else int(place_numbers[place])] = (
                        None
                    )
        listed = np.array(list(pairs), np.uint32).reshape(-1, 2)
        return listed[:, 0].copy(), listed[:, 1].copy()
