"""Common Crawl's vertices are streamed, from any number of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, pages_of, read, write
from whatsrelated import api
from whatsrelated.errors import ReadError
from whatsrelated.sources import host_names

VERTICES = "0\tcom.a\n1\tcom.a.www\n2\torg.b\t7\n3\tuk.co.c\n"
EDGES = "0\t1\n0\t3\n2\t0\n"
LINKS = [
    ("http://a.com/", "http://www.a.com/"),
    ("http://a.com/", "http://c.co.uk/"),
    ("http://b.org/", "http://a.com/"),
]


def test_a_host_is_one_page_with_or_without_www(tmp_path: Path) -> None:
    names = write(tmp_path / "vertices", "0\tcom.a\n1\tcom.a.www\n2\torg.b.www\n3\tcom.www\n")
    edges = write(tmp_path / "edges", "0\t1\n0\t2\n1\t3\n2\t1\n")
    graph = api.build([edges], tmp_path / "x.graph", names_file=names)
    assert [graph.url(page) for page in range(len(graph))] == [
        *("http://a.com/", "http://www.com/", "http://b.org/")
    ]
    assert graph.n_links == 3
    kept = api.build([edges], tmp_path / "y.graph", names_file=names, www="keep")
    assert (len(kept), kept.n_links) == (4, 4)


def test_reversed_hosts_are_pages(tmp_path: Path) -> None:
    names = write(tmp_path / "vertices", VERTICES.replace("\t7", ""))
    source = read(write(tmp_path / "edges", EDGES), names_file=names, www="keep")
    assert links_of(source) == LINKS
    assert pages_of(source) == {
        "http://a.com/",
        "http://www.a.com/",
        "http://b.org/",
        "http://c.co.uk/",
    }


def test_parts_and_small_chunks_make_the_same_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{i}\tcom.host{i // 3}.x{i % 3}\n" for i in range(900)]
    edges = write(tmp_path / "edges", "".join(f"{i}\t{i * i % 900}\n" for i in range(900)))
    whole = write(tmp_path / "all", "".join(lines))
    parts = [write(tmp_path / f"p{n}", "".join(lines[n * 300 : n * 300 + 300])) for n in range(3)]
    expected = api.build([edges], tmp_path / "1.graph", names_file=whole)
    monkeypatch.setattr(host_names, "CHUNK", 1)
    for names in (parts, parts[::-1]):
        other = api.build([edges], tmp_path / "2.graph", names_file=names)
        assert other.store.fingerprint == expected.store.fingerprint
    assert len(expected) == 900
    assert expected.store.manifest["domains"] == 300


def test_numbers_without_a_name_and_bad_names_are_counted(tmp_path: Path) -> None:
    names = write(tmp_path / "v", "5\tcom.a\n6\tcom.b\n9\tcom.c\n10\t999.3.2.1\n")
    edges = write(tmp_path / "e", "5\t6\n5\t7\n4\t5\n9\t5\n11\t5\n9\t10\n")
    from whatsrelated.stream import Refused

    refused = Refused()
    graph = api.build([edges], tmp_path / "g.graph", names_file=names, refused=refused)
    assert graph.n_links == 2
    assert len(graph) == 3
    assert refused.counts["a number without a name"] == 3
    assert refused.total() == 4


def test_numbers_in_no_order_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_names, "MAX_RUNS", 2)
    names = write(tmp_path / "v", "0\tcom.a\n5\tcom.b\n1\tcom.c\n7\tcom.d\n")
    with pytest.raises(ReadError, match="is not sorted by number; sort it: sort -n"):
        list(read(write(tmp_path / "e", "0\t1\n"), names_file=names))
