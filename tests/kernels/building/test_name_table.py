"""The compiled loops over names agree with their plain twins."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.names.strategies import NAMES
from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError
from whatsrelated.kernels.building import name_table as plain
from whatsrelated.names.canonical import BadName, storable
from whatsrelated.names.keys import sort_key
from whatsrelated.stream import Names

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

some_bytes = st.binary(max_size=40).map(lambda data: data.replace(b"\0", b"\1"))
alike = st.lists(st.sampled_from([b"a", b"b", b"/x", b"\xff"]), max_size=12).map(b"".join)
strings = st.lists(some_bytes | alike, max_size=120)


@given(strings, st.lists(some_bytes | alike, max_size=20))
def test_front_coding_gives_back_every_string_and_finds_it(
    keys: list[bytes], others: list[bytes]
) -> None:
    held = sorted(set(keys))
    packed = Names.of(held)
    coded, blocks = kernels.name_table.encode(packed.blob, packed.offsets)
    twin_coded, twin_blocks = plain.encode(packed.blob, packed.offsets)
    assert coded.tobytes() == twin_coded.tobytes()
    assert np.array_equal(blocks, twin_blocks)
    ours = kernels.name_table.Table(coded, blocks, len(held))
    twin = plain.Table(coded, blocks, len(held))
    for index, key in enumerate(held):
        assert ours.get(index) == key == twin.get(index)
        assert ours.find(key) == index
    backwards = np.arange(len(held), dtype=np.uint32)[::-1].copy()
    assert list(Names(*ours.get_many(backwards))) == held[::-1]
    assert list(Names(*twin.get_many(backwards))) == held[::-1]
    wanted = Names.of(others)
    found = ours.find_many(wanted.blob, wanted.offsets)
    assert found.tolist() == twin.find_many(wanted.blob, wanted.offsets).tolist()
    for key, place in zip(others, found.tolist(), strict=True):
        assert place == ours.find(key) == twin.find(key)
        bound = sum(other < key for other in held)
        assert place == (bound if key in held else -1 - bound)


@given(st.lists(NAMES, max_size=70))
@example(["http://a.org:8080/x)y", "https://[::1]:1/", "ftp://1.2.3.4", "42", "Tea", ""])
def test_names_are_restored_from_their_keys(names: list[str]) -> None:
    kept_names = []
    for name in names:
        with suppress(BadName):
            kept_names.append(storable(name))
    by_key = {sort_key(name): name for name in kept_names}
    packed = Names.of(sorted(by_key))
    coded, blocks = kernels.name_table.encode(packed.blob, packed.offsets)
    backwards = np.arange(len(by_key), dtype=np.uint32)[::-1].copy()
    spelt = [by_key[key] for key in sorted(by_key)][::-1]
    ours = kernels.name_table.Table(coded, blocks, len(by_key))
    twin = plain.Table(coded, blocks, len(by_key))
    assert ours.urls(backwards) == twin.urls(backwards) == spelt
    for table in (ours, twin):
        assert [name.decode() for name in Names(*table.spell(backwards))] == spelt
    for index in backwards.tolist():
        assert ours.url(index) == twin.url(index)


def test_long_names_survive_front_coding() -> None:
    held = sorted({b"x" * size + bytes([65 + size % 7]) for size in range(0, 9000, 97)})
    packed = Names.of(held)
    coded, blocks = kernels.name_table.encode(packed.blob, packed.offsets)
    table = kernels.name_table.Table(coded, blocks, len(held))
    assert list(map(table.get, range(len(held)))) == held


KEYS = [b"a", b"ab", b"abc", b"b", b"\x06", b"\x06\x01"]


@given(st.data())
def test_both_twins_read_or_reject_the_same_damaged_strings(draw: st.DataObject) -> None:
    """Whatever the bytes and the blocks say; a sanitizer sees the rest."""
    strings = sorted([*KEYS, *(b"z%d" % i for i in range(40))])
    coded, blocks = kernels.name_table.encode(*_packed(strings))
    text = coded.copy()
    for place in draw.draw(st.lists(st.integers(0, len(text) - 1), max_size=4)):
        text[place] = draw.draw(st.sampled_from([0, 1, 6, 127, 128, 255]))
    starts = blocks.copy()
    starts[draw.draw(st.integers(0, 1))] = draw.draw(
        st.sampled_from([0, 1, len(text) - 1, len(text), 2**40, 2**63, 2**64 - 1])
    )
    tables = [module.Table(text, starts, 46) for module in (kernels.name_table, plain)]
    for index in range(46):
        for what in ("get", "url"):
            ours, twin = (_outcome(getattr(table, what), index) for table in tables)
            assert ours == twin
    for key in (b"", b"abc", b"z7", b"zz"):
        _outcome(tables[0].find, key)  # of strings out of order, each twin may say another place


def test_strings_of_a_block_are_read_in_any_order() -> None:
    held = [f"{number:04}".encode() for number in range(100)]
    table = kernels.name_table.Table(*kernels.name_table.encode(*_packed(held)), 100)
    wanted = [3, 3, 7, 31, 32, 60, 59, 63, 95, 99, 0, 40, 70]
    assert list(Names(*table.get_many(np.array(wanted, np.uint32)))) == [held[i] for i in wanted]


def test_no_string_out_of_range_is_read() -> None:
    coded, blocks = kernels.name_table.encode(*_packed([b"a", b"b"]))
    for module in (kernels.name_table, plain):
        table = module.Table(coded, blocks, 2)
        for index in (-1, 2, 32, 2**40):
            with pytest.raises(IndexError):
                table.get(index)
        with pytest.raises(IndexError):
            table.urls(np.array([0, 2], np.uint32))
        with pytest.raises(IndexError):
            table.spell(np.array([0, 2], np.uint32))
        with pytest.raises(GraphFormatError, match="1 blocks cannot hold 33 strings"):
            module.Table(coded, blocks, 33)


def _packed(strings: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    packed = Names.of(strings)
    return packed.blob, packed.offsets


def _outcome(read: Callable[[Any], Any], index: Any) -> Any:
    try:
        return read(index)
    except GraphFormatError as error:
        return str(error)
