"""One graph in every format in which programs hand graphs to each other."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import ReadError

GRAPH = {
    "dot": 'digraph "g" { // tea\n a -> b -> {c; "d e"} [x=1];\n subgraph s { f [label=<b>] }\n'
    " node [shape=box]; rankdir=LR; a:port -> f; /* no */ }",
    "pajek": '*Vertices 6\n1 "a"\n2 "b" 0.1 0.2\n3 "c"\n4 "d e"\n5 "f"\n6 "g"\n*Arcs\n1 2 1\n2 3\n'
    "*Arcslist\n2 4\n1 5\n",
    "gexf": '<?xml version="1.0"?><gexf xmlns="http://gexf.net/1.3">'
    '<graph defaultedgetype="directed">'
    '<nodes><node id="1" label="a"/><node id="2" label="b"/><node id="3" label="c"/>'
    '<node id="4" label="d e"/><node id="5" label="f"/></nodes><edges>'
    '<edge source="1" target="2"/><edge source="2" target="3"/><edge source="2" target="4"/>'
    '<edge source="1" target="5"/></edges></graph></gexf>',
    "node-link": json.dumps(
        {
            "directed": True,
            "nodes": [{"id": name} for name in ("a", "b", "c", "d e", "f")],
            "links": [
                {"source": source, "target": target}
                for source, target in (("a", "b"), ("b", "c"), ("b", "d e"), ("a", "f"))
            ],
        }
    ),
}
LINKS = [("a", "b"), ("a", "f"), ("b", "c"), ("b", "d e")]


@pytest.mark.parametrize("kind", GRAPH)
def test_the_same_graph_is_read_from_every_format(kind: str, tmp_path: Path) -> None:
    source = read(write(tmp_path / "graph", GRAPH[kind]))
    assert source.parts[0][1].name == kind
    assert sorted(links_of(source)) == LINKS
    assert source.refused.counts == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("digraph { a -> ", "is cut short"),
        ('digraph { a -> "b', "not GraphViz"),
        ("digraph { a -> <b", "label in markup is not closed"),
        ("graph {" * 100, "nested more than"),
        ("digraph { -> a }", "expected a node"),
        ("*Vertices 2\n*Matrix\n0 1\n1 0\n", "a matrix is not read"),
        ('{"nodes": [1], "links": [', "is not JSON, or cut short"),
        ('{"nodes": [1], "links": [1], "edges": 1, "x": {}}', None),
        ("<gexf><graph>", "not XML, or cut short"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><gexf>&a;</gexf>', "declares the entity"),
    ],
)
def test_damage_is_an_error_of_one_sentence(text: str, reason: str | None, tmp_path: Path) -> None:
    path = write(tmp_path / "x", text)
    if reason is None:
        assert links_of(read(path)) == []
        return
    with pytest.raises(ReadError, match=reason):
        links_of(read(path))


def test_an_undirected_graph_links_both_ways(tmp_path: Path) -> None:
    dot = read(write(tmp_path / "x.dot", 'strict graph { a -- b; b [URL="u"] }'))
    assert sorted(links_of(dot)) == [("a", "b"), ("b", "a")]
    net = read(write(tmp_path / "x.net", "*Vertices 2\n*Edges\n1 2\n"))
    assert sorted(links_of(net)) == [("1", "2"), ("2", "1")]


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    graph = nx.gnp_random_graph(12, 0.3, seed=1, directed=True)
    nx.relabel_nodes(graph, {n: f"page {n}" for n in graph}, copy=False)
    expected = sorted(graph.edges)
    nx.write_gexf(graph, tmp_path / "x.gexf")
    nx.write_pajek(graph, tmp_path / "x.net")
    write(tmp_path / "x.json", json.dumps(nx.node_link_data(graph, edges="links")))
    for name in ("x.gexf", "x.net", "x.json"):
        assert sorted(links_of(read(tmp_path / name))) == expected, name


def test_d3s_places_and_cytoscapes_elements_are_nodes(tmp_path: Path) -> None:
    d3 = {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 0, "target": 1}]}
    assert links_of(read(write(tmp_path / "d3", json.dumps(d3)))) == [("a", "b")]
    nodes = [{"data": {"id": name}} for name in "ab"]
    edges = [{"data": {"source": "a", "target": "b"}}]
    elements = {"elements": {"nodes": nodes, "edges": edges}}
    assert links_of(read(write(tmp_path / "cy", json.dumps(elements)))) == [("a", "b")]


TRIPLES = r"""# comment
<http://a> <http://p/link> <http://b> .
<http://a> <http://www.w3.org/2000/01/rdf-schema#label> "Tea \"time\" \u00e9"@en .
<http://a> <http://p/see> <http://c> <http://graph> .
_:x <http://p/link> <http://b> .
<http://b> <http://p/link> _:x .
not a triple
<http://b> <http://p/link> <http://a> .
"""


def test_triples_between_pages_are_links(tmp_path: Path) -> None:
    path = write(tmp_path / "x.nt", TRIPLES)
    source = read(path)
    pages = list(source)
    assert links_of(pages) == [
        ("http://a", "http://b"),
        ("http://a", "http://c"),
        ("http://b", "http://a"),
    ]
    assert pages[0].title == 'Tea "time" é'
    assert source.refused.counts == {"not a triple": 1}
    only = read(path, options={"predicate": "see"})
    assert links_of(only) == [("http://a", "http://c")]


def test_a_work_cites_its_references(tmp_path: Path) -> None:
    works = [
        {"id": "https://openalex.org/W1", "title": "A", "referenced_works": ["https://x/W2"]},
        {"id": "https://x/W2", "display_name": "B", "referenced_works": [], "year": 1999},
    ]
    path = write(tmp_path / "works", "".join(json.dumps(work) + "\n" for work in works) + "{}\n")
    source = read(path)
    assert [(page.url, list(page.links), page.title) for page in source] == [
        ("https://openalex.org/W1", ["https://x/W2"], "A"),
        ("https://x/W2", [], "B"),
    ]
    assert source.refused.counts == {"not a work": 1}
    assert pages_of(read(path)) == {"https://openalex.org/W1", "https://x/W2"}


S2 = {"paperId": "ab", "title": "A", "references": [{"paperId": "cd"}, {"paperId": None}]}
CROSSREF = {
    "DOI": "10.1/ABC",
    "title": ["A"],
    "reference": [{"key": "1", "DOI": "10.2/X"}, {"key": "2", "unstructured": "A book"}],
}


@pytest.mark.parametrize(
    ("text", "links", "missing"),
    [
        (json.dumps(CROSSREF), [("10.1/abc", "10.2/x")], 1),
        (
            json.dumps({"status": "ok", "message": {"items": [CROSSREF]}}, indent=1),
            [("10.1/abc", "10.2/x")],
            1,
        ),
        (json.dumps({"status": "ok", "message": CROSSREF}), [("10.1/abc", "10.2/x")], 1),
        (json.dumps(S2), [("ab", "cd")], 1),
        (json.dumps([S2], indent=2), [("ab", "cd")], 1),
        (json.dumps({"id": "a", "title": "A", "outCitations": ["b", "c"]}), None, 0),
        (json.dumps([{"id": "a", "venue": "V", "references": ["b", "c"]}]), None, 0),
        (
            '[\n{"id": 1, "n_citation": 2, "references": [2]}\n,{"id": 2, "n_citation": 0}\n]',
            [("1", "2")],
            0,
        ),
        (
            json.dumps([{"oci": "1-2", "citing": "omid:br/1 doi:10.1/A", "cited": "doi:10.2/b"}]),
            [("10.1/a", "10.2/b")],
            0,
        ),
        (json.dumps({"_id": "a", "references": ["b", "c"], "fos": []}), None, 0),
        (
            '{"citingcorpusid": 7, "citedcorpusid": 9}\n{"citingcorpusid": 7, "citedcorpusid": 8}',
            [("7", "9"), ("7", "8")],
            0,
        ),
        (
            json.dumps(
                {"meta": {}, "results": [{"id": "W1", "title": "A", "referenced_works": ["W2"]}]}
            ),
            [("W1", "W2")],
            0,
        ),
    ],
)
def test_papers_of_every_source_cite_their_references(
    tmp_path: Path, text: str, links: list[tuple[str, str]] | None, missing: int
) -> None:
    source = read(write(tmp_path / "papers.json", text))
    assert [reader.name for _, reader in source.parts] == ["works"]
    assert links_of(source) == (links or [("a", "b"), ("a", "c")])
    assert source.counts["works"].get("references without an identifier", 0) == missing


def test_aminers_first_file_begins_with_the_number_of_papers(tmp_path: Path) -> None:
    text = "2\n#*Tea\n#@A;B\n#year1999\n#confC\n#citation1\n#index7\n#arnetid1\n#%8\n#!x\n\n"
    path = write(tmp_path / "outputacm.txt", text + "#*Milk\n#index8\n\n")
    source = read(path)
    assert [reader.name for _, reader in source.parts] == ["works"]
    assert links_of(source) == [("7", "8")]


def test_numbers_may_be_written_as_in_mongodb(tmp_path: Path) -> None:
    works = [
        {"_id": "a", "title": "Tea", "venue": {"type": 1}, "references": ["b"]},
        {"_id": "b", "title": "Milk", "venue": {"type": 0}},
    ]
    text = json.dumps(works, indent=2).replace('"type": 1', '"type": NumberInt(1)')
    source = read(write(tmp_path / "dblpv13.json", text.replace(": 0", ": NumberInt(0)")))
    assert links_of(source) == [("a", "b")]
