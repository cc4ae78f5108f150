"""GML: files written by networkx are read, and the error for a broken file names the place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from tests.sources import links_of, read, write
from tests.sources.networkx_graphs import assert_reads_back, networkx_graphs
from whatsrelated.errors import ReadError


@given(networkx_graphs())
def test_files_written_by_networkx_are_read(graph: Any) -> None:
    assert_reads_back(graph, lambda path: nx.write_gml(graph, path))


def test_without_distinct_labels_numbers_are_the_names(tmp_path: Path) -> None:
    text = (
        'Creator "x"\ngraph [ directed 1 node [ id 1 label "a" ] node [ id 2 label "a" ]'
        " edge [ source 1 target 2 graphics [ width 2 ] ] ]"
    )
    assert links_of(read(write(tmp_path / "x", text))) == [("1", "2")]


def test_another_attribute_may_be_the_name(tmp_path: Path) -> None:
    text = (
        'graph [ directed 1 node [ id 1 label "a" url "http://a/" ]'
        ' node [ id 2 label "b" url "http://b/?x&#38;y" ] edge [ source 1 target 2 ] ]'
    )
    path = write(tmp_path / "x", text)
    links = links_of(read(path, options={"node_name": "url"}))
    assert links == [("http://a/", "http://b/?x&y")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('graph [ node [ id 1 label "a', "a quote is not closed"),
        ("graph [ node [ id 1 ]", "the bracket after graph is not closed"),
        ("graph [ ] ]", "a closing bracket without"),
        ("graph " + "[ x " * 100, "more than 64 brackets"),
    ],
)
def test_a_broken_file_is_an_error_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=message):
        links_of(read(write(tmp_path / "x.gml", text)))


def test_an_edge_without_an_end_is_counted(tmp_path: Path) -> None:
    text = "graph [ node [ x 1 ] node [ id 1 ] edge [ source 1 ] edge [ source 1 target 2 ] ]"
    source = read(write(tmp_path / "x.gml", text))
    assert set(links_of(source)) == {("1", "2"), ("2", "1")}
    assert source.refused.counts == {
        "a node without an id": 1,
        "an edge without a source or target": 1,
    }
