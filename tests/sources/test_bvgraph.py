"""BVGraph: a graph and its properties must fit each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernels.reading.test_bvgraph import Encoder
from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import ReadError
from whatsrelated.kernels.reading.bvgraph import GAMMA, UNARY, ZETA

GRAPH = [[1, 2, 3, 4, 5], [1, 2, 4, 5], [], [0], [0, 1, 2, 3, 5], [0, 3]]
PROPERTIES = {
    "graphclass": "it.unimi.dsi.webgraph.BVGraph",
    "nodes": "6",
    "arcs": "17",
    "windowsize": "3",
    "minintervallength": "4",
    "zetak": "3",
    "compressionflags": "",
}


def made(tmp_path: Path, cut: int = 0, **changed: str | None) -> Path:
    encoder = Encoder(3, 4, 3, (GAMMA, UNARY, GAMMA, GAMMA, ZETA), lambda most: min(most, 1))
    data = encoder.encode(GRAPH)
    path = write(tmp_path / "x.graph", data[: len(data) - cut])
    properties = {**PROPERTIES, **changed}
    lines = [f"{name}={value}" for name, value in properties.items() if value is not None]
    write(tmp_path / "x.properties", "#BVGraph properties of webgraph\n" + "\n".join(lines))
    return path


def test_every_page_counts_and_links_have_no_order(tmp_path: Path) -> None:
    source = read(made(tmp_path))
    assert not source.ordered
    links = [(str(a), str(b)) for a, row in enumerate(GRAPH) for b in row if a != b]
    assert links_of(source) == links
    assert pages_of(read(tmp_path / "x.properties")) == {"0", "1", "2", "3", "4", "5"}


def test_names_come_from_a_separate_file(tmp_path: Path) -> None:
    names = write(tmp_path / "x.urls", "".join(f"http://{c}/\n" for c in "abcdef"))
    links = links_of(read(made(tmp_path), names_file=names))
    assert links[-2:] == [("http://f/", "http://a/"), ("http://f/", "http://d/")]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"nodes": "7"}, "cut short: it ends within page 6 of 7"),
        ({"nodes": "5"}, "does not match its properties"),
        ({"arcs": "16"}, "does not match its properties"),
        ({"arcs": "18"}, "it has 17 links"),
        ({"windowsize": "0"}, "does not match|cut short"),
        ({"minintervallength": "0"}, "does not match|cut short"),
        ({"compressionflags": "RESIDUALS_GAMMA"}, "does not match|cut short"),
        ({"compressionflags": "RESIDUALS_FOO"}, "the code 'RESIDUALS_FOO' is unknown"),
        ({"nodes": None}, "nodes must be a number, got None"),
        ({"nodes": "many"}, "nodes must be a number, got 'many'"),
        ({"nodes": "4294967296"}, "a graph holds at most 4,294,967,295"),
        ({"zetak": "0"}, "zetak must be a number"),
        ({"graphclass": "it.unimi.dsi.webgraph.EFGraph"}, "must be BVGraph"),
        ({"endianness": "little"}, "only big-endian"),
    ],
)
def test_wrong_properties_are_an_error(
    changed: dict[str, str | None], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ReadError, match=message):
        links_of(read(made(tmp_path, **changed)))


def test_a_cut_graph_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cut short: it ends within page"):
        links_of(read(made(tmp_path, cut=3)))


def test_more_after_the_last_page_is_an_error(tmp_path: Path) -> None:
    path = made(tmp_path)
    path.write_bytes(path.read_bytes() + bytes(20))
    with pytest.raises(ReadError, match="bytes after the last page"):
        links_of(read(path))


def test_without_properties_it_says_what_is_needed(tmp_path: Path) -> None:
    path = made(tmp_path)
    (tmp_path / "x.properties").unlink()
    with pytest.raises(
        ReadError, match=r"x\.properties, which must accompany the graph, cannot be read"
    ):
        links_of(read(path, format="bvgraph"))
