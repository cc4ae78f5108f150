"""No size, length or number in a file makes a kernel read or write out of bounds.

Sizes in a file are bounded by what the file can hold; a crafted graph,
every checksum of which is right, is refused or read without harm.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.hostile.graphs import QUERY, copy_of, generation_of, read_array, sign, write_arrays
from tests.hostile.processes import MIB, Forks, Run

PROPERTIES = {
    "graphclass": "it.unimi.dsi.webgraph.BVGraph",
    "nodes": "2",
    "arcs": "2",
    "windowsize": "7",
    "minintervallength": "4",
    "zetak": "3",
    "compressionflags": "",
}
WRAPS = 768614336404564650  # times 24 bytes, this is 16 past 2**64


def read_bvgraph(forks: Forks, folder: Path, data: bytes, **told: Any) -> Run:
    """The outcome of a build from such a BVGraph, within a GiB."""
    (folder / "x.graph").write_bytes(data)
    lines = [f"{name}={value}" for name, value in {**PROPERTIES, **told}.items()]
    (folder / "x.properties").write_text("\n".join(lines) + "\n")
    words = ("build", folder / "x.graph", "-o", folder / "web.graph", "--memory", "128M")
    return forks.one(*words, memory=1024 * MIB)


@pytest.mark.parametrize(
    "window",
    [
        WRAPS,
        2**61,
        10**8,
        2**62,
    ],
)
def test_the_window_of_a_bvgraph_is_bounded_by_its_pages(
    window: int, tmp_path: Path, forks: Forks
) -> None:
    done = read_bvgraph(forks, tmp_path, b"\x80\x80", windowsize=window)
    assert done.is_tidy, done


@pytest.mark.parametrize("size", [2**31, 2**32 - 1, 2**61, 2**62 - 1, 2**64])
@pytest.mark.parametrize("name", ["nodes", "arcs", "minintervallength", "zetak"])
def test_every_number_of_a_bvgraph_is_bounded_by_the_file(
    name: str, size: int, tmp_path: Path, forks: Forks
) -> None:
    done = read_bvgraph(forks, tmp_path, b"\x80\x80" * 20, **{name: size})
    assert done.is_refusal, done


LENGTHS = {
    "negative": b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    "endless": b"\xff" * 40,
    "a mebibyte": b"\x80\x80\x40",
}
ASKED = [
    ["info"],
    ["to", QUERY, "--by", "cocitation"],
    ["to", QUERY, "--by", "blend", "--why"],
    ["links", QUERY],
    ["to", QUERY, "--by", "hubfinder", "--criterion", "in-degree", "--like", "0.01"],
    ["export", "-o", "-", "--format", "jsonl"],
    ["rank", "--by", "in-degree", "--csv"],
    ["rank", "--by", "hits", "--hubs", "--csv"],
    ["rank", "--damping", "0.7", "--csv"],
    ["to", QUERY, "--by", "companion"],
    ["to", QUERY, "--by", "pagesim"],
    ["similarity", QUERY, "https://www.h4.org/4", "--by", "simrank"],
]


def ask(forks: Forks, graph: Path) -> list[Run]:
    """The outcome of questions of every kind, within two GiB."""
    return forks.run(*([*words, "-g", graph] for words in ASKED), memory=2048 * MIB)


def craft_lengths(graph: Path, column: str, length: bytes, place: int) -> None:
    """Replace a length in the front-coded strings of a graph."""
    text = read_array(graph, f"{column}.text").tobytes()
    blocks = read_array(graph, f"{column}.blocks")
    at = int(blocks[len(blocks) // 2])
    if place:  # the length that the second string of a block shares with the first
        first = text[at]
        assert first < 128
        at += 1 + first
    crafted = text[:at] + length + text[at + len(length) :]
    called = f"{column}_text"
    write_arrays(graph, **{called: np.frombuffer(crafted[: len(text)], np.uint8)})


@pytest.mark.parametrize("place", [0, 1], ids=["first", "shared"])
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("column", ["names", "titles", "anchors"])
def test_a_crafted_length_in_strings_does_no_harm(
    column: str,
    length: str,
    place: int,
    small_graph: Path,
    tmp_path: Path,
    forks: Forks,
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    craft_lengths(graph, column, LENGTHS[length], place)
    for done in ask(forks, graph):
        assert done.is_tidy, done


@pytest.mark.parametrize("column", ["names", "titles"])
def test_check_decodes_names_and_titles(
    column: str, small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    craft_lengths(graph, column, LENGTHS["a mebibyte"], 0)
    done = forks.one("check", "-g", graph, memory=2048 * MIB)
    assert done.is_refusal, done


def crafted(name: str, graph: Path) -> None:
    """One way to corrupt a graph with correct checksums."""
    folder = generation_of(graph)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    pages = manifest["pages"]
    if name == "a link to no page":
        links = read_array(graph, "out.links")
        links[::7] = 2**32 - 1
        write_arrays(graph, out_links=links)
    elif name == "a parent that is no page":
        links = read_array(graph, "in.links")
        links[::7] = pages + 12345678
        write_arrays(graph, in_links=links)
    elif name == "offsets past the links":
        offsets = read_array(graph, "out.offsets")
        offsets[pages // 2 :] += np.uint64(1 << 40)
        write_arrays(graph, out_offsets=offsets)
    elif name == "offsets that go back":
        offsets = read_array(graph, "in.offsets")
        offsets[1:-1] = offsets[1:-1][::-1].copy()
        write_arrays(graph, in_offsets=offsets)
    elif name == "blocks past the text":
        write_arrays(graph, names_blocks=read_array(graph, "names.blocks") + np.uint64(1 << 40))
    elif name == "sites past all sites":
        write_arrays(graph, hosts=read_array(graph, "hosts") | np.uint32(1 << 31))
    elif name == "directions that differ":
        write_arrays(graph, in_links=read_array(graph, "in.links")[::-1].copy())
    elif name == "a link a thousand times":
        links = read_array(graph, "out.links")
        links[:] = links[len(links) // 2]
        write_arrays(graph, out_links=links)
    elif name == "names that are no names":
        text = read_array(graph, "names.text")
        text[text > 64] = 6
        write_arrays(graph, names_text=text)
    elif name == "no names":
        write_arrays(graph, names_text=np.empty(0, np.uint8))
    elif name == "fewer blocks":
        write_arrays(graph, names_blocks=read_array(graph, "names.blocks")[:1])
    elif name == "fewer offsets":
        write_arrays(graph, out_offsets=read_array(graph, "out.offsets")[:9])
    elif name == "counts of words that lie":
        write_arrays(graph, terms_counts=read_array(graph, "terms.counts")[:1])
    else:
        value = {"more pages": pages * 1000, "a negative number of pages": -1}.get(name, name)
        sign(graph, {**manifest, "pages": value})


LIES = (
    "a link to no page",
    "a parent that is no page",
    "offsets past the links",
    "offsets that go back",
    "blocks past the text",
    "sites past all sites",
    "a link a thousand times",
    "names that are no names",
    "no names",
    "fewer blocks",
    "fewer offsets",
    "counts of words that lie",
    "more pages",
    "a negative number of pages",
    "pages in words",
)


@pytest.mark.parametrize("lie", LIES)
def test_a_crafted_graph_is_refused_or_read_without_harm(
    lie: str,
    small_graph: Path,
    tmp_path: Path,
    forks: Forks,
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    crafted(lie, graph)
    for done in ask(forks, graph):
        assert done.is_tidy, done


def test_directions_that_differ_crash_nothing_and_check_finds_them(
    small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    """Opening compares no link with its other direction; reasons may then find nothing."""
    graph = copy_of(small_graph, tmp_path / "web.graph")
    crafted("directions that differ", graph)
    for done in ask(forks, graph):
        assert done.status >= 0, done
    assert forks.one("check", "-g", graph).is_refusal


@pytest.mark.parametrize(
    "manifest",
    [
        {},
        [],
        {"files": {}},
        {"files": {"../../../etc/passwd": {"dtype": "|u1", "count": 1, "blake2b": ""}}},
        {"files": {"out.offsets": {"dtype": "|O", "count": 1, "blake2b": ""}}},
        {"files": {"out.offsets": {"dtype": "<u8", "count": -1, "blake2b": ""}}},
        {"files": {"out.offsets": {"dtype": "<u8", "count": 2**62, "blake2b": ""}}},
        {"files": {"out.offsets": {"dtype": "<u8", "count": "1", "blake2b": ""}}},
        {"auto_site": "planet"},
        {"read_pages": float("nan")},
    ],
    ids=[
        *("empty", "list", "no files", "elsewhere", "objects", "negative", "huge", "text", "site"),
        "not a number",
    ],
)
def test_a_crafted_manifest_is_refused(
    manifest: Any, small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    if manifest and isinstance(manifest, dict) and manifest.get("files", True):
        whole = json.loads((generation_of(graph) / "manifest.json").read_bytes())
        files = {**whole["files"], **manifest.get("files", {})}
        manifest = {**whole, **manifest, "files": files}
    sign(graph, manifest)
    done = forks.one("info", "-g", graph, memory=2048 * MIB)
    assert done.is_refusal, done


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("huge.mtx", b"%%MatrixMarket matrix coordinate pattern general\n4000000000 1 1\n1 1\n"),
        ("huge.adj", b"SparseMatrix: 4000000000 by 4000000000\n0: 1 -1\n"),
        ("far.tsv", b"0 4000000000\n1 0\n"),
    ],
)
def test_a_small_file_cannot_claim_much_memory(
    name: str, data: bytes, tmp_path: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    (tmp_path / name).write_bytes(data)
    words = ("build", tmp_path / name, "-o", tmp_path / "web.graph", "--memory", "256M")
    done = forks.one(*words, memory=1024 * MIB)
    assert done.is_tidy, done
