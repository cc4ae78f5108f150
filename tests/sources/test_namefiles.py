"""Names files are read as people list names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, read, write
from whatsrelated.errors import ReadError

ABC = [("http://a/", "http://b/"), ("http://c/", "http://a/")]


@pytest.mark.parametrize(
    "names",
    [
        "http://a/\nhttp://b/\nhttp://c/\n",
        "http://a/\r\nhttp://b/\r\nhttp://c/\r\n\r\n\n",
        "url\nhttp://a/\nhttp://b/\nhttp://c/",
        "id\turl\n1\thttp://a/\n2\thttp://b/\n3\thttp://c/\n",
        "# names\n1\thttp://a/\n2\thttp://b/\n3\thttp://c/\n",
        "link url \n1 http://a/ \n2 http://b/ \n3 http://c/ \n",
        "3,http://c/\n1,http://a/\n2,http://b/\n",
        "id\tlabel\tname\n1\tx\thttp://a/\n2\tx\thttp://b/\n3\tx\thttp://c/\n",
        "id\tpaper\tlabel\n1\thttp://a/\tx\n2\thttp://b/\tx\n3\thttp://c/\tx\n",
        "3\n\n1 (1) [R]\nhttp://a/\nA\n1 1\n\n2 (5) [O]\nhttp://b/\nB\n1 1\n\n"
        "3 (3) [I]\nhttp://c/\nC\n1 1\n",
    ],
)
def test_names_files_are_read_in_every_usual_layout(
    names: str, edges: Path, tmp_path: Path
) -> None:
    source = read(edges, names_file=write(tmp_path / "names", names))
    assert links_of(source) == ABC
    assert source.refused.counts == {}


def test_titles_come_with_names(edges: Path, tmp_path: Path) -> None:
    table = "id\turl\ttitle\n1\thttp://a/\tA\n2\thttp://b/\t\n3\thttp://c/\tC c\n"
    (batch,) = read(edges, names_file=write(tmp_path / "names", table))
    assert batch.titles == {0: "A", 2: "C c"}
    nodes = "2\n\n1 (1) [R]\nhttp://a/\nBirkh&auml;user\n1 1\n\n2 (5) [O]\nhttp://\xe9/\nB\n1 1\n"
    path = write(tmp_path / "nodes", nodes.encode("latin-1"))
    (batch,) = read(write(tmp_path / "e", "1 2\n2 1\n"), names_file=path)
    assert batch.titles == {0: "Birkhäuser", 1: "B"}
    assert links_of([batch])[0] == ("http://a/", "http://é/")


def test_common_crawls_hosts_are_reversed(tmp_path: Path) -> None:
    vertices = "0\taaa.www\n1\tcom.example\t2\n2\tcom.example.www\t2\n".replace("\t2\n", "\n")
    path = write(tmp_path / "vertices.txt", vertices)
    edges = write(tmp_path / "edges.txt", "0\t1\n1\t2\n")
    assert links_of(read(edges, names_file=path, www="keep")) == [
        ("http://www.aaa/", "http://example.com/"),
        ("http://example.com/", "http://www.example.com/"),
    ]
    domains = write(tmp_path / "vertices.txt", "0\tcom.example\t12\n1\torg.w3\t3\n")
    assert links_of(read(write(edges, "0\t1\n"), names_file=domains)) == [
        ("http://example.com/", "http://w3.org/")
    ]


def test_hosts_the_right_way_round_stay_plain_names(tmp_path: Path) -> None:
    names = write(tmp_path / "names", "0\twww.example.com\n1\twww.w3.org\n")
    edges = write(tmp_path / "e", "0\t1\n")
    assert links_of(read(edges, names_file=names)) == [("www.example.com", "www.w3.org")]


def test_the_columns_of_a_names_file_can_be_chosen(edges: Path, tmp_path: Path) -> None:
    table = "label,key,page\nx,1,http://a/\ny,2,http://b/\nz,3,http://c/\n"
    names = write(tmp_path / "names.csv", table)
    assert links_of(read(edges, names_file=names, options={"names_columns": "key,page"})) == ABC
    assert links_of(read(edges, names_file=names, options={"names_columns": "2,3"})) == ABC
    with pytest.raises(ReadError, match=r"no columns 'id,url'.*it has: label, key, page"):
        read(edges, names_file=names, options={"names_columns": "id,url"})


def test_impossible_names_are_counted(edges: Path, tmp_path: Path) -> None:
    names = write(tmp_path / "names", b"1\thttp://a/\n2\t\xff\n3\thttp://c/\n4\n")
    source = read(edges, names_file=names)
    assert links_of(source) == [ABC[1]]
    assert source.refused.counts == {
        "invalid UTF-8": 1,
        "one column": 1,
        "a number without a name": 1,
    }


def test_a_cut_list_of_nodes_is_an_error(edges: Path, tmp_path: Path) -> None:
    nodes = write(tmp_path / "nodes", "3\n\n1 (1) [R]\nhttp://a/\nA\n1 1\n\n2 (5) [O]\nhttp:")
    with pytest.raises(ReadError, match="it has 1 of 3 pages"):
        read(edges, names_file=nodes)


def test_an_empty_list_of_names_is_an_error(edges: Path, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="contains no names"):
        read(edges, names_file=write(tmp_path / "names", "# nothing\n"))
