"""A random walk with restart over links in either direction, in plain Python."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Scratch:
    """Memory that the compiled kernels reuse."""


def push(
    scratch: Scratch,
    links: Links,
    pages: NDArray[uint32],
    shares: NDArray[float64],
    restart: float,
    error: float,
) -> tuple[NDArray[uint32], NDArray[float64], int, float]:
    """The pages reached, their probabilities, the links followed, and the residue left.

    The walk starts from these distinct pages, with these shares. A negative share is subtracted.
    """
    residue: dict[int, float] = dict(zip(pages.tolist(), shares.tolist(), strict=True))
    reserve: dict[int, float] = dict.fromkeys(residue, 0.0)
    around: dict[int, list[int]] = {}

    def neighbours(page: int) -> list[int]:
        if page not in around:
            around[page] = row_of(links, page, False) + row_of(links, page, True)
        return around[page]

    queue = deque(residue)
    waiting = {*residue}
    read = 0
    while queue:
        page = queue.popleft()
        waiting.discard(page)
        held, residue[page] = residue[page], 0.0
        near = neighbours(page)
        reserve[page] += restart * held if near else held
        read += len(near)
        for other in near:
            reserve.setdefault(other, 0.0)
            residue[other] = residue.get(other, 0.0) + (1 - restart) * held / len(near)
            if other not in waiting and abs(residue[other]) > error * len(neighbours(other)):
                waiting.add(other)
                queue.append(other)
    reached = np.array(list(reserve), np.uint32)
    residues = np.array([residue[page] for page in reserve], np.float64)
    sums = np.array(list(reserve.values()), np.float64)
    return reached, sums + restart * residues, read, float((1 - restart) * np.abs(residues).sum())
