"""The compiled loops over keys agree with their plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.building import sort_keys as plain
from whatsrelated.names.keys import sort_key
from whatsrelated.names.naming import Naming
from whatsrelated.stream import Names

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

some_bytes = st.binary(max_size=40).map(lambda data: data.replace(b"\0", b"\1"))
alike = st.lists(st.sampled_from([b"a", b"b", b"/x", b"\xff"]), max_size=12).map(b"".join)
strings = st.lists(some_bytes | alike, max_size=120)


@given(strings)
def test_strings_are_sorted_taken_and_compared_as_python_does(keys: list[bytes]) -> None:
    packed = Names.of(keys)
    order = kernels.sort_keys.sort(packed.blob, packed.offsets)
    assert order.tolist() == sorted(range(len(keys)), key=keys.__getitem__)
    text, ends = kernels.sort_keys.take(packed.blob, packed.offsets, order)
    assert list(Names(text, ends)) == sorted(keys)
    assert np.array_equal(kernels.sort_keys.differs(text, ends), plain.differs(text, ends))


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 1200), max_size=30))
def test_numbers_have_the_keys_of_their_names(numbers: list[int]) -> None:
    values = np.array(numbers, np.uint64)
    text, ends = kernels.sort_keys.number_keys(values)
    twin_text, twin_ends = plain.number_keys(values)
    assert text.tobytes() == twin_text.tobytes()
    assert np.array_equal(ends, twin_ends)
    for number, key in zip(numbers, Names(text, ends), strict=True):
        if number < 10**19:
            assert key == sort_key(str(number))


urls = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https", "ftp"]),
    st.sampled_from(["a.org", "www.a.org", "b.co.uk", "192.0.2.1", "localhost"]),
    st.sampled_from(["", ":8080", ":81"]),
    st.sampled_from(["/", "/x", "/x/5", "/x?8080"]),
)


@given(st.lists(urls | st.sampled_from(["Tea", "12", "a)b", "5"]), max_size=40))
def test_hosts_and_ports_are_read_off_the_keys(names: list[str]) -> None:
    packed = Names.of(sorted(sort_key(name) for name in names))
    compiled = kernels.sort_keys.hosts(packed.blob, packed.offsets)
    for ours, twin in zip(compiled, plain.hosts(packed.blob, packed.offsets), strict=True):
        assert np.array_equal(ours, twin)


odd_urls = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["http://", "https://", "HTTP://", "ftp://", "https:/", ""]),
    st.sampled_from(
        [
            "a.org",
            "A.org",
            "a..org",
            ".a",
            "a.",
            "x--y.a",
            "xn--a.b",
            "1.2.3.4",
            "a.1b",
            "a_-b.c",
            "",
        ]
    ),
    st.sampled_from(["", "/", ":80/", ":81/", "?q"]),
    st.text(st.sampled_from("aB0./-~%?#&=;:@'\"<|é \t\\"), max_size=8),
)


@given(st.lists(odd_urls | st.text(max_size=6), max_size=20), st.booleans(), st.booleans())
def test_easy_keys_equal_those_of_the_full_parser(
    names: list[str], merge_scheme: bool, host: bool
) -> None:
    packed = Names.of(name.encode("utf-8", "surrogatepass") for name in names)
    naming = Naming(hosts_as_urls=host, merge_scheme=merge_scheme)
    arguments = packed.blob, packed.offsets, naming.plain_stays, naming.http_stays
    easy, text, ends = kernels.sort_keys.easy_keys(*arguments)
    for ours, twin in zip((easy, text, ends), plain.easy_keys(*arguments), strict=True):
        assert np.array_equal(ours, twin)
    chosen = [name for name, is_easy in zip(names, easy.tolist(), strict=True) if is_easy]
    assert list(Names(text, ends)) == [sort_key(naming(name)) for name in chosen]
    kept = Naming(urls="keep")
    easy, text, ends = kernels.sort_keys.easy_keys(packed.blob, packed.offsets, True, True)
    chosen = [name for name, is_easy in zip(names, easy.tolist(), strict=True) if is_easy]
    assert list(Names(text, ends)) == [sort_key(kept(name)) for name in chosen]
    for name, is_easy in zip(packed, easy.tolist(), strict=True):
        key = kernels.sort_keys.easy_key(name)
        assert key == plain.easy_key(name)
        assert (key is not None) == is_easy
        assert key is None or key == sort_key(name.decode())


def test_ordinary_urls_and_names_are_easy() -> None:
    names = [b"https://www.example.org/a/b.html", b"http://a.org/~x", b"Tea", b"Green_tea(drink)"]
    packed = Names.of(names)
    easy, *_ = kernels.sort_keys.easy_keys(packed.blob, packed.offsets, True, True)
    assert easy.all()
