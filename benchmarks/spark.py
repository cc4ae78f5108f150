"""What does a build on Spark cost per link, compared with one machine?

    python -m benchmarks.spark FOLDER [--links 5000000 10000000 20000000 40000000]
                               [--executor-memory 1g] [--stages]

Starts a standalone cluster on loopback: a master and two workers with one processor each.
For each size, writes lists of links between URLs (16 per page), builds them with `related build`
and with `related spark build`, and compares the two graphs.

CPU time is that of all processes of a build, separately for Java and Python, without the
cluster's idle master and workers.  Bytes moved are Spark's own count, from its event log.
`--stages` runs the tasks of the smallest size one after another without Spark, and prints the
CPU time and bytes of each stage.  FOLDER needs some 6 GB of disk for 40 million links.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import whatsrelated as wr
from benchmarks.generate import Web
from benchmarks.measure import table
from tests.apps.spark import cluster as clusters
from tests.apps.spark.here import Here, Sent, no_cluster
from whatsrelated.apps import spark
from whatsrelated.apps.spark.exchange import Task

RELATED = str(Path(sys.executable).with_name("related"))
LINKS_A_PAGE = 16
SIZES = [5_000_000, 10_000_000, 20_000_000, 40_000_000]
SHUFFLES = ("names", "page numbers", "links by source", "in-degrees", "links by target")
"""The data that is moved, in the order of the stages that send it."""
TICKS = os.sysconf("SC_CLK_TCK")


def write_lists(folder: Path, links: int) -> list[str]:
    """Lists of links between URLs, as text."""
    web = Web(links // LINKS_A_PAGE, links)
    names = web.names()
    size = int(names.offsets[1])
    letters = names.blob.reshape(-1, size)
    folder.mkdir(parents=True)
    paths = []
    for number, (sources, targets) in enumerate(web.chunks()):
        rows = np.empty((len(sources), 2 * size + 2), np.uint8)
        rows[:, :size], rows[:, size] = letters[sources], ord("\t")
        rows[:, size + 1 : -1], rows[:, -1] = letters[targets], ord("\n")
        paths.append(folder / f"links-{number:04}.tsv")
        rows.tofile(paths[-1])
    return list(map(str, paths))


def processes() -> Iterator[tuple[int, bool, float]]:
    """Every process: its id and start time, whether it is Java, and its CPU seconds."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                head, _, rest = (entry / "stat").read_text().rpartition(")")
            except OSError:
                continue
            fields = rest.split()
            cpu = (int(fields[11]) + int(fields[12])) / TICKS
            yield int(entry.name), head.partition("(")[2] == "java", cpu


def cpu_of(command: list[str], workers: list[int]) -> tuple[float, float]:
    """CPU seconds of Java and of everything else, for a command and its workers' processes."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=clusters.environment()
    )
    seen: dict[int, tuple[bool, float]] = {}
    while process.poll() is None:
        ours = set(clusters.descendants(process.pid)) | {process.pid}
        ours |= {pid for worker in workers for pid in clusters.descendants(worker)}
        seen |= {pid: (java, cpu) for pid, java, cpu in processes() if pid in ours}
        time.sleep(0.1)
    assert process.stderr is not None
    said = process.stderr.read().decode()
    if process.returncode:
        raise SystemExit(f"{' '.join(command[:3])} failed:\n{said[-2000:]}")
    java = sum(cpu for is_java, cpu in seen.values() if is_java)
    return java, sum(cpu for is_java, cpu in seen.values() if not is_java)


def shuffled(log: Path) -> dict[str, int]:
    """The bytes that Spark moved, by kind."""
    stages: dict[int, int] = {}
    files = sorted(path for path in log.rglob("*") if path.is_file())
    for line in (line for path in files for line in path.open() if "TaskEnd" in line):
        event = json.loads(line)
        if (
            event["Event"] != "SparkListenerTaskEnd"
            or event["Task End Reason"]["Reason"] != "Success"
        ):
            continue
        written = event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        if written:
            stages[event["Stage ID"]] = stages.get(event["Stage ID"], 0) + written
    return dict(zip(SHUFFLES, (stages[stage] for stage in sorted(stages)), strict=True))


def measure(folder: Path, links: int, memory: str, cluster: clusters.Cluster) -> dict[str, Any]:
    """The cost on one machine and on the cluster, for one size."""
    sources = write_lists(folder / "lists", links)
    one, many, log = folder / "one.graph", folder / "many.graph", folder / "log"
    log.mkdir()
    _, alone = cpu_of([RELATED, "build", *sources, "-o", str(one)], [])
    settings = {
        "spark.executor.memory": memory,
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": log.as_uri(),
    }
    confs = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    words = [RELATED, "spark", "build", *sources, "-o", str(many), "--master", cluster.url, *confs]
    begun = time.monotonic()
    java, python = cpu_of(words, [worker.process.pid for worker in cluster.workers])
    took = time.monotonic() - begun
    equal = wr.open(one).store.fingerprint == wr.open(many).store.fingerprint
    found = {
        "links": wr.open(one).n_links,
        "pages": len(wr.open(one)),
        "alone": alone,
        "java": java,
        "python": python,
        "seconds": took,
        "equal": equal,
        "moved": shuffled(log),
    }
    for path in (folder / "lists", one, many, log):
        shutil.rmtree(path)
    return found


def show(results: list[dict[str, Any]], memory: str) -> None:
    """The tables of all sizes."""
    rows = []
    for found in results:
        links = found["links"] / 1e6
        total = found["java"] + found["python"]
        rows.append(
            [
                f"{links:.1f} M",
                found["alone"] / links,
                total / links,
                found["java"] / links,
                found["python"] / links,
                total / found["alone"],
                found["seconds"],
                "yes" if found["equal"] else "NO",
            ]
        )
    head = ["links", "one machine, µs per link", "Spark", "of which Java", "Python"]
    head += ["Spark / one machine", "wall seconds", "equal"]
    table(f"CPU of a build, spark.executor.memory={memory}", head, rows)
    moved = [
        [
            f"{found['links'] / 1e6:.1f} M",
            *(size / found["links"] for size in found["moved"].values()),
        ]
        for found in results
    ]
    table("Bytes moved per link, as Spark counts them (compressed)", ["links", *SHUFFLES], moved)
    first, last = results[0], results[-1]
    if last["links"] > first["links"]:
        times = math.log(last["links"] / first["links"])
        for name, value in (
            ("one machine", lambda found: found["alone"]),
            ("Spark", lambda found: found["java"] + found["python"]),
        ):
            exponent = math.log(value(last) / value(first)) / times
            further = (value(last) - value(first)) / (last["links"] - first["links"]) * 1e6
            print(f"{name}: grows with the power {exponent:.2f}; a further link {further:.2f} µs")


def show_stages(folder: Path, links: int) -> None:
    """The CPU time and bytes of each stage, run here task by task."""
    stages: dict[str, tuple[float, int]] = {}

    def run(here: Here, tasks: int, task: Task, sent: Sent) -> Sent:
        begun = time.process_time()
        by_receiver: dict[int, Sent] = {}
        for row in sent:
            by_receiver.setdefault(row[0], []).append(row)
        done: Sent = []
        for number in range(tasks):
            own = sorted(by_receiver.get(number, []))
            received = ((sender, memoryview(data)) for _, sender, _, data in own)
            for place, blob in enumerate(task(number, received)):
                done.append((blob.receiver, number, place, bytes(blob.data)))
        size = sum(len(row[3]) for row in done)
        stages[type(task).__name__] = (time.process_time() - begun, size)
        return done

    sources = write_lists(folder / "lists", links)
    begun = time.process_time()
    with no_cluster() as session, patch.object(Here, "_run", run):
        graph = spark.build(session, sources, folder / "here.graph")  # type: ignore[arg-type]
    total = time.process_time() - begun
    rows: list[list[Any]] = [
        [name, cpu / graph.n_links * 1e6, size / graph.n_links]
        for name, (cpu, size) in stages.items()
    ]
    rest = total - sum(cpu for cpu, _ in stages.values())
    rows += [["the driver: joining, hashing", rest / graph.n_links * 1e6, 0.0]]
    rows += [["all", total / graph.n_links * 1e6, sum(row[2] for row in rows)]]
    table(f"Tasks, {graph.n_links:,} links", ["stage", "µs per link", "bytes per link sent"], rows)
    shutil.rmtree(folder / "lists")
    shutil.rmtree(folder / "here.graph")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", type=int, nargs="+", default=SIZES)
    parser.add_argument("--executor-memory", default="1g")
    parser.add_argument("--stages", action="store_true")
    chosen = parser.parse_args()
    folder = chosen.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.stages:
        show_stages(folder, chosen.links[0])
        return
    results = []
    with clusters.running(folder) as cluster:
        for links in chosen.links:
            results.append(measure(folder, links, chosen.executor_memory, cluster))
            show(results, chosen.executor_memory)


if __name__ == "__main__":
    main()
