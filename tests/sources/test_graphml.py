"""GraphML: what networkx writes is read, and hostile files are refused."""

from __future__ import annotations

import tempfile
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import links_of, pages_of, read, write
from tests.sources.networkx_graphs import graph_by_networkx, labels, some_graphs
from whatsrelated.errors import ReadError


@given(some_graphs, labels, st.booleans())
def test_networkx_writes_what_is_read(
    links: list[tuple[int, int]], names: list[str], directed: bool
) -> None:
    graph = graph_by_networkx(links, names, directed)
    named = nx.convert_node_labels_to_integers(graph, label_attribute="label")
    with tempfile.TemporaryDirectory() as folder:
        nx.write_graphml_xml(named, f"{folder}/x.graphml")
        source = read(f"{folder}/x.graphml")
        assert pages_of(source) == set(names)
        assert set(links_of(source)) == set(graph.to_directed().edges)


def test_a_url_is_preferred_and_a_title_kept(tmp_path: Path) -> None:
    text = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="d0" for="node" attr.name="url"/><key id="d1" for="node" attr.name="title"/>
    <key id="d2" for="edge" attr.name="url"/>
    <graph edgedefault="undirected"><node id="n0"><data key="d0">http://a/</data>
    <data key="d1">A &amp; B</data></node><node id="n1"><data key="d0">http://b/</data></node>
    <edge source="n0" target="n1" directed="true"><data key="d2">x</data></edge></graph>
    </graphml>"""
    (batch,) = read(write(tmp_path / "x", text))
    assert links_of([batch]) == [("http://a/", "http://b/")]
    assert batch.titles == {0: "A & B"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '<!DOCTYPE graphml [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><graphml>&b;</graphml>',
            "declares the entity 'a', which is not allowed",
        ),
        (
            '<!DOCTYPE graphml [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml>&x;</graphml>',
            "declares the entity 'x', which is not allowed",
        ),
        ("<graphml><graph><node id='1'>", "cut short"),
        ("<graphml>" * 100, "nested more than 64 deep"),
        ("<graphml></graph>", "not XML"),
    ],
)
def test_hostile_and_broken_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=message):
        links_of(read(write(tmp_path / "x.graphml", text)))
