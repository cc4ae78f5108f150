"""The compiled line readers agree with their plain twins on any bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.kernels.reading import adjacency_lines as rows
from whatsrelated.kernels.reading import link_lines as lines
from whatsrelated.kernels.reading import name_lines as namelists
from whatsrelated.kernels.reading.text import REASONS, packed

reason = "kernels not compiled"
fast_lines = pytest.importorskip("whatsrelated.kernels.reading._link_lines", reason=reason)
fast_rows = pytest.importorskip("whatsrelated.kernels.reading._adjacency_lines", reason=reason)
fast_namelists = pytest.importorskip("whatsrelated.kernels.reading._name_lines", reason=reason)

TAB, COMMA, SPACE = 9, 44, 32

names = [b"a", b"b", b"http://a.org/", b"\xc3\xa9", b"%C3", b"x" * 30]
faults = [b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0", b"\x1f", b"\r"]
numbers = [b"1", b"0", b"01", b"-1", b"23", b"999999999999999999", b"1000000000000000000"]
marks = [b"\t", b"\t", b",", b" ", b" ", b":", b'"', b'""', b"#", b"%", b"row "]
ends = [b"\n", b"\n", b"\n", b"\r\n"]
pieces = st.sampled_from([*names, *faults, *numbers, *marks, *ends])
texts = st.lists(pieces, max_size=60).map(lambda parts: b"".join(parts) + b"\n") | st.binary(
    max_size=80
).map(lambda data: data + b"\n")


def links_by_name(reader: Any, data: bytes) -> list[tuple[bytes, bytes]]:
    links, start = [], 0
    while start < len(data):
        start = reader.names(data, start)
        assert reader.full or start == len(data)
        blob, offsets, sources, targets = reader.take_names()
        text, ends = blob.tobytes(), offsets.tolist()
        names = [text[ends[i] : ends[i + 1]] for i in range(len(ends) - 1)]
        assert len(set(names)) == len(names)
        assert set(sources.tolist()) | set(targets.tolist()) == set(range(len(names)))
        links += [(names[s], names[t]) for s, t in zip(sources, targets, strict=True)]
    return links


def links_by_number(reader: Any, data: bytes, only: bool) -> tuple[list[tuple[int, int]], int]:
    links: list[tuple[int, int]] = []
    start = 0
    while True:
        start = reader.numbers(data, start, only)
        full = reader.full
        sources, targets = reader.take_numbers()
        links += zip(sources.tolist(), targets.tolist(), strict=True)
        if not full:
            return links, start


layouts = st.tuples(
    st.sampled_from([TAB, COMMA, SPACE]),
    st.sampled_from([(2, 0, 1), (2, 1, 0), (3, 0, 2), (1, 0, 0)]),
    st.sampled_from([(-1, b""), (0, b"a")]),
    st.sampled_from([20, 1 << 20]),
    st.sampled_from([0, 300, 70_000, 1 << 30]),
)


@given(texts, layouts)
def test_named_links_are_the_same_in_both(data: bytes, layout: Any) -> None:
    delimiter, columns, where, longest, memory = layout
    settings = (delimiter, *columns, *where, longest, memory)
    fast, slow = fast_lines.LinkLines(*settings), lines.LinkLines(*settings)
    assert links_by_name(fast, data) == links_by_name(slow, data)
    assert fast.bad == slow.bad
    assert fast.excluded == slow.excluded
    assert fast.line == slow.line == data.count(b"\n")


@given(texts, layouts, st.booleans())
def test_numbered_links_are_the_same_in_both(data: bytes, layout: Any, only: bool) -> None:
    delimiter, columns, where, longest, memory = layout
    settings = (delimiter, *columns, *where, longest, memory)
    fast, slow = fast_lines.LinkLines(*settings), lines.LinkLines(*settings)
    assert links_by_number(fast, data, only) == links_by_number(slow, data, only)
    assert fast.bad == slow.bad
    assert fast.excluded == slow.excluded
    assert fast.line == slow.line


@given(texts, st.booleans(), st.sampled_from([20, 1 << 28]), st.sampled_from([0, 100, 1 << 30]))
def test_rows_are_the_same_in_both(data: bytes, bare: bool, longest: int, memory: int) -> None:
    def read(reader: Any) -> Any:
        links: list[tuple[int, int]] = []
        start = 0
        while start < len(data):
            start = reader.feed(data, start)
            sources, targets = reader.take()
            links += zip(sources.tolist(), targets.tolist(), strict=True)
        return links, reader.bad, reader.rows, reader.line

    settings = (bare, longest, memory)
    assert read(fast_rows.RowLines(*settings)) == read(rows.RowLines(*settings))


@given(
    texts,
    st.sampled_from([TAB, COMMA, SPACE]),
    st.sampled_from([(1, -1, 0), (2, 0, 1), (2, 1, 0), (3, 0, 2, 1)]),
    st.sampled_from([20, 1 << 20]),
)
def test_names_are_the_same_in_both(
    data: bytes, delimiter: int, columns: Any, longest: int
) -> None:
    def listed(module: Any) -> Any:
        reader = module.NameLines(delimiter, *columns, longest=longest)
        assert reader.feed(data, 0) == len(data)
        return [array.tolist() for array in reader.take()], reader.bad, reader.line

    assert listed(fast_namelists) == listed(namelists)


@given(st.lists(st.text("w.a", max_size=9)), st.booleans())
def test_reversed_hosts_are_turned_the_same_in_both(hosts: list[str], fold_www: bool) -> None:
    blob, offsets = packed([host.encode() for host in ["com.example.www", *hosts]])
    fast = fast_namelists.restore_hosts(blob, offsets, fold_www)
    slow = namelists.restore_hosts(blob, offsets, fold_www)
    assert [array.tolist() for array in fast] == [array.tolist() for array in slow]


def test_many_names_survive_the_growth_of_the_table() -> None:
    data = b"".join(b"page%d\tpage%d\n" % (i % 7_001, (i * 31) % 30_011) for i in range(60_000))
    fast, slow = fast_lines.LinkLines(TAB, seed=7), lines.LinkLines(TAB)
    assert links_by_name(fast, data) == links_by_name(slow, data)


def test_a_bad_line_is_reported_with_the_reason() -> None:
    data = (
        b"# a comment\n\na\tb\none\na\tb\tc\n\tb\na\0\tb\na\tb\x01\na\t\xff\n"
        + b"x" * 50
        + b"\tb\n"
    )
    reader = fast_lines.LinkLines(TAB, longest=40)
    assert links_by_name(reader, data) == [(b"a", b"b")]
    assert {REASONS[reason]: shown for reason, (_, shown) in reader.bad.items()} == {
        "one column": [(4, b"one")],
        "mixed column counts": [(5, b"a\tb\tc")],
        "empty name": [(6, b"\tb")],
        "NUL byte": [(7, b"a\0\tb")],
        "control character": [(8, b"a\tb\x01")],
        "invalid UTF-8": [(9, b"a\t\xff")],
        "line too long": [(10, b"x" * 50 + b"\tb")],
    }


def test_names_that_differ_in_one_byte_are_different() -> None:
    sizes = [*range(1, 40), 1008, 1009, 1023, 1024, 1025, 1040, 2047, 2048, 2049]
    names = [b"x" * size for size in sizes]
    for size in sizes:
        for place in {0, size // 2, size - 1, max(0, size - 9), min(size - 1, 1020)}:
            names.append(b"x" * place + b"y" + b"x" * (size - place - 1))
    names = list(dict.fromkeys(names))
    reader = fast_lines.LinkLines(TAB, seed=1)
    assert links_by_name(reader, b"".join(b"%b\t%b\n" % (name, name) for name in names)) == [
        (name, name) for name in names
    ]
