"""From names to page numbers: sorted runs merged a range of keys at a time."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.build import MemoryArray
from whatsrelated.graph.format import dtype_of
from whatsrelated.graph.numbering import NONE, KeyRun, NamesWriter, number_pages, sort_distinct
from whatsrelated.names.keys import sort_key
from whatsrelated.names.naming import Naming
from whatsrelated.stream import Names, Refused

HOSTS = ("a.org", "www.a.org", "b.org", "b.org:8080", "x.co.uk", "y.co.uk")
some_names = st.lists(
    st.one_of(
        st.sampled_from([f"http://{host}/{path}" for host in HOSTS for path in ("", "p", "q")]),
        st.text("ab7", min_size=1, max_size=3),
    ),
    max_size=12,
)


def writer() -> tuple[NamesWriter, dict[str, MemoryArray]]:
    arrays: dict[str, MemoryArray] = {}

    def array(name: str) -> Any:
        return arrays.setdefault(name, MemoryArray(dtype_of(name)))

    return NamesWriter(array), arrays


@given(st.lists(some_names, max_size=4), st.sampled_from([1, 200, 1 << 20]))
def test_a_page_is_the_place_of_its_key_among_all_runs(lists: list[list[str]], memory: int) -> None:
    with TemporaryDirectory() as folder:
        spool = ArraySpool(Path(folder), 50)
        runs = [
            KeyRun(Names.of(name.encode() for name in names), Naming(), spool) for names in lists
        ]
        names, _ = writer()
        reports: list[int] = []
        count = number_pages(runs, names, memory, reports.append)
        known = sorted({name for listed in lists for name in listed}, key=sort_key)
        assert count == len(known)
        for run, listed in zip(runs, lists, strict=True):
            assert [known[page] for page in run.pages.load()[run.places]] == listed
    assert reports == sorted(reports)


def test_keys_can_be_freed_once_pages_are_numbered(tmp_path: Path) -> None:
    spool = ArraySpool(tmp_path, 0)
    run = KeyRun(Names.of([b"tea", b"milk"]), Naming(), spool)
    before = len(list(tmp_path.iterdir()))
    number_pages([run], writer()[0], 1 << 20, lambda done: None)
    run.drop_keys()
    assert before == 2
    assert len(list(tmp_path.iterdir())) == 1
    assert run.pages.load().tolist() == [0, 1]


def test_hosts_and_domains_are_numbered_as_pages_come() -> None:
    names, arrays = writer()
    listed = ["tea", "http://a.org/", "http://a.org:81/", "http://www.a.org/", "http://b.org/"]
    run = KeyRun(Names.of(name.encode() for name in listed), Naming(), ArraySpool(None, 0))
    number_pages([run], names, 1 << 20, lambda done: None)
    names.close()
    assert (names.count, names.hosts, names.domains) == (5, 5, 3)
    order = sorted(listed, key=sort_key)
    domains = dict(zip(order, arrays["domains"].whole().tolist(), strict=True))
    assert domains["http://a.org/"] == domains["http://a.org:81/"] == domains["http://www.a.org/"]
    assert len(set(domains.values())) == 3
    assert names.is_plain().tolist() == [name == "tea" for name in order]


def test_a_refused_name_has_no_place_and_its_reason_is_counted() -> None:
    run = KeyRun(Names.of([b"mailto:x@y", b"tea", b"\xff"]), Naming(), ArraySpool(None, 0))
    assert run.places.tolist() == [NONE, 0, NONE]
    refused = Refused()
    run.count_refused(np.array([0, 2, 0], np.uint32), refused)
    assert refused.counts == {"not http": 2, "invalid UTF-8": 1}
    assert refused.examples["not http"][0] == "mailto:x@y"


@given(st.lists(st.binary(max_size=4)))
def test_packed_strings_are_sorted_and_made_distinct(strings: list[bytes]) -> None:
    packed = Names.of(strings)
    text, ends, places = sort_distinct(packed.blob, packed.offsets)
    distinct = list(Names(text, ends))
    assert distinct == sorted(set(strings))
    assert [distinct[place] for place in places] == strings
