"""What does a build cost, also with limited memory, and does the graph survive if it is killed?

    python -m benchmarks.builds FOLDER [--links 20000000 --urls 1000000]
                                [--numbers 200000000 --pages 10000000] [--kills 200]

FOLDER receives the input files and graphs, some 10 GB.  Builds are compared with a Python
dict and NumPy.  Each runs in its own process; peak memory and CPU time are the system's
counts for it.
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.measure import sizes_asked_for, table
from whatsrelated import api

RELATED = str(Path(sys.executable).with_name("related"))

BY_DICT = """
import sys, numpy as np
from array import array
from whatsrelated.urls import canonical
ids, sources, targets = {}, array("I"), array("I")
for line in open(sys.argv[1]):
    source, target = line.rstrip("\\n").split("\\t")
    sources.append(ids.setdefault(source, len(ids)))
    targets.append(ids.setdefault(target, len(ids)))
names = [canonical(name) for name in ids]
order = sorted(range(len(names)), key=names.__getitem__)
number = np.empty(len(names), np.uint32)
number[order] = np.arange(len(names), dtype=np.uint32)
sources = number[np.frombuffer(sources, np.uint32)]
targets = number[np.frombuffer(targets, np.uint32)]
pairs = sources.astype(np.uint64) << np.uint64(32) | targets
first = np.sort(np.unique(pairs, return_index=True)[1])
sources, targets = sources[first], targets[first]
degrees = np.bincount(targets, minlength=len(names))
for keys, values, ties in ((sources, targets, None), (targets, sources, degrees)):
    sorting = (keys,) if ties is None else (values, -ties[values], keys)
    placed = np.lexsort(sorting)
    offsets = np.searchsorted(keys[placed], np.arange(len(names) + 1))
    np.save(sys.argv[2], values[placed])
    np.save(sys.argv[2], offsets)
open(sys.argv[2], "w").write("\\n".join(names[i] for i in order))
"""


def run(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak MiB of a process."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def url_list(path: Path, links: int, urls: int) -> None:
    """A tab-separated list of links between URLs, generated once."""
    if path.exists():
        return
    rng = np.random.default_rng(5)
    names = [
        f"https://www.site{i % 9973}.example.org/docs/part{i % 31}/page-{i}.html"
        for i in range(urls)
    ]
    with path.with_suffix(".new").open("w") as file:
        for _ in range(0, links, 1_000_000):
            sources = (urls * rng.random(1_000_000) ** 2).astype(int).tolist()
            targets = (urls * rng.random(1_000_000) ** 3).astype(int).tolist()
            file.writelines(
                f"{names[s]}\t{names[t]}\n" for s, t in zip(sources, targets, strict=True)
            )
    path.with_suffix(".new").rename(path)


def number_list(path: Path, links: int, pages: int) -> None:
    """A tab-separated list of links between numbers, generated once."""
    if path.exists():
        return
    with path.with_suffix(".new").open("wb") as file:
        for part in range(0, links, 2_000_000):
            rng = np.random.default_rng(part)
            sources = (pages * rng.random(2_000_000) ** 2).astype(np.int64)
            targets = (pages * rng.random(2_000_000) ** 3).astype(np.int64)
            np.savetxt(file, np.column_stack([sources, targets]), fmt="%d", delimiter="\t")
    path.with_suffix(".new").rename(path)


def urls(folder: Path, links: int, count: int, repeats: int) -> None:
    """Build the same URLs with a dict and NumPy, with `related build`, and within 512 MiB."""
    path = folder / f"urls-{links}-{count}.tsv"
    url_list(path, links, count)
    output = str(folder / "urls.graph")
    rivals = {
        "a dict and NumPy": [
            sys.executable,
            "-c",
            BY_DICT,
            str(path),
            str(folder / "dict.out.npy"),
        ],
        "related build": [RELATED, "build", str(path), "-o", output],
        "… --memory 512M": [RELATED, "build", str(path), "-o", output, "--memory", "512M"],
    }
    report(
        f"{links:,} links between {count:,} URLs", in_turns(rivals, repeats), "related build", links
    )


def numbers(folder: Path, links: int, pages: int, repeats: int) -> None:
    """Build links between numbers, in memory and within 2 GiB."""
    path = folder / f"numbers-{links}-{pages}.tsv"
    number_list(path, links, pages)
    output = str(folder / "numbers.graph")
    rivals = {
        "in memory": [RELATED, "build", str(path), "-o", output, "--memory", "16G"],
        "--memory 2G": [RELATED, "build", str(path), "-o", output, "--memory", "2G"],
    }
    report(
        f"{links:,} links between {pages:,} numbers", in_turns(rivals, repeats), "in memory", links
    )


def in_turns(
    rivals: dict[str, list[str]], repeats: int
) -> dict[str, list[tuple[float, float, float]]]:
    """The cost of every run of every command, interleaved."""
    runs: dict[str, list[tuple[float, float, float]]] = {name: [] for name in rivals}
    for _ in range(repeats):
        for name, command in rivals.items():
            runs[name].append(run(command))
    return runs


def report(
    title: str, taken: dict[str, list[tuple[float, float, float]]], base: str, links: int
) -> None:
    medians = {
        name: [statistics.median(column) for column in zip(*rows, strict=True)]
        for name, rows in taken.items()
    }
    rows = [
        [name, wall, cpu, wall / links * 1e9, peak, wall / medians[base][0]]
        for name, (wall, cpu, peak) in medians.items()
    ]
    table(title, ["", "s", "CPU s", "ns a link", "peak MiB", f"times “{base}”"], rows)


def kills(folder: Path, count: int) -> None:
    """Kill builds over an existing graph at random moments; the graph must stay intact."""
    path = folder / "killed.graph"
    for name, links, pages in (("a", 400_000, 40_000), ("b", 500_000, 30_000)):
        if not (folder / f"{name}.tsv").exists():
            rng = np.random.default_rng(links)
            np.savetxt(
                folder / f"{name}.tsv",
                rng.integers(0, pages, (links, 2)),
                fmt="h%d.org/",
                delimiter="\t",
            )
    run([RELATED, "build", str(folder / "a.tsv"), "-o", str(path)])
    whole, _, _ = run(
        [RELATED, "build", str(folder / "b.tsv"), "-o", str(path), "--memory", "128M"]
    )
    known = {len(api.open(path))}
    run([RELATED, "build", str(folder / "a.tsv"), "-o", str(path)])
    known.add(len(api.open(path)))
    draw = random.Random(7)
    seen: dict[int, int] = {}
    for turn in range(count):
        source = folder / ("a.tsv" if turn % 2 else "b.tsv")
        process = subprocess.Popen(
            [RELATED, "build", str(source), "-o", str(path), "--memory", "128M"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(draw.random() * whole)
        process.send_signal(signal.SIGKILL)
        process.wait()
        graph = api.open(path)
        assert len(graph) in known, len(graph)
        assert graph.store.check() is None
        seen[len(graph)] = seen.get(len(graph), 0) + 1
    table(
        f"{count} kills within {whole:.2f} s of building",
        ["pages afterwards", "times"],
        [list(pair) for pair in seen.items()],
    )


def main() -> None:
    given = sizes_asked_for(
        __doc__,
        links=20_000_000,
        urls=1_000_000,
        numbers=200_000_000,
        pages=10_000_000,
        kills=200,
        repeats=1,
    ).parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.links:
        urls(given.folder, given.links, given.urls, given.repeats)
    if given.numbers:
        numbers(given.folder, given.numbers, given.pages, given.repeats)
    if given.kills:
        kills(given.folder, given.kills)


if __name__ == "__main__":
    main()
