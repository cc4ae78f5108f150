"""Common Crawl's ranks name the hosts of its graph, whose numbers are the places of the names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, read, write
from whatsrelated import api
from whatsrelated.errors import ReadError
from whatsrelated.sources import host_names

HEADER = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev"
HOSTS = ["com.a", "com.a-b", "com.a.www", "org.b", "uk.co.c"]
EDGES = "0\t2\n0\t4\n3\t0\n1\t3\n"


def ranks(path: Path, hosts: list[str], header: str = HEADER, more: str = "") -> Path:
    lines = [f"{n}\t1.5\t{9 - n}\t0.1\t{host}{more}\n" for n, host in enumerate(hosts, 1)]
    return write(path, header + "\n" + "".join(lines))


def vertices(path: Path, more: str = "") -> Path:
    return write(path, "".join(f"{n}\t{host}{more}\n" for n, host in enumerate(sorted(HOSTS))))


@pytest.mark.parametrize("chunk", [1, 2, 100])
@pytest.mark.parametrize(("more", "header"), [("", HEADER), ("\t7", HEADER + "\t#n_hosts")])
def test_ranks_give_the_graph_that_the_vertices_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, more: str, header: str
) -> None:
    monkeypatch.setattr(host_names, "CHUNK", chunk)
    edges = write(tmp_path / "edges.txt", EDGES)
    named = vertices(tmp_path / "v.txt", more)
    ranked = ranks(tmp_path / "r.txt", [HOSTS[n] for n in (3, 0, 4, 1, 2)], header, more)
    expected = api.build([edges], tmp_path / "v.graph", names_file=named).store
    found = api.build([edges], tmp_path / "r.graph", names_file=ranked).store
    assert found.fingerprint == expected.fingerprint
    assert found.manifest["built"]["level"] == expected.manifest["built"]["level"]
    told = found.manifest["built"]["found"]["names from ranks"]
    assert told == {"hosts, numbered in name order": 5}


def test_ranks_may_be_in_several_files(tmp_path: Path) -> None:
    edges = [write(tmp_path / "e1.txt", EDGES[:8]), write(tmp_path / "e2.txt", EDGES[8:])]
    names = [ranks(tmp_path / "1", HOSTS[3:]), ranks(tmp_path / "2", HOSTS[:3])]
    source = read(*edges, names_file=names, www="keep")
    assert links_of(source)[:2] == [
        ("http://a.com/", "http://www.a.com/"),
        ("http://a.com/", "http://c.co.uk/"),
    ]


@pytest.mark.parametrize(
    ("hosts", "more", "message"),
    [
        (HOSTS[:4], "", "has 4 hosts, but the links are between 5 numbers"),
        ([*HOSTS, "com.z"], "", "has 6 hosts, but the links are between 5 numbers"),
        ([*HOSTS[:4], HOSTS[0]], "", "lists a host twice"),
        (HOSTS, "\tx", "has a line that is not a host's rank"),
        ([], "", "contains no names"),
    ],
)
def test_ranks_of_another_graph_are_refused(
    tmp_path: Path, hosts: list[str], more: str, message: str
) -> None:
    names = ranks(tmp_path / "r", hosts, more=more)
    with pytest.raises(ReadError, match=message):
        list(read(write(tmp_path / "e", EDGES), names_file=names))
