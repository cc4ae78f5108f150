"""Samples of a list of pages: even, seeded and reproducible."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray


def draw(url: str, seed: int) -> float:
    """A number in [0, 1) that depends only on the seed and the URL, in steps of 2**-32."""
    hashed = hashlib.blake2b(f"{seed}\n{url}".encode("utf-8", "surrogatepass"), digest_size=4)
    return int.from_bytes(hashed.digest(), "big") / 2**32


def sample(pages: NDArray[uint32], size: int, start: float) -> NDArray[uint32]:
    """An even sample of `size` pages: those at floor((i + start) * n / size)."""
    count = len(pages)
    if count <= size:
        return pages
    places = np.floor((np.arange(size) + start) * count / size).astype(np.int64)
    return pages[places]
