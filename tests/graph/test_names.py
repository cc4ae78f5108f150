"""Names of pages: number to name and back, and the neighbours of a missing name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.api import Graph
from whatsrelated.errors import GraphFormatError
from whatsrelated.graph.names import StringTable
from whatsrelated.names.keys import sort_key
from whatsrelated.stream import Names

some_names = st.lists(
    st.sampled_from(
        [f"https://{h}.org/{p}" for h in "abc" for p in ("", "x", "x/y", "z")] + ["tea"]
    ),
    min_size=1,
    unique=True,
)


@given(some_names, st.sampled_from(["https://a.org/x", "https://b.org/", "coffee"]))
def test_a_name_is_found_at_the_position_of_its_key(listed: list[str], other: str) -> None:
    names = Graph.from_links([], pages=listed).store.names
    ordered = sorted(listed, key=sort_key)
    assert [names.url(page) for page in range(len(names))] == ordered
    assert [names.page_of(name) for name in ordered] == list(range(len(ordered)))
    if other not in listed:
        assert names.page_of(other) is None
        place = -1 - names.place(sort_key(other))
        assert place == sum(sort_key(name) < sort_key(other) for name in listed)


def test_bytes_that_are_not_text_are_an_error() -> None:
    strings = Names.of([b"tea", b"\xff\xfe"])
    table = StringTable(*kernels.name_table.encode(strings.blob, strings.offsets), 2)
    assert table.texts_of(np.array([0])) == [table.text_of(0)] == ["tea"]
    for read in (lambda: table.text_of(1), lambda: table.texts_of(np.array([0, 1]))):
        with pytest.raises(GraphFormatError, match="not text; build the graph again"):
            read()


def test_pages_that_share_a_prefix_are_one_range() -> None:
    names = Graph.from_links(
        [], pages=["https://a.org/", "https://a.org/x", "https://b.org/", "https://a.net/"]
    ).store.names
    first, after = names.starting(b"org,a)")
    assert [names.url(page) for page in range(first, after)] == [
        "https://a.org/",
        "https://a.org/x",
    ]


def test_a_name_is_between_its_neighbours() -> None:
    names = Graph.from_links(
        [], pages=["https://a.org/", "https://a.org/tea/green", "https://b.org/tea"]
    ).store.names
    around = [names.url(page) for page in names.around("https://a.org/tea/black")]
    assert around == ["https://a.org/", "https://a.org/tea/green"]
    assert Graph.from_links([]).store.names.around("tea") == []
