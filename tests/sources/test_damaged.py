"""Each damaged file gets a clear error, or its bad lines counted and nothing else lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, read
from whatsrelated.errors import ReadError

DAMAGED = Path(__file__).parent.parent / "damaged"
ERRORS = {
    "empty.tsv": "empty.tsv is empty",
    "one_column.txt": "has one column, but a link needs two",
    "cut.tsv.gz": "is cut short: its gzip data is incomplete",
    "wrong_checksum.tsv.gz": "is damaged: its gzip data is invalid",
    "garbage_after.tsv.gz": "is damaged: its gzip data is invalid",
    "entities.graphml": "declares the entity 'a', which is not allowed",
    "cut.graphml": "cut.graphml:3: not XML, or cut short",
    "cut.gml": "the bracket after node is not closed",
    "cut.mtx": "it has 2 of 4 entries",
    "cut.graph": "cut.graph is cut short: it ends within page",
}
COUNTS = {
    "mixed_columns.tsv": ([("a", "b"), ("b", "c")], {"mixed column counts": 1, "one column": 1}),
    "invalid_utf8.tsv": ([("a", "b"), ("b", "c")], {"invalid UTF-8": 1}),
    "nul.tsv": ([("a", "b"), ("b", "c")], {"NUL byte": 1}),
    "not_gzip.tsv.gz": ([("a", "b"), ("b", "c")], {}),
    "utf16.tsv": ([("a", "b"), ("b", "c")], {}),
    "cut.jsonl": ([("a", "b")], {"not JSON": 1}),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_damaged_file_is_an_error_that_names_it(name: str) -> None:
    with pytest.raises(ReadError) as told:
        links_of(read(DAMAGED / name))
    assert ERRORS[name] in str(told.value)
    assert name.partition(".")[0] in str(told.value)


@pytest.mark.parametrize("name", COUNTS)
def test_bad_lines_are_counted_and_the_others_read(name: str) -> None:
    source = read(DAMAGED / name, format="jsonl" if name.endswith(".jsonl") else "columns")
    assert (links_of(source), source.refused.counts) == COUNTS[name]


@pytest.mark.parametrize("name", [name for name, (_, counts) in COUNTS.items() if counts])
def test_a_strict_reading_ends_at_the_first_bad_line(name: str) -> None:
    with pytest.raises(ReadError, match=rf"{name}:2: .*without --strict, it would be counted"):
        links_of(read(DAMAGED / name, strict=True))


def test_a_list_of_nodes_that_is_cut_short_is_an_error() -> None:
    with pytest.raises(ReadError, match="it has 1 of 3 pages"):
        read(DAMAGED / "edges.tsv", names_file=DAMAGED / "nodes_cut")
