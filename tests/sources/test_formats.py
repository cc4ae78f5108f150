"""Each format gives its pages and links, in its order, and says what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import links_of, pages_of, read, written
from whatsrelated.errors import MissingExtra, ReadError
from whatsrelated.stream import Page


class TestRows:
    def test_each_row_names_its_page(self, tmp_path: Path) -> None:
        path = written(tmp_path / "adj_list", "0: 5 2 -1\n1: -1\n2: 0\n9: -1\n4: 4 -1\n")
        source = read(path)
        assert [type(reader).__name__ for _, reader in source.parts] == ["Rows"]
        assert links_of(source) == [("0", "5"), ("0", "2"), ("2", "0")]
        assert pages_of(read(path)) == {"0", "1", "2", "4", "5", "9"}

    def test_a_sparse_matrix_has_a_header(self, tmp_path: Path) -> None:
        path = written(tmp_path / "x.dat", "SparseMatrix: 3 by 3\nrow 0: 2 1 -1\nrow 1: -1\n")
        assert links_of(read(path)) == [("0", "2"), ("0", "1")]

    def test_a_bare_row_is_the_page_of_its_line(self, tmp_path: Path) -> None:
        path = written(tmp_path / "x.txt", "1 2 3\n\n0\n\n\n")
        assert links_of(read(path)) == [("0", "1"), ("0", "2"), ("0", "3"), ("2", "0")]
        assert pages_of(read(path)) == {"0", "1", "2", "3", "4"}

    def test_a_bad_row_keeps_its_number(self, tmp_path: Path) -> None:
        source = read(written(tmp_path / "x.txt", "1 2 3\n1 x\n\n0\n"), format="rows")
        assert links_of(source) == [("0", "1"), ("0", "2"), ("0", "3"), ("3", "0")]
        assert source.refused.counts == {"not a number": 1}


class TestKleinberg:
    def test_pages_and_links_stand_in_one_file(self, tmp_path: Path) -> None:
        text = "n 0 http://a/\nn 7 http://b/ c\nn 8 http://a/\ne 0 7\ne 7 0\ne 0 9\nn 7 x\nz\n"
        source = read(written(tmp_path / "gr0", text), format="kleinberg")
        assert links_of(source) == [("http://a/", "http://b/ c"), ("http://b/ c", "http://a/")]
        assert pages_of(source) == {"http://a/", "http://b/ c", "http://a/#8"}
        assert source.refused.counts == {
            "a number with two names": 2,
            "not a page or a link": 2,
            "a number without a name": 2,
        }

    def test_it_is_recognised(self, tmp_path: Path) -> None:
        source = read(written(tmp_path / "x", "n 0 http://a/\nn 1 http://b/\ne 0 1\n"))
        assert links_of(source) == [("http://a/", "http://b/")]


class TestJSONLines:
    def test_a_page_stands_on_each_line(self, tmp_path: Path) -> None:
        lines = [
            {"url": "http://a/", "title": "A", "links": ["http://b/", "http://c/"], "text": "x y"},
            {"url": "http://b/", "links": None, "language": "en"},
        ]
        path = written(tmp_path / "x", "\n\n".join(json.dumps(line) for line in lines))
        assert list(read(path)) == [
            Page("http://a/", ["http://b/", "http://c/"], "A", "x y"),
            Page("http://b/"),
        ]

    def test_what_is_no_page_is_counted(self, tmp_path: Path) -> None:
        text = '{"url": "a"}\n{"links": []}\n{"url": 1}\n{"url": "b"\nnull\n{"url": "\\ud800"}\n'
        source = read(written(tmp_path / "x.jsonl", text))
        assert "a" in pages_of(source)
        assert source.refused.counts["not a page"] == 3
        assert source.refused.counts["not JSON"] >= 1
        assert "x.jsonl:2: Object missing required field `url`" in str(source.refused.examples)


class TestMatrixMarket:
    def test_scipy_writes_what_is_read(self, tmp_path: Path) -> None:
        matrix = scipy.sparse.coo_array(([1.0, 2.0, 3.0], ([0, 2, 2], [1, 0, 1])), shape=(5, 4))
        scipy.io.mmwrite(tmp_path / "x.mtx", matrix)
        source = read(tmp_path / "x.mtx")
        assert not source.ordered
        assert set(links_of(source)) == {("1", "2"), ("3", "1"), ("3", "2")}
        assert pages_of(read(tmp_path / "x.mtx")) == {"1", "2", "3", "4", "5"}

    def test_a_symmetric_matrix_links_both_ways(self, tmp_path: Path) -> None:
        text = "%%MatrixMarket matrix coordinate pattern symmetric\n% x\n3 3 2\n2 1\n3 1\n"
        links = links_of(read(written(tmp_path / "x", text)))
        assert set(links) == {("2", "1"), ("1", "2"), ("3", "1"), ("1", "3")}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("%%MatrixMarket matrix array real general\n2 2\n1\n", "only `matrix coordinate`"),
            ("%%MatrixMarket matrix coordinate pattern general\n", "size is missing"),
            ("%%MatrixMarket matrix coordinate pattern general\n2 x 1\n", "rows, columns and"),
            ("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n", "3 entries"),
            ("%%MatrixMarket matrix coordinate pattern general\n9999999999 1 1\n", "a graph holds"),
        ],
    )
    def test_what_is_no_matrix_of_links_is_an_error(
        self, text: str, message: str, tmp_path: Path
    ) -> None:
        with pytest.raises(ReadError, match=message):
            links_of(read(written(tmp_path / "x.mtx", text)))

    def test_numbers_out_of_range_are_counted(self, tmp_path: Path) -> None:
        text = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n0 3\n"
        source = read(written(tmp_path / "x", text))
        assert links_of(source) == [("1", "2")]
        assert source.refused.counts == {"number out of range": 1}


some_graphs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20)
labels = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=6).map(
        str.strip
    ),
    min_size=10,
    max_size=10,
    unique=True,
).filter(all)


def graph_by_networkx(links: list[tuple[int, int]], names: list[str], directed: bool) -> Any:
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[a], names[b]) for a, b in links)
    return graph


class TestGML:
    @given(some_graphs, labels, st.booleans())
    def test_networkx_writes_what_is_read(
        self, links: list[tuple[int, int]], names: list[str], directed: bool
    ) -> None:
        import tempfile

        graph = graph_by_networkx(links, names, directed)
        with tempfile.TemporaryDirectory() as folder:
            nx.write_gml(graph, f"{folder}/x.gml")
            source = read(f"{folder}/x.gml")
            assert pages_of(source) == set(names)
            assert set(links_of(source)) == set(graph.to_directed().edges)

    def test_without_distinct_labels_numbers_are_the_names(self, tmp_path: Path) -> None:
        text = (
            'Creator "x"\ngraph [ directed 1 node [ id 1 label "a" ] node [ id 2 label "a" ]'
            " edge [ source 1 target 2 graphics [ width 2 ] ] ]"
        )
        assert links_of(read(written(tmp_path / "x", text))) == [("1", "2")]

    def test_another_attribute_may_be_the_name(self, tmp_path: Path) -> None:
        text = (
            'graph [ directed 1 node [ id 1 label "a" url "http://a/" ]'
            ' node [ id 2 label "b" url "http://b/?x&#38;y" ] edge [ source 1 target 2 ] ]'
        )
        path = written(tmp_path / "x", text)
        links = links_of(read(path, options={"name_from": "url"}))
        assert links == [("http://a/", "http://b/?x&y")]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('graph [ node [ id 1 label "a', "a quote does not end"),
            ("graph [ node [ id 1 ]", "the bracket of a graph is open"),
            ("graph [ ] ]", "never opened"),
            ("graph " + "[ x " * 100, "more than 64 brackets"),
        ],
    )
    def test_a_broken_file_says_where_it_breaks(
        self, text: str, message: str, tmp_path: Path
    ) -> None:
        with pytest.raises(ReadError, match=message):
            links_of(read(written(tmp_path / "x.gml", text)))

    def test_an_edge_without_an_end_is_counted(self, tmp_path: Path) -> None:
        text = "graph [ node [ x 1 ] node [ id 1 ] edge [ source 1 ] edge [ source 1 target 2 ] ]"
        source = read(written(tmp_path / "x.gml", text))
        assert set(links_of(source)) == {("1", "2"), ("2", "1")}
        assert source.refused.counts == {
            "a node without id": 1,
            "an edge without source or target": 1,
        }


class TestGraphML:
    @given(some_graphs, labels, st.booleans())
    def test_networkx_writes_what_is_read(
        self, links: list[tuple[int, int]], names: list[str], directed: bool
    ) -> None:
        import tempfile

        graph = graph_by_networkx(links, names, directed)
        named = nx.convert_node_labels_to_integers(graph, label_attribute="label")
        with tempfile.TemporaryDirectory() as folder:
            nx.write_graphml_xml(named, f"{folder}/x.graphml")
            source = read(f"{folder}/x.graphml")
            assert pages_of(source) == set(names)
            assert set(links_of(source)) == set(graph.to_directed().edges)

    def test_a_url_is_preferred_and_a_title_kept(self, tmp_path: Path) -> None:
        text = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="d0" for="node" attr.name="url"/><key id="d1" for="node" attr.name="title"/>
        <key id="d2" for="edge" attr.name="url"/>
        <graph edgedefault="undirected"><node id="n0"><data key="d0">http://a/</data>
        <data key="d1">A &amp; B</data></node><node id="n1"><data key="d0">http://b/</data></node>
        <edge source="n0" target="n1" directed="true"><data key="d2">x</data></edge></graph>
        </graphml>"""
        (batch,) = read(written(tmp_path / "x", text))
        assert links_of([batch]) == [("http://a/", "http://b/")]
        assert batch.titles == {0: "A & B"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                '<!DOCTYPE graphml [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><graphml>&b;</graphml>',
                "declares the entity 'a': refused",
            ),
            (
                '<!DOCTYPE graphml [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml>&x;</graphml>',
                "declares the entity 'x': refused",
            ),
            ("<graphml><graph><node id='1'>", "cut short"),
            ("<graphml>" * 100, "more than 64 elements"),
            ("<graphml></graph>", "not XML"),
        ],
    )
    def test_hostile_and_broken_files_are_refused(
        self, text: str, message: str, tmp_path: Path
    ) -> None:
        with pytest.raises(ReadError, match=message):
            links_of(read(written(tmp_path / "x.graphml", text)))


class TestParquet:
    def written(self, tmp_path: Path, **columns: Any) -> Path:
        pq.write_table(pa.table(columns), tmp_path / "x.parquet", row_group_size=2)
        return tmp_path / "x.parquet"

    def test_names_stand_in_two_columns(self, tmp_path: Path) -> None:
        path = self.written(
            tmp_path,
            src=["a", "b", None, "c", "a"],
            kind=["x", "y", "x", "x", "x"],
            dst=["é", "a", "b", "a", "b"],
        )
        source = read(path)
        assert links_of(source) == [("a", "é"), ("b", "a"), ("c", "a"), ("a", "b")]
        assert source.refused.counts == {"empty name": 1}
        small = read(path, memory=10, options={"where": "kind=x", "columns": "dst,src"})
        assert links_of(small) == [("é", "a"), ("a", "c"), ("b", "a")]

    def test_whole_numbers_are_numbers(self, tmp_path: Path) -> None:
        path = self.written(tmp_path, a=np.array([1, -1, 3]), b=pa.array([2, 3, 4], pa.uint8()))
        source = read(path)
        assert links_of(source) == [("1", "2"), ("3", "4")]
        assert source.refused.counts == {"negative number": 1}

    def test_pages_have_lists_of_links(self, tmp_path: Path) -> None:
        path = self.written(
            tmp_path, url=["a", "b", "c"], links=[["b", "c"], None, ["a"]], title=["A", None, ""]
        )
        items = list(read(path))
        assert links_of(items) == [("a", "b"), ("a", "c"), ("c", "a")]
        assert [item.titles for item in items] == [{0: "A"}]

    def test_missing_columns_are_named_with_those_there_are(self, tmp_path: Path) -> None:
        path = self.written(tmp_path, one=["a"], two=["b"], three=["c"])
        with pytest.raises(ReadError, match=r"no column 'src'; it has: one, two, three"):
            links_of(read(path, options={"columns": "src,dst"}))
        with pytest.raises(ReadError, match=r"has 3 columns \(one, two, three\); say which two"):
            links_of(read(path))
        with pytest.raises(ReadError, match="column x holds double"):
            links_of(read(self.written(tmp_path, x=[0.5], y=["a"])))

    def test_a_cut_file_is_an_error(self, tmp_path: Path) -> None:
        path = self.written(tmp_path, src=["a"] * 1000, dst=["b"] * 1000)
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(ReadError, match="damaged or cut short"):
            links_of(read(path))

    def test_without_its_package_it_names_what_to_install(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import sys

        path = self.written(tmp_path, src=["a"], dst=["b"])
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[parquet\]'"):
            links_of(read(path))


class TestWikispeedia:
    LINKS = (
        "# Article names are URL-encoded; x\n\nA%C3%A9\tB\nA%C3%A9\tC\nA%C3%A9\tD\nB\tC\nx\ty\tz\n"
    )

    def test_titles_are_decoded_and_their_order_is_unknown(self, tmp_path: Path) -> None:
        source = read(written(tmp_path / "links.tsv", self.LINKS))
        assert links_of(source) == [("Aé", "B"), ("Aé", "C"), ("Aé", "D"), ("B", "C")]
        assert not source.ordered
        assert source.refused.counts == {"not a link between articles": 1}

    def test_the_order_file_puts_placed_links_first(self, tmp_path: Path) -> None:
        places = {"A%C3%A9": {"D": [0, "lead"], "E": [0, "lead"], "B": [3, "body"]}}
        order = written(tmp_path / "order.json", json.dumps(places))
        path = written(tmp_path / "links.tsv", self.LINKS)
        source = read(path, options={"order_file": str(order)})
        assert links_of(source) == [("Aé", "D"), ("Aé", "B"), ("Aé", "C"), ("B", "C")]
        assert source.ordered

    def test_other_files_are_told_apart(self, tmp_path: Path) -> None:
        articles = "# The list.\n# Article names are URL-encoded\n\nA\nB%20x\n"
        assert pages_of(read(written(tmp_path / "articles.tsv", articles))) == {"A", "B x"}
        categories = "# Hierarchical categories\n# Article names are URL-encoded\nA\tx.y\n"
        with pytest.raises(ReadError, match="categories, not links"):
            links_of(read(written(tmp_path / "categories.tsv", categories)))
        path = written(tmp_path / "links.tsv", self.LINKS)
        with pytest.raises(ReadError, match=r"no order file of Wikispeedia.*page_pos_dict\.json"):
            links_of(read(path, options={"order_file": str(path)}))
