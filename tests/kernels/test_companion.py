"""A whole question at once is what its steps give one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.plain import companion as plain
from whatsrelated.kernels.plain import sorting
from whatsrelated.kernels.plain.links import Links
from whatsrelated.kernels.plain.vicinity import Vicinity

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

PAGES = 16
ROLES = bytes([1, 2, 4, 8, 16])
kept = kernels.vicinity.Vicinity()
page = st.integers(0, PAGES - 1)
links = st.lists(st.tuples(page, page), max_size=120, unique=True)
mirrors = st.tuples(st.lists(page, max_size=4), st.lists(page, min_size=2, max_size=6))
some_pages = st.lists(page, max_size=3, unique=True).map(sorted)
rules = st.sampled_from([None, (10, 95, 100), (1, 1, 2), (0, 2, 3)])


def numbers(pages: list[int]) -> Any:
    return np.array(pages, np.uint32)


@given(links, mirrors, some_pages.filter(bool), some_pages, rules, st.data())
def test_the_whole_is_its_steps(
    pairs: list[tuple[int, int]],
    mirrored: tuple[list[int], list[int]],
    queries: list[int],
    stop: list[int],
    rule: tuple[int, int, int] | None,
    data: st.DataObject,
) -> None:
    alike, listed = mirrored  # parents of the query that are near-duplicates
    pairs = [pair for pair in pairs if pair[0] not in alike]
    pairs += [(mirror, target) for mirror in alike for target in {*listed, queries[0]}]
    array = numbers([pair for pair in pairs if pair[0] != pair[1]]).reshape(-1, 2)
    source, target = array[:, 0].copy(), array[:, 1].copy()
    out = sorting.group(source, target, 0, PAGES, True)
    into = sorting.group(target, source, 0, PAGES, True)
    parents = [
        into[1][int(into[0][query]) : int(into[0][query + 1])][: data.draw(st.integers(0, 9))]
        for query in queries
    ]
    sites = numbers(data.draw(st.lists(st.integers(0, 5), min_size=PAGES, max_size=PAGES)))
    told = (
        sites if data.draw(st.booleans()) else None,
        numbers(queries),
        np.concatenate(parents),
        np.cumsum([len(each) for each in parents], dtype=np.int64),
        numbers([each for each in stop if each not in queries]),
        ROLES,
        data.draw(st.integers(-1, 6)),
        data.draw(st.integers(0, 4)),
        data.draw(st.integers(0, 4)),
        rule,
        data.draw(st.booleans()),
        1e-9,
        data.draw(st.sampled_from([1, 2, 300])),
        1e-6,
    )
    ours = kernels.companion.companion(kept, kernels.links.Links(*out, *into), *told)
    twin = plain.companion(Vicinity(), Links(*out, *into), *told)
    for one, other in zip(ours[:6], twin[:6], strict=True):
        assert (one is None) == (other is None)
        assert one is None or one.tolist() == other.tolist()
    assert ours[10] == twin[10], "merged"
    assert abs(ours[11] - twin[11]) <= 1, "rounds: the last one may be decided by a rounding"
    assert np.allclose(ours[6], twin[6], atol=1e-7), "authorities"
    assert np.allclose(ours[7], twin[7], atol=1e-7), "hubs"
    best = kernels.authorities.best(ours[0], ours[6], ours[1], ROLES[0], 1e-6)
    for one, other in zip(ours[8:10], best, strict=True):
        assert one.tolist() == other.tolist()
