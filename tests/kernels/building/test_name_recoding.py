"""Re-encoding front-coded strings: the compiled loop and its plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError
from whatsrelated.kernels.building import name_recoding as plain
from whatsrelated.kernels.building.sort_keys import packed
from whatsrelated.stream import Names

HOSTS = [b"com,a)/", b"com,a,www)/", b"org,b)/"]
SCHEMES = [b"\x02", b"\x01", b"\x058080\x02"]


@st.composite
def keys(draw: st.DrawFn) -> bytes:
    """The key of a URL, with a port or without, or a plain name."""
    path = b"%d" % draw(st.integers(0, 150))
    if draw(st.integers(0, 3)) == 0:
        return path
    return draw(st.sampled_from(HOSTS)) + path + draw(st.sampled_from(SCHEMES))


def strings(many: int) -> st.SearchStrategy[list[bytes]]:
    return st.lists(keys(), unique=True, max_size=many).map(sorted)


@given(strings(80), strings(12), st.randoms(use_true_random=False), st.lists(st.integers(0, 80)))
def test_strings_are_written_as_if_they_were_coded_together(
    old: list[bytes], new: list[bytes], random: Any, stops: list[int]
) -> None:
    kept = np.array([random.random() < 0.8 for _ in old], np.uint8)
    places = np.searchsorted(np.array([*old, b"\xff"], object), np.array(new, object))
    expected = sorted(
        [(place, 0, key) for place, key in zip(places.tolist(), new, strict=True)]
        + [(place, 1, key) for place, key in enumerate(old) if kept[place]]
    )
    given = (*kernels.name_table.encode(*packed(old)), len(old), kept, *packed(new), places)
    found, twin = (module.Recoder(*given, hosts=True) for module in (kernels.name_recoding, plain))
    pieces = []
    for stop in [*sorted(stop for stop in stops if stop < len(old)), len(old)]:
        piece, same = found.piece(stop), twin.piece(stop)
        for one, other in zip(piece, same, strict=True):
            assert np.array_equal(one, other)
        pieces.append(piece)
    whole = [key for _, _, key in expected]
    coded, blocks = kernels.name_table.encode(*packed(whole))
    assert b"".join(piece[0].tobytes() for piece in pieces) == coded.tobytes()
    assert np.concatenate([piece[1] for piece in pieces]).tolist() == blocks.tolist()
    assert sum(piece[2] for piece in pieces) == len(whole)
    done = 0
    for _, _, count, heads, *first in pieces:
        assert list(Names(*first)) == [whole[done + head] for head in heads.tolist()]
        fresh = kernels.sort_keys.hosts(*packed(whole[done : done + count]))[2]
        assert heads.tolist() == np.flatnonzero(fresh).tolist()
        done += count


@pytest.mark.parametrize("module", [kernels.name_recoding, plain])
def test_strings_of_any_kind_have_no_hosts(module: Any) -> None:
    old = [b"", b"tea", b"", b"\x02"]
    code = kernels.name_table.encode(*packed(old))
    kept = np.array([1, 0, 1, 1], np.uint8)
    recoder = module.Recoder(*code, 4, kept, *packed([b"t"]), np.array([1]), hosts=False)
    coded, blocks, count, heads, text, ends = recoder.piece(4)
    assert coded.tobytes() == b"\0" + b"\0\x01t" + b"\0\0" + b"\0\x01\x02"
    assert (blocks.tolist(), count, len(heads), len(text), ends.tolist()) == ([0], 4, 0, 0, [0])


@pytest.mark.parametrize("module", [kernels.name_recoding, plain])
def test_damaged_strings_are_refused(module: Any) -> None:
    nothing = (*packed([]), np.empty(0, np.int64))
    kept = np.ones(2, np.uint8)
    for code in b"\x05tea", b"\x01a\x07\x01b", b"\x01a\x00\x09b":
        damaged = np.frombuffer(code, np.uint8)
        recoder = module.Recoder(damaged, np.zeros(1, np.uint64), 2, kept, *nothing, hosts=True)
        with pytest.raises(GraphFormatError, match="damaged"):
            recoder.piece(2)
    with pytest.raises(ValueError, match="for each string"):
        module.Recoder(damaged, np.zeros(1, np.uint64), 3, kept, *nothing, hosts=True)
    with pytest.raises(GraphFormatError, match="cannot hold"):
        module.Recoder(damaged, np.zeros(0, np.uint64), 2, kept, *nothing, hosts=True)
