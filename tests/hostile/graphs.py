"""Graphs for the hostile tests: a small one with every feature, and expensive ones."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np

import whatsrelated
from whatsrelated import Page
from whatsrelated.graph.checksum import Checksum
from whatsrelated.graph.word_index import word_index
from whatsrelated.stream import CheckedLinks, DeadLink

WORDS = ("tea", "coffee", "cocoa", "mate", "water", "milk", "sugar", "lemon", "ginger", "mint")
QUERY = "https://www.h3.org/3"
"""A page of the small graph, with parents and children."""


def build_small(path: Path, pages: int = 150, seed: int = 17) -> Path:
    """A graph with both kinds of names, titles, anchors, words, and cached ranks."""
    draw = random.Random(seed)
    names = [f"https://www.h{i % 12}.org/{i}" for i in range(pages - 20)]
    names += [f"Note {i} – {draw.choice(WORDS)}" for i in range(20)]
    listed = []
    for name in names:
        links = draw.sample(names, draw.randint(3, 12))
        listed.append(
            Page(
                name,
                links,
                title=" ".join(draw.choices(WORDS, k=4)),
                anchors=[draw.choice(WORDS) for _ in links],
                text=" ".join(draw.choices(WORDS, k=30)),
                navigation=3,
                checked=CheckedLinks([DeadLink(7, "gone")]),
            )
        )
    graph = whatsrelated.build(listed, path, text=True)
    graph.rank("pagerank")
    graph.rank("hits")
    word_index(graph.store)
    return path


def copy_of(graph: Path, place: Path) -> Path:
    """A copy to change."""
    shutil.copytree(graph, place)
    return place


def generation_of(graph: Path) -> Path:
    """The folder with the arrays."""
    told = json.loads((graph / "current").read_bytes())
    return graph / str(told["generation"])


def write_arrays(graph: Path, **arrays: np.ndarray[Any, Any]) -> None:
    """Replace arrays of a graph and sign it again, as an attacker would.

    Names of arrays have an underscore for the dot: `names_text`.  Every checksum
    is right afterwards.
    """
    folder = generation_of(graph)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for name, array in arrays.items():
        called = name.replace("_", ".")
        np.save(folder / f"{called}.npy", array)
        told = manifest["files"][called]
        told["count"] = len(array)
        told["sha256"] = hashlib.sha256(array.tobytes()).hexdigest()
        checksum = Checksum()
        checksum.update(array.tobytes())
        told["sum"] = checksum.hexdigest()
    sign(graph, manifest)


def sign(graph: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest and record its checksum."""
    folder = generation_of(graph)
    data = json.dumps(manifest, indent=1).encode()
    (folder / "manifest.json").write_bytes(data)
    current = json.loads((graph / "current").read_bytes())
    (graph / "current").write_text(json.dumps({**current, "manifest": _digest(data)}))


def read_array(graph: Path, name: str) -> np.ndarray[Any, Any]:
    """An array of a graph, to change."""
    array: np.ndarray[Any, Any] = np.load(generation_of(graph) / f"{name}.npy").copy()
    return array


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def build_hub(folder: Path, parents: int, siblings: int, shared: bool) -> Path:
    """A graph around page 0: so many parents, which link to it and to so many siblings each.

    `shared`: all parents link to the same siblings, else each to its own.
    """
    pages = 1 + parents + siblings * (1 if shared else parents)
    degrees = np.zeros(pages + 1, np.uint64)
    degrees[2 : parents + 2] = siblings + 1
    own = np.arange(siblings) + parents + 1
    rows = np.zeros((parents, siblings + 1), np.uint32)
    rows[:, 1:] = own if shared else own + siblings * np.arange(parents)[:, None]
    source = folder / "arrays"
    source.mkdir(parents=True)
    np.save(source / "offsets.npy", np.cumsum(degrees, dtype=np.uint64))
    np.save(source / "links.npy", rows.ravel())
    (source / "names.txt").write_text("".join(f"{page}\n" for page in range(pages)))
    whatsrelated.build(source, folder / "hub.graph")
    shutil.rmtree(source)
    return folder / "hub.graph"
