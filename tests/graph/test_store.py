"""The store: links, names, and errors in a graph."""

from __future__ import annotations

import json
import shutil
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np

from whatsrelated import api
from whatsrelated.api import Graph
from whatsrelated.graph import format as disk
from whatsrelated.graph.store import Store
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, Page


def test_the_first_link_in_only_one_direction_is_named(path: Path) -> None:
    store = api.open(path).store
    arrays = dict(store.arrays)
    arrays["in.links"] = np.array(arrays["in.links"])
    target = store.names.page_of("7")
    assert target is not None
    arrays["in.links"][int(store.in_offsets[target])] = store.names.page_of("https://b.org/")
    broken = Store(arrays, {**store.manifest, "files": {}})
    assert broken.check() == "the link Tea -> 7 has only one direction"


def test_a_graph_can_be_copied_and_moved(path: Path, tmp_path: Path) -> None:
    shutil.copytree(path, tmp_path / "copy.graph")
    shutil.rmtree(path)
    assert api.open(tmp_path / "copy.graph").store.check() is None


def test_a_name_stored_as_given_is_found_as_given() -> None:
    names = ["http://a.org", "http://a.org/", "http://A.org/x#top", "http://a.org/%7Ex"]
    graph = Graph.from_links([("p", name) for name in names], urls="keep")
    assert [graph.url(graph.page(name)) for name in names] == names


def unread(graph: Graph) -> list[str]:
    """The pages that were not read."""
    pages = np.arange(len(graph))
    return [graph.url(page) for page in pages[~graph.store.is_read(pages)]]


def test_a_page_is_read_when_a_source_gives_it_and_not_when_it_is_linked_to() -> None:
    pages = [Page("a", ["b", "c"]), Page("b"), Page("e", ["e"]), Page("f", title="F", read=False)]
    graph = Graph.from_pages(pages)
    assert unread(graph) == ["c", "f"]
    assert graph.store.read_pages == 3


def test_sources_of_bulk_links_count_as_read_and_so_does_what_the_source_reports() -> None:
    names = Names.of([b"a", b"b", b"c", b"d", b"gopher://x/"])
    links = np.array([0, 1], np.uint32), np.array([1, 1], np.uint32)
    titles = {2: "C"}
    assert unread(Graph.from_pages([NamedLinks(names, *links, titles)])) == ["b", "c", "d"]
    read = NamedLinks(names, *links, titles, np.array([3, 4], np.uint32))
    assert unread(Graph.from_pages([read, Page("b")])) == ["c"]
    numbers = NumberedLinks(np.array([3, 5], np.uint64), np.array([1, 5], np.uint64), 2)
    assert unread(Graph.from_pages([numbers])) == ["0", "1", "5"]
    assert unread(Graph.from_links([("a", "b")], pages=["c"], titles={"d": "D"})) == ["b", "d"]


def test_without_read_marks_pages_with_links_count_as_read(path: Path) -> None:
    folder = path / "generation-000001"
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["files"]["read"], manifest["read_pages"]
    (folder / "read.npy").unlink()
    data = json.dumps(manifest).encode()
    (folder / "manifest.json").write_bytes(data)
    current = json.loads((path / "current").read_bytes())
    (path / "current").write_text(json.dumps({**current, "manifest": disk.digest(data)}))
    store = api.open(path).store
    assert store.check() is None
    linking = [page for page in range(store.n_pages) if len(store.links_from(page))]
    assert np.flatnonzero(store.is_read(np.arange(store.n_pages))).tolist() == linking
    assert store.read_pages == len(linking) < store.n_pages


def test_bits_for_another_number_of_pages_are_a_fault(path: Path) -> None:
    store = api.open(path).store
    arrays = {**store.arrays, "read": np.zeros(2, np.uint8)}
    broken = Store(arrays, {**store.manifest, "files": {}})
    assert broken.check() == "read has 2 entries instead of 1"


def test_the_bits_of_a_byte_are_pages_from_the_lowest_on(path: Path) -> None:
    store = api.open(path).store
    (byte,) = np.load(path / "generation-000001" / "read.npy").tolist()
    bits = [bool(byte >> page & 1) for page in range(5)]
    assert store.is_read(np.arange(5)).tolist() == bits
    assert any(bits)
    assert not all(bits)


def test_links_are_mapped_from_disk_in_both_directions(path: Path) -> None:
    store = api.open(path).store
    for name in ("out.links", "in.links", "out.offsets", "in.offsets"):
        buffer: Any = store.arrays[name]
        while not isinstance(buffer, mmap):
            buffer = buffer.obj if isinstance(buffer, memoryview) else buffer.base
    pages = range(store.n_pages)
    forwards = {(page, child) for page in pages for child in store.links_from(page).tolist()}
    backwards = {(parent, page) for page in pages for parent in store.links_to(page).tolist()}
    assert forwards == backwards
    assert len(forwards) == store.n_links
