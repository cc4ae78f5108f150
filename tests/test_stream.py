"""The stream from a source to a build."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.stream import Names, Refused, in_chunks


@given(st.lists(st.binary(max_size=5), max_size=20))
def test_packed_names_come_back_one_by_one_and_in_turn(names: list[bytes]) -> None:
    packed = Names.of(names)
    assert len(packed) == len(names)
    assert list(packed) == names
    assert [packed[place] for place in range(len(names))] == names
    with pytest.raises(IndexError):
        packed[len(names)]


def test_rejected_lines_are_counted_with_the_first_examples() -> None:
    refused = Refused()
    assert str(refused) == "rejected none"
    for number in range(5):
        refused.add("too long", f"name {number}" + "x" * 300)
    refused.add("not http", count=1200)
    assert str(refused) == "rejected 1,205: 5 too long, 1,200 not http"
    assert [len(example) for example in refused.examples["too long"]] == [200, 200, 200]
    assert refused.examples["not http"] == []


@given(st.lists(st.text(st.characters(exclude_categories=())), max_size=5))
def test_texts_are_packed_as_the_names_that_they_are(texts: list[str]) -> None:
    assert list(Names.of_texts(texts)) == [text.encode("utf-8", "surrogatepass") for text in texts]
    assert list(Names.of_texts([text for text in texts if text.isascii()])) == [
        text.encode() for text in texts if text.isascii()
    ]


@given(st.lists(st.binary(max_size=30)), st.integers(0, 100))
def test_a_long_list_of_names_comes_in_chunks_of_limited_size(
    names: list[bytes], most: int
) -> None:
    chunks = list(in_chunks(Names.of(names), most))
    assert [name for _, chunk in chunks for name in chunk] == names
    sizes = [len(chunk) for _, chunk in chunks]
    assert [first for first, _ in chunks] == [sum(sizes[:place]) for place in range(len(sizes))]
    assert all(len(chunk) == 1 or len(chunk.blob) <= most for _, chunk in chunks)
