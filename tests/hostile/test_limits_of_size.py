"""The largest graphs that the format allows, in sparse files: read correctly, or rejected."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import whatsrelated as wr
from tests.hostile.graphs import generation_of, sign
from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError, OutOfMemory
from whatsrelated.graph import format as disk
from whatsrelated.kernels.scratch import keep_within

pytest.importorskip("whatsrelated.kernels.shared._packing", reason="kernels not compiled")

MAX_WORDS = 1 << 32


def sparse(path: Path, words: int) -> np.memmap:
    """A sparse array of zeros, which takes no disk space."""
    with path.open("wb") as file:
        file.truncate(8 * words)
    return np.memmap(path, np.uint64, "r+")


def links_of(arrays: tuple[np.ndarray, ...], pages: int) -> kernels.links.Links:
    wide = kernels.packing.width(pages)
    arena = kernels.links.Arena()
    return kernels.links.PackedLinks(arrays, arrays, pages, wide, arena)


def test_lists_at_the_end_of_32_gib_are_read(tmp_path: Path) -> None:
    words = sparse(tmp_path / "words", MAX_WORDS)
    pages = (1 << 32) - 1
    wide = kernels.packing.width(pages)
    rows = [[pages - 1, 0, 5], [], [1 << 31], [7], [], [], [2, 3, pages - 2]]
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint64)
    links = np.array([link for row in rows for link in row], np.uint32)
    base = MAX_WORDS - 100
    index, longs, block = kernels.packing.encode(offsets, links, 0, wide, base)
    words[base : base + len(block)] = block
    packed = links_of((index, longs, words), pages)
    assert [packed.row(page, False).tolist() for page in range(7)] == rows
    assert kernels.packing.fault(index, longs, words, 0, 7, pages, wide) == -1
    assert kernels.packing.fault(index, longs, words[: base + 1], 0, 7, pages, wide) == 0


def test_a_list_of_100_million_links_is_read_and_bounded_by_the_memory_of_a_question(
    tmp_path: Path,
) -> None:
    """Zeros are gaps of 1: every chunk leads to the 256 pages after its own."""
    degree, pages = 100_000_000, 100_000_001
    words = sparse(tmp_path / "words", 1 << 20)
    index = np.array([0, 255, 0, 0, 0], np.uint32)
    longs = np.array([0, degree, 0], np.uint32)  # at the first word, in the first table
    assert kernels.packing.degrees(index, longs, words, 0, 16).tolist() == [degree] + [0] * 15
    packed = links_of((index, longs, words), pages)
    assert packed.degrees(np.array([0]), False).tolist() == [degree]
    sites = np.zeros(300, np.uint32)
    limits = kernels.limits.Limits(memory=64 << 20)
    with (
        pytest.raises(OutOfMemory, match="more than the 64 MB that it may take"),
        keep_within(limits),
    ):
        packed.is_inward(sites, 0)


def test_too_many_pages_for_32_bits_is_one_sentence(tmp_path: Path) -> None:
    """All of 2³² pages without names but the first, in files that are as long as they say."""
    wr.build([wr.Page("a", ["b"])], tmp_path / "web.graph", store="plain")
    folder = generation_of(tmp_path / "web.graph")
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["pages"] = disk.MAX_PAGES + 1
    for name, extra in {"out.offsets": 1, "in.offsets": 1, "hosts": 0, "domains": 0}.items():
        file = manifest["files"][name]
        file["count"] = manifest["pages"] + extra
        with (folder / f"{name}.npy").open("r+b") as stream:
            stream.write(disk.header(file["dtype"], file["count"]))
            stream.truncate(disk.HEADER + file["count"] * np.dtype(file["dtype"]).itemsize)
    sign(tmp_path / "web.graph", manifest)
    for verify in ("full", "lazy", "none"):
        with pytest.raises(GraphFormatError, match=r"4,294,967,296 pages, and .* 4,294,967,295"):
            wr.open(tmp_path / "web.graph", verify=verify)
