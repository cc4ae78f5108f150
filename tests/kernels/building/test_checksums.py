"""The sums of checksums: the compiled loop, its plain twin and the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.building import checksums as plain

WORDS = st.integers(0, 2**64 - 1)


@given(st.lists(WORDS, max_size=40), st.integers(0, 1100))
def test_sums_are_those_of_the_definition(words: list[int], zeros: int) -> None:
    words = [*words, *[0] * zeros, *words]
    expected = (
        sum(words) % 2**64,
        sum(place * word for place, word in enumerate(words)) % 2**64,
    )
    for before in b"", b"abc":
        for after in b"", b"xyz":
            data = memoryview(before + np.array(words, "<u8").tobytes() + after)[len(before) :]
            assert tuple(kernels.checksums.sums(data)) == expected
            assert plain.sums(data) == expected
