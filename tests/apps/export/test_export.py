"""A graph that is written in any format and read back is an equal graph."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
import scipy.io
from hypothesis import example, given
from hypothesis import strategies as st

from whatsrelated import api
from whatsrelated.apps import export
from whatsrelated.errors import BuildError, MissingExtra, OptionError, ReadError
from whatsrelated.sources import ReadOptions, open_sources

FORMATS = {
    "edges in CSV": "x.csv",
    "JSON Lines": "x.jsonl",
    "packed JSON Lines": "x.jsonl.gz",
    "Parquet": "x.parquet",
    "GraphML": "x.graphml",
    "arrays": "x.npy",
}
TITLELESS = {"edges in CSV"}

hosts = st.sampled_from(["http://a.org", "https://www.b.org:8080", "ftp://c.net"])
urls = st.builds(
    "{}/{}".format, hosts, st.sampled_from(["", "x", "é", "a,b", 'q"q', "%C3%81", "?a=1"])
)
odd_names = st.sampled_from(
    ["7", "07", "#x", "%x", "a b", " a", "b ", '"', ",", "source", "-1", "n"]
)
texts = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"
    ),
    min_size=1,
    max_size=5,
).filter(lambda text: not text.isspace())
names = urls | odd_names | texts
titles = st.dictionaries(names, texts.map(str.strip).filter(bool), max_size=4)


def read_back(path: Path, **settings: Any) -> api.Graph:
    source = open_sources([path], ReadOptions(**settings))
    return api.Graph.from_pages(source, ordered=source.ordered, urls="keep")


def differences(one: api.Graph, other: api.Graph, titled: bool = True) -> list[str]:
    """The differences between two graphs."""
    first, second = (
        {
            "names": [graph.url(page) for page in range(len(graph))],
            "titles": [graph.title(page) for page in range(len(graph)) if titled],
            "offsets": graph.store.out_offsets.tolist(),
            "links": graph.store.out_links.tolist(),
            "order": graph.store.ordered,
        }
        for graph in (one, other)
    )
    return [
        f"{what}: {first[what]} {second[what]}" for what in first if first[what] != second[what]
    ]


@pytest.mark.parametrize("kind", FORMATS)
@example(links=[("<a", "{"), ("{", "if ("), ("if (", "<a")], pages=[], titles={}, ordered=True)
@given(
    links=st.lists(st.tuples(names, names), min_size=1, max_size=15),
    pages=st.lists(names, max_size=3),
    titles=titles,
    ordered=st.booleans(),
)
def test_written_data_is_read_back(
    kind: str,
    links: list[tuple[str, str]],
    pages: list[str],
    titles: dict[str, str],
    ordered: bool,
) -> None:
    graph = api.Graph.from_links(links, pages=pages, titles=titles, ordered=ordered, urls="keep")
    with tempfile.TemporaryDirectory() as folder:
        path = export.export(graph.store, Path(folder) / FORMATS[kind])
        settings = {} if kind == "arrays" else {"unordered": not ordered}
        again = read_back(path, **settings)
        assert differences(graph, again, kind not in TITLELESS) == []


clean_names = names.filter(lambda name: name.strip() == name and name[0] not in "#%")


@given(
    links=st.lists(st.tuples(clean_names, clean_names), min_size=1, max_size=15),
    titles=st.dictionaries(clean_names, texts.map(str.strip).filter(bool), max_size=4),
)
def test_between_tabs_numbers_have_their_names_and_titles_aside(
    links: list[tuple[str, str]], titles: dict[str, str]
) -> None:
    graph = api.Graph.from_links(links, titles=titles, urls="keep")
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder) / "names.tsv"
        numbers = export.export(graph.store, Path(folder) / "x.tsv", names_to=str(aside))
        if graph.n_links:
            assert differences(graph, read_back(numbers, names_file=aside)) == []
        plain = export.export(graph.store, Path(folder) / "y.tsv")
        assert differences(graph, read_back(plain), titled=False) == []


@pytest.fixture
def graph() -> api.Graph:
    links = [("b", "http://a.org/"), ("b", "c"), ("c", "b")]
    return api.Graph.from_links(links, pages=["alone"], titles={"c": "C & D"})


def test_edges_are_plain_lines(graph: api.Graph, tmp_path: Path) -> None:
    text = export.export(graph.store, tmp_path / "x.tsv").read_text()
    assert text == "source\ttarget\nb\thttp://a.org/\nb\tc\nc\tb\nalone\talone\n"
    packed = export.export(graph.store, tmp_path / "x.txt.gz").read_bytes()
    assert gzip.decompress(packed).decode() == text


def test_json_lines_are_pages(graph: api.Graph, tmp_path: Path) -> None:
    lines = export.export(graph.store, tmp_path / "x.jsonl").read_text().splitlines()
    pages = {page["url"]: page for page in map(json.loads, lines)}
    assert pages["c"] == {"url": "c", "title": "C & D", "links": ["b"]}
    assert pages["b"] == {"url": "b", "links": ["http://a.org/", "c"]}


def test_json_lines_mark_pages_that_were_not_read(tmp_path: Path) -> None:
    graph = api.Graph.from_links([("b", "a")], pages=["alone"], titles={"d": "D"})
    lines = export.export(graph.store, tmp_path / "x.jsonl")
    again = read_back(lines).store
    assert graph.store.is_read(np.arange(4)).tolist() == [False, True, True, False]
    assert again.is_read(np.arange(4)).tolist() == [False, True, True, False]
    assert again.title(3) == "D"


def test_networkx_reads_the_graphml(graph: api.Graph, tmp_path: Path) -> None:
    read = nx.read_graphml(export.export(graph.store, tmp_path / "x.graphml"))
    named = nx.relabel_nodes(read, {node: data["url"] for node, data in read.nodes.items()})
    assert set(named.edges) == {("b", "http://a.org/"), ("b", "c"), ("c", "b")}
    assert named.nodes["c"]["title"] == "C & D"
    assert "alone" in named


def test_arrow_reads_the_parquet(graph: api.Graph, tmp_path: Path) -> None:
    table = pq.read_table(export.export(graph.store, tmp_path / "x.parquet"))
    pages = {page["url"]: page for page in table.to_pylist()}
    assert pages["c"] == {"url": "c", "title": "C & D", "links": ["b"]}
    assert pages["alone"] == {"url": "alone", "title": None, "links": []}


def test_numpy_alone_reads_the_arrays(graph: api.Graph, tmp_path: Path) -> None:
    folder = export.export(graph.store, tmp_path / "x.npy")
    offsets, links = np.load(folder / "offsets.npy"), np.load(folder / "links.npy")
    names = (folder / "names.txt").read_text().splitlines()
    b = names.index("b")
    assert [names[page] for page in links[offsets[b] : offsets[b + 1]]] == ["http://a.org/", "c"]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("x.odd", OptionError, r"unknown format of x\.odd; use a name ending in \.tsv"),
        ("nowhere/x.tsv", BuildError, "cannot be written: No such file"),
        ("there.npy", BuildError, "there\\.npy exists; remove it"),
    ],
)
def test_an_unwritable_file_is_one_sentence(
    name: str, error: type[Exception], message: str, graph: api.Graph, tmp_path: Path
) -> None:
    (tmp_path / "there.npy").mkdir()
    with pytest.raises(error, match=message):
        export.export(graph.store, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["there.npy"]


def test_a_name_that_tabs_would_lose_points_to_csv(tmp_path: Path) -> None:
    graph = api.Graph.from_links([("#hash", "b")])
    with pytest.raises(BuildError, match=r"'#hash' cannot be written between tabs; write a \.csv"):
        export.export(graph.store, tmp_path / "x.tsv")
    assert not list(tmp_path.iterdir())


def test_graphml_gives_back_what_xml_cannot_hold(tmp_path: Path) -> None:
    names = ["a\uffff", "b", "c", 'd<&"']
    titles = {"c": "tea\x07", "b": "\x1b[2J\x9b \\u0041"}
    graph = api.Graph.from_links([(names[0], name) for name in names[1:]], titles=titles)
    export.export(graph.store, tmp_path / "x.graphml")
    again = api.build(tmp_path / "x.graphml", tmp_path / "again.graph")
    assert {again.url(page): again.title(page) for page in range(4)} == {
        name: titles.get(name) for name in names
    }


def test_an_old_file_stays_if_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.graphml").write_text("old")
    graph = api.Graph.from_links([("a", "b")])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("whatsrelated.apps.export.graphml._data", fail)
    with pytest.raises(BuildError, match="No space left"):
        export.export(graph.store, tmp_path / "x.graphml")
    assert (tmp_path / "x.graphml").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_without_its_package_parquet_names_what_to_install(
    graph: api.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"whatsrelated\[parquet\]"):
        export.export(graph.store, tmp_path / "x.parquet")


def damage_links(folder: Path) -> None:
    np.save(folder / "links.npy", np.array([0, 1, 99], np.uint32))


def damage_offsets(folder: Path) -> None:
    np.save(folder / "offsets.npy", np.array([0, 3, 1, 3, 3], np.uint64))


def damage_names(folder: Path) -> None:
    (folder / "names.txt").write_text("a\nb\n")


def cut_links(folder: Path) -> None:
    (folder / "links.npy").write_bytes((folder / "links.npy").read_bytes()[:-3])


def lose_names(folder: Path) -> None:
    (folder / "names.txt").unlink()


def float_links(folder: Path) -> None:
    np.save(folder / "links.npy", np.array([0.5, 1, 2]))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damage_links, "is out of range"),
        (damage_offsets, "is out of range"),
        (damage_names, "is inconsistent: it has 2 names, 5 offsets and 3 links"),
        (cut_links, r"links\.npy is not a complete NumPy array"),
        (lose_names, r"names\.txt, which must accompany the arrays, cannot be read"),
        (float_links, r"links\.npy must be a one-dimensional array of integers, got float64"),
    ],
)
def test_damaged_arrays_are_an_error(
    damage: Any, message: str, graph: api.Graph, tmp_path: Path
) -> None:
    folder = export.export(graph.store, tmp_path / "x.npy")
    damage(folder)
    with pytest.raises(ReadError, match=message):
        read_back(folder)
    shutil.rmtree(folder)


plain_urls = st.builds("http://{}.org/{}".format, st.text("abc", min_size=1), st.text('xy&"\\é'))


@pytest.mark.parametrize(("name", "titled"), [("x.gexf", True), ("x.dot", True), ("x.net", False)])
@given(
    links=st.lists(st.tuples(plain_urls, plain_urls), min_size=1, max_size=9),
    titles=st.dictionaries(plain_urls, st.text("tea &<é", min_size=1), max_size=3),
)
def test_formats_for_drawing_are_read_back(
    name: str, titled: bool, links: list[tuple[str, str]], titles: dict[str, str]
) -> None:
    if not titled:
        links = [(one.replace('"', ""), other.replace('"', "")) for one, other in links]
        titles = {}
    graph = api.Graph.from_links(links, titles=titles, urls="keep")
    with tempfile.TemporaryDirectory() as folder:
        path = export.export(graph.store, Path(folder) / name)
        assert differences(graph, read_back(path), titled) == []


def test_other_programs_read_what_is_written_for_them(graph: api.Graph, tmp_path: Path) -> None:
    edges = {(graph.url(source), graph.url(target)) for source, target in graph_edges(graph)}
    gexf = nx.read_gexf(export.export(graph.store, tmp_path / "x.gexf"))
    urls = nx.get_node_attributes(gexf, "url")
    assert {(urls[source], urls[target]) for source, target in gexf.edges} == edges
    pajek = nx.read_pajek(export.export(graph.store, tmp_path / "x.net"))
    assert set(pajek.edges()) == edges
    matrix = scipy.io.mmread(export.export(graph.store, tmp_path / "x.mtx"))
    assert {(graph.url(i), graph.url(j)) for i, j in zip(*matrix.nonzero(), strict=True)} == edges


def graph_edges(graph: api.Graph) -> list[tuple[int, int]]:
    return [(page, link) for page in range(len(graph)) for link in graph.links_from(page).tolist()]
