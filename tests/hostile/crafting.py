"""Crafted graphs: changed bytes with correct checksums, and all kinds of queries on them.

An attacker also updates the checksums, so none reveals the change.  A query must be answered
or rejected: a signal, a traceback or status 500 over HTTP is a fault.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.hostile.graphs import QUERY, generation_of, sign, write_arrays
from tests.hostile.processes import MIB, Forks, Run
from whatsrelated.graph import format as disk
from whatsrelated.graph.checksum import Checksum
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS
from whatsrelated.ranks import cache as ranks

OTHER = "https://www.h4.org/4"
QUESTIONS: list[list[str]] = [
    *(["to", QUERY, "--by", method, "--why"] for method in METHODS),
    ["to", QUERY, OTHER, "--by", "hubfinder", "--like", "0.01"],
    *(["rank", "--by", rank, "--csv"] for rank in RANKS),
    ["rank", "--by", "hits", "--hubs", "--csv"],
    *(["similarity", QUERY, OTHER, "--by", by] for by in ("cocitation", "simrank", "blend")),
    ["compare", QUERY, "--by", "walk,cpa,coupling,peers"],
    ["links", QUERY, "--json"],
    ["pages", "tea"],
    ["pages", "te cofee"],
    ["pages", "--folder", "https://www.h3.org/", "--order", "folder"],
    ["common", QUERY, OTHER],
    *(["export", "-o", "-", "--format", kind] for kind in ("edges", "jsonl", "graphml")),
    ["info", "--json"],
    ["check"],
]
GAPS = ["gaps", "--json"]
"""Takes the graph as an argument."""
HTTP = [
    f"/api/related?url={QUERY}&why=1",
    f"/api/compare?url={QUERY}&by=cocitation,companion",
    f"/api/similarity?url={QUERY}&url={OTHER}",
    "/api/pages?prefix=h",
    "/api/pages?words=tea",
    f"/api/links?url={QUERY}",
    f"/api/vicinity?url={QUERY}",
    f"/api/picture?url={QUERY}",
    f"/api/common?url={QUERY}&url={OTHER}",
    "/api/rank?by=mbcc",
    "/api/rank?by=pagerank",
    "/api/gaps",
    f"/?url={QUERY}",
]
ODD = (
    None,
    True,
    -1,
    0,
    2**62,
    2**64,
    1e308,
    float("nan"),
    "",
    "\0",
    "../..",
    [],
    [None],
    {},
    {"a": 1},
)


def craft(graph: Path, seed: int, only: str = "") -> str:
    """Change bytes of an array of a graph, or its manifest, and sign it; what was changed.

    `only`: how the name of the array ends.
    """
    draw = random.Random(seed)
    if not only and draw.random() < 0.1:
        return craft_manifest(graph, draw)
    files = [file for file in sorted(graph.rglob("*.npy")) if file.stem.endswith(only)]
    file = draw.choice(files)
    array = np.load(file)
    raw = array.view(np.uint8)
    for _ in range(draw.choice((1, 1, 2, 8)) if len(raw) else 0):
        at, kind = draw.randrange(len(raw)), draw.randrange(4)
        if kind == 0:
            raw[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            raw[at] = draw.randrange(256)
        elif kind == 2:
            at -= at % 4
            value = draw.choice((0, 1, 2**31, 2**32 - 1, draw.randrange(2**32), draw.randrange(99)))
            raw[at : at + 4] = np.frombuffer(value.to_bytes(4, "little"), np.uint8)[: len(raw) - at]
        else:
            raw[at : at + 64] = np.frombuffer(draw.randbytes(64), np.uint8)[: len(raw) - at]
    if draw.random() < 0.1:
        array = array[: draw.randrange(len(array) + 1)]
    write(graph, file, array)
    return file.stem


def craft_manifest(graph: Path, draw: random.Random) -> str:
    """Put an odd value into the manifest of a graph, however deep; where."""
    manifest = json.loads((generation_of(graph) / "manifest.json").read_bytes())
    inside, path = manifest, "manifest"
    while True:
        key = draw.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        path += f".{key}"
        if not isinstance(inside[key], dict | list) or not inside[key] or draw.random() < 0.2:
            inside[key] = draw.choice(ODD)
            sign(graph, manifest)
            return path
        inside = inside[key]


def write(graph: Path, file: Path, array: np.ndarray[Any, Any]) -> None:
    """Put another array into a file of a graph, and sign it."""
    if file.parent == generation_of(graph):
        write_arrays(graph, **{file.stem.replace(".", "_"): array})
        return
    disk.write_array(file, array)
    if file.parent.name == ranks.FOLDER:
        rank, _, name = file.stem.rpartition(".")
        described = file.with_name(f"{rank}.json")
        content = json.loads(described.read_bytes())
        content["arrays"][name] = disk.describe_data(array)
    else:
        described = file.with_name("index.json")
        content = json.loads(described.read_bytes())
        content["counts"][file.stem] = len(array)
        checksum = Checksum()
        checksum.update(array.tobytes())
        content["sums"][file.stem] = checksum.hexdigest()
    described.write_text(json.dumps(content))


def answers(forks: Forks, graph: Path) -> list[tuple[str, Run]]:
    """What becomes of every question, by the command and over HTTP."""
    commands = [[*words, "-g", str(graph)] for words in QUESTIONS]
    commands += [[*GAPS, str(graph)], ["http", str(graph), *HTTP]]
    runs = forks.run(*commands, memory=2048 * MIB, seconds=10)
    return [(" ".join(words[:6]), run) for words, run in zip(commands, runs, strict=True)]


def faults(
    forks: Forks, graph: Path, place: Path, seeds: range, only: str = ""
) -> Iterator[tuple[str, Run]]:
    """Craft a copy of the graph for each seed, and ask everything of it."""
    for seed in seeds:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(graph, place)
        name = craft(place, seed, only)
        for question, run in answers(forks, place):
            if not run.is_tidy:
                yield f"seed {seed}, {name}, {question}", run
