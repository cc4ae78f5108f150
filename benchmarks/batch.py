"""How fast are answers for all pages, compared with single queries and SciPy's AᵀA?

    python -m benchmarks.batch FOLDER [--pages 900000] [--links 16000000] [--repeats 3]
    python -m benchmarks.batch FOLDER --graph web.graph
    python -m benchmarks.batch FOLDER --scipy [--pages 2000000] [--links 40000000]
    python -m benchmarks.batch FOLDER --memory 256M,1G [--pages 2000000] [--links 40000000]

Prints pages per second of CPU time for `graph.related` in a loop and for `related_all`:
medians of interleaved runs over the same pages.  Also prints how much of the time each
output format takes, and the wall time of two processes compared with one.

`--scipy` compares the cocitation of all pages, without a window, with SciPy's AᵀA and the ten
largest values of each row.  Each runs in its own process, and the table gives seconds and the
memory used in addition to the graph.

`--memory` prints the peak memory of all processes of `related all --memory`, without
mapped files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

import whatsrelated as wr
from benchmarks.generate import opened
from benchmarks.measure import sizes_asked_for, table
from whatsrelated.apps.batch.formats import WRITERS, write
from whatsrelated.apps.batch.job import Job
from whatsrelated.apps.batch.run import answer_all
from whatsrelated.contract.blocks import AnswerBlock
from whatsrelated.query.many import ask_many

METHODS = {"cocitation": (20_000, 2_000), "companion": (4_000, 1_000), "blend": (600, 300)}
"""Number of pages answered in a batch, and one by one."""
WITHIN = {
    "cocitation": "--by cocitation --sample 24000",
    "companion": "--by companion --sample 24000",
    "the default": "--sample 2000",
    "cocitation, long lists": "--by cocitation --siblings all --limit 1000 --sample 2000",
}
"""The queries to run while memory is sampled: two parts, if that is quick."""
ROWS = 2_000
"""Number of rows of AᵀA that SciPy computes at a time."""
RANKED = 10


def main() -> None:
    parser = sizes_asked_for(__doc__, pages=900_000, links=16_000_000, repeats=3)
    parser.add_argument("--graph")
    parser.add_argument("--scipy", action="store_true")
    parser.add_argument("--memory", help="bounds to run related all within")
    parser.add_argument("--rival", choices=list(RIVALS))
    parser.add_argument("--share", type=int, default=20, help="SciPy computes one row in so many")
    given = parser.parse_args()
    graph = wr.open(given.graph) if given.graph else opened(given.folder, given.pages, given.links)
    if given.rival:
        RIVALS[given.rival](graph, given.share)
    elif given.scipy:
        beside_scipy(graph, given)
    elif given.memory:
        within_memory(graph, given.folder, given.memory.split(","))
    else:
        speeds(graph, given.folder, given.repeats)
        processes(graph, given.folder, given.repeats)


def speeds(graph: wr.Graph, folder: Path, repeats: int) -> None:
    """Pages per second, singly and in batches of neighbouring pages, and the cost of writing."""
    rows, shares = [], []
    chance = np.random.default_rng(0)
    for by, (many, few) in METHODS.items():
        taken: dict[str, list[float]] = {"one by one": [], "related_all": []}
        written: dict[str, list[float]] = {format: [] for format in WRITERS}
        for _ in range(repeats):
            first = int(chance.integers(max(1, len(graph) - many)))
            pages = np.arange(first, min(first + many, len(graph)), dtype=np.uint32)
            asker = graph.asker(by, chop=False)
            ask_many(asker, pages[:few])
            taken["one by one"].append(_one_by_one(graph, by, pages[:few]))
            taken["related_all"].append(_rate(len(pages), partial(ask_many, asker, pages)))
            block = ask_many(asker, pages)
            for format, rates in written.items():
                rates.append(_rate(len(pages), partial(_write, graph, format, block, folder)))
        asked = median(taken["related_all"])
        rows.append([by, *map(median, taken.values())])
        shares.append([by, *(asked / (asked + median(rates)) for rates in written.values())])
    title = f"on {graph.n_links:,} links"
    table(f"Pages per second of CPU {title}", ["method", "one by one", "related_all"], rows)
    table(f"Share of writing in the CPU time {title}", ["method", *WRITERS], shares)


def _rate(pages: int, run: object) -> float:
    assert callable(run)
    begun = time.process_time()
    run()
    return pages / (time.process_time() - begun)


def _one_by_one(graph: wr.Graph, by: str, pages: np.ndarray) -> float:
    urls = graph.store.urls(pages)
    return _rate(len(pages), lambda: [graph.related(url, by=by, chop=False) for url in urls])


def _write(graph: wr.Graph, format: str, block: AnswerBlock, folder: Path) -> None:
    path = folder / "speed.part"
    path.write_bytes(b"")
    write(format, graph.store, [block], path, packed=False)


def processes(graph: wr.Graph, folder: Path, repeats: int) -> None:
    """Two processes against one: wall time, which other work affects, and total CPU time."""
    taken: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    n_pages = min(len(graph), 24 * 20_000)
    for _ in range(repeats):
        for count, seconds in taken.items():
            output = folder / "processes.parquet"
            shutil.rmtree(output, ignore_errors=True)
            job = Job(graph.batch("cocitation", chop=False), output, "parquet", n_pages)
            begun = os.times()
            answer_all(graph, job, processes=count)
            ended = os.times()
            used = sum(ended[:4]) - sum(begun[:4])
            seconds.append((ended.elapsed - begun.elapsed, used))
    size = sum(file.stat().st_size for file in output.glob("part-*"))
    rows = sum(file.metadata.num_rows for file in _files(output))
    one, two = ([median(column) for column in zip(*pairs, strict=True)] for pairs in taken.values())
    table(
        f"Cocitation of {n_pages:,} pages, written to Parquet, {size / rows:.2f} bytes a row",
        ["", "one process, s", "two, s", "ratio"],
        [["wall", one[0], two[0], one[0] / two[0]], ["CPU", one[1], two[1], one[1] / two[1]]],
    )


def _files(output: Path) -> list:
    from pyarrow.parquet import ParquetFile

    return [ParquetFile(path) for path in output.glob("part-*")]


def within_memory(graph: wr.Graph, folder: Path, bounds: list[str]) -> None:
    """The peak memory of all processes, sampled twenty times per second."""
    rows = []
    for bound in bounds:
        for asked, how in WITHIN.items():
            output = folder / "memory.parquet"
            shutil.rmtree(output, ignore_errors=True)
            words = [sys.executable, "-m", "whatsrelated", "all", str(graph.store.path)]
            words += ["-o", str(output), "--memory", bound, *how.split()]
            with subprocess.Popen(words, stderr=subprocess.DEVNULL) as run:
                most, processes = 0.0, 0
                while run.poll() is None:
                    own = [_held(process) for process in (run.pid, *_children(run.pid))]
                    most, processes = max(most, sum(own)), max(processes, len(own))
                    time.sleep(0.05)
            rows.append([bound, asked, processes, most])
    table(
        f"related all --memory on {graph.n_links:,} links",
        ["bound", "asked for", "processes", "MB held at most"],
        rows,
    )


def _children(process: int) -> list[int]:
    """The descendants of a process."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    try:
        return [int(one) for path in listed for one in path.read_text().split()]
    except OSError:
        return []


def beside_scipy(graph: wr.Graph, given: argparse.Namespace) -> None:
    """Run each rival in its own process, interleaved."""
    words = [sys.executable, "-m", "benchmarks.batch", str(given.folder)]
    words += ["--pages", str(given.pages), "--links", str(given.links)]
    words += ["--share", str(given.share), *(["--graph", given.graph] if given.graph else [])]
    outputs: dict[str, list[list[str]]] = {name: [] for name in RIVALS}
    for _ in range(given.repeats):
        for name, runs in outputs.items():
            run = subprocess.run([*words, "--rival", name], stdout=subprocess.PIPE, check=True)
            runs.append(run.stdout.decode().split())
    rows: list[list] = [
        [name, *(median(map(float, column)) for column in zip(*runs, strict=True))]
        for name, runs in outputs.items()
    ]
    rows.append(["ratio", rows[1][1] / rows[0][1], rows[1][2] / rows[0][2]])
    table(
        f"Cocitation on {graph.n_links:,} links, from one row in {given.share}",
        ["", "CPU s for all rows", "MB beside the graph"],
        rows,
    )


def _by_related_all(graph: wr.Graph, share: int) -> None:
    asker = graph.asker("cocitation", siblings="all", parents=2**31, chop=False, limit=RANKED)
    pages = _sampled(graph, share)
    ask_many(asker, pages[:100])
    held, begun = _held(), time.process_time()
    most = 0.0
    for low in range(0, len(pages), ROWS):
        block = ask_many(asker, pages[low : low + ROWS])
        most = max(most, _held() - held)
        del block
    print((time.process_time() - begun) * len(graph) / len(pages), most)


def _by_scipy(graph: wr.Graph, share: int) -> None:
    held, most = _held(), 0.0
    links = graph.to_scipy().astype(np.int32)
    parents = links.T.tocsr()
    pages = _sampled(graph, share)
    begun = time.process_time()
    for low in range(0, len(pages), ROWS):
        product = parents[pages[low : low + ROWS]] @ links
        most = max(most, _held() - held)
        for row in range(product.shape[0]):
            counts = product.data[product.indptr[row] : product.indptr[row + 1]]
            if len(counts) > RANKED:
                np.argpartition(-counts, RANKED)
    print((time.process_time() - begun) * len(graph) / len(pages), most)


def _sampled(graph: wr.Graph, share: int) -> np.ndarray:
    """Runs of neighbouring pages that contain one page in `share`."""
    starts = np.arange(0, len(graph), ROWS * share)
    pages = (starts[:, None] + np.arange(ROWS)).ravel()
    return pages[pages < len(graph)].astype(np.uint32)


def _held(process: int | str = "self") -> float:
    """A process's own memory in megabytes, without mapped files; 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    lines = [line for line in status.splitlines() if line.startswith("RssAnon")]
    return float(lines[0].split()[1]) / 1024 if lines else 0.0


RIVALS = {"related_all": _by_related_all, "SciPy": _by_scipy}

if __name__ == "__main__":
    main()
