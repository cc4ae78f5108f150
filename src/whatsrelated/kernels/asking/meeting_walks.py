"""Count how many pairs of walkers meet while following links backwards, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links

ALL = 2**64 - 1


def draw(key: int, number: int) -> int:
    """The random 64-bit number with this index in the key's sequence (splitmix64)."""
    x = (key + (number + 1) * 0x9E3779B97F4A7C15) & ALL
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & ALL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & ALL
    return x ^ (x >> 31)


def fraction(bits: int) -> float:
    return (bits >> 11) / 2**53


def choose(bits: int, count: int) -> int:
    return ((bits >> 32) * count) >> 32


def meet(links: Links, one: int, two: int, decay: float, key: int) -> bool:
    """Whether two walkers meet. On the same page they always continue, to different parents."""
    step = 0
    while True:
        bits, other = draw(key, 2 * step), draw(key, 2 * step + 1)
        ones, twos = row_of(links, one, backward=True), row_of(links, two, backward=True)
        together = one == two
        if not ones or not twos or (together and len(ones) == 1):
            return False
        if not together and (other & 0xFFFFFFFF) / 2**32 >= decay:
            return False
        first, second = choose(bits, len(ones)), choose(other, len(twos) - together)
        if together and second >= first:
            second += 1
        one, two = ones[first], twos[second]
        if one == two:
            return True
        step += 1


def meetings(
    links: Links,
    ones: NDArray[uint32],
    twos: NDArray[uint32],
    pairs: NDArray[int64],
    decay: float,
    key: int,
) -> NDArray[int64]:
    """For each i, how many of pairs[i] pairs of walkers meet if they start at ones[i] and twos[i].
    The two pages must differ.
    """
    walks = zip(ones.tolist(), twos.tolist(), pairs.tolist(), strict=True)
    return np.array(
        [
            sum(meet(links, one, two, decay, draw(draw(key, i), pair)) for pair in range(count))
            for i, (one, two, count) in enumerate(walks)
        ],
        np.int64,
    )
