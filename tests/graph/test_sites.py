"""Sites get the same numbers, whether pages come at once or range by range."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from whatsrelated.graph.build import MemoryArray
from whatsrelated.graph.format import dtype_of
from whatsrelated.graph.sites import SiteNumbers, SiteRange, Sites
from whatsrelated.names.canonical import canonical
from whatsrelated.names.keys import sort_key
from whatsrelated.stream import Names

HOSTS = ["a.org", "www.a.org", "b.co.uk", "c.d.github.io", "127.0.0.1", "[::1]"]
NAMES = st.one_of(
    st.builds(
        lambda host, port, path: f"http://{host}{port}/{path}",
        st.sampled_from(HOSTS),
        st.sampled_from(["", ":81", ":8080"]),
        st.sampled_from("abc"),
    ),
    st.sampled_from(["Tea", "org,a)/b", "7", "zebra", "org,a"]),
)


def numbered(keys: list[bytes], start: Sites) -> tuple[list[int], list[int], Sites]:
    arrays = {name: MemoryArray(dtype_of(name)) for name in ("hosts", "domains")}
    numbers = SiteNumbers(arrays.__getitem__, start)
    if keys:
        names = Names.of(keys)
        numbers.append(names.blob, names.offsets)
    return arrays["hosts"].whole().tolist(), arrays["domains"].whole().tolist(), numbers.state


@given(st.lists(NAMES, min_size=1, max_size=30), st.sets(st.integers(1, 29)))
@example(["http://a.org/a", "http://a.org:81/a", "http://a.org/b", "http://a.org:81/c"], {1, 2, 3})
def test_ranges_are_numbered_as_the_whole_is(names: list[str], cuts: set[int]) -> None:
    keys = sorted({sort_key(canonical(name)) for name in names})
    hosts, domains, end = numbered(keys, Sites())
    bounds = sorted({0, len(keys), *(cut for cut in cuts if cut < len(keys))})
    found: tuple[list[int], list[int]] = [], []
    state = Sites()
    for first, last in pairwise(bounds):
        part = Names.of(keys[first:last])
        for known, new in zip(found, numbered(keys[first:last], state), strict=False):
            known.extend(new)
        state = state.followed_by(SiteRange.of(part.blob, np.array(part.offsets)))
    assert found == (hosts, domains)
    assert (state.hosts, state.domains) == (end.hosts, end.domains)
