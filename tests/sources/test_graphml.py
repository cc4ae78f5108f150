"""GraphML: what networkx writes is read, and hostile files are refused."""

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
    numbered = nx.convert_node_labels_to_integers(graph, label_attribute="label")
    assert_reads_back(graph, lambda path: nx.write_graphml_xml(numbered, path))


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
        ("<graphml>" * 100, "nested more than 64 levels deep"),
        ("<graphml></graph>", "not XML"),
    ],
)
def test_hostile_and_broken_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=message):
        links_of(read(write(tmp_path / "x.graphml", text)))
