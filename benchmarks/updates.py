"""What does updating some pages of a graph cost, compared with a rebuild?

    python -m benchmarks.updates FOLDER [--pages 900000] [--links 16000000] [--repeats 4] [--text 1]

Interleaves updates of 1, 1,000 and 10,000 pages with a full build from a list of links, and
prints the minimum CPU time of each, since other work on the machine only adds to it.  Each
changed page swaps its last link for one to a new page; the next update changes it back.
For comparison: the time to read, write, digest and sync all files of the graph, the lower
bound for any update.

Then measures the cost per page, with updates of more and more pages from a list of links and
from JSON Lines, and the memory of an update of 1,000 pages in its own process.
`--text 0` omits the list of all links, which takes 66 bytes per link.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks.generate import opened
from benchmarks.host_graph import anonymous
from benchmarks.measure import interleaved, sizes_asked_for, table
from whatsrelated.graph.format import ArrayWriter
from whatsrelated.stream import Page


def changed(graph: wr.Graph, count: int) -> list[Page]:
    """The pages after their change."""
    drawn = np.random.default_rng(count).choice(len(graph), count, replace=False)
    return [
        Page(
            graph.url(page),
            [graph.url(link) for link in graph.links_from(page)[:-1].tolist()]
            + [f"https://new.example/{page}"],
        )
        for page in drawn.tolist()
    ]


def as_it_is(graph: wr.Graph, pages: list[Page]) -> list[Page]:
    """The same pages before their change."""
    return [
        Page(page.url, graph.store.urls(graph.links_from(graph.page(page.url)))) for page in pages
    ]


def updates(
    whole: Path, place: Path, *states: Iterable[Page] | Sequence[Path]
) -> Callable[[], object]:
    """Update a copy of a graph to each state in turn."""
    shutil.rmtree(place, ignore_errors=True)
    # Hard links: files are never written to.
    shutil.copytree(whole, place, copy_function=lambda one, two: Path(two).hardlink_to(one))
    wr.open(place)  # marked as verified, as if it had been written there
    turns = itertools.cycle(states)
    return lambda: wr.update(place, next(turns))


def write_pages(folder: Path, name: str, pages: list[Page]) -> dict[str, list[Path]]:
    """Pages as a list of links, and as JSON Lines."""
    listed, lines = folder / f"{name}.tsv", folder / f"{name}.jsonl"
    listed.write_text("".join(f"{page.url}\t{link}\n" for page in pages for link in page.links))
    records = [json.dumps({"url": page.url, "links": list(page.links)}) for page in pages]
    lines.write_text("\n".join(records) + "\n")
    return {"a list": [listed], "JSON Lines": [lines]}


def slopes(graph: wr.Graph, folder: Path, repeats: int) -> None:
    """The cost of a changed page, beyond the fixed cost of an update."""
    assert graph.store.path is not None
    counts = (1_000, 10_000, 50_000)
    rivals: dict[str, Callable[[], object]] = {}
    for count in counts:
        pages = changed(graph, count)
        after = write_pages(folder, f"{count}-after", pages)
        before = write_pages(folder, f"{count}-before", as_it_is(graph, pages))
        for kind in after:
            place = folder / f"{len(rivals)}.graph"
            rivals[f"{kind} {count}"] = updates(graph.store.path, place, after[kind], before[kind])
    times = interleaved(rivals, repeats, time.process_time, choose=min)
    rows = []
    for kind in after:
        seconds = [times[f"{kind} {count}"] for count in counts]
        slope = (seconds[-1] - seconds[0]) / (counts[-1] - counts[0]) * 1e6
        rows.append([kind, *seconds, slope])
    heads = [f"{count:,} pages, CPU s" for count in counts]
    table("Changed pages from a file", ["", *heads, "µs a page"], rows)


def copy(graph: wr.Graph, place: Path) -> None:
    """Read and write all arrays of a graph, with digests and checksums."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        for name, array in graph.store.arrays.items():
            writer = ArrayWriter(Path(folder), name)
            for low in range(0, len(array), 1 << 18):
                writer.append(array[low : low + (1 << 18)])
            writer.close()


def peak(whole: Path, place: Path) -> list[float]:
    """CPU seconds of an update of 1,000 pages, and its peak MiB, without and with mapped files."""
    process = subprocess.Popen([sys.executable, "-c", _ONE, whole, place], stdout=subprocess.PIPE)
    own = 0
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        own = max(own, anonymous(process.pid))
        time.sleep(0.05)
    assert process.stdout is not None
    seconds = float(process.stdout.read())
    _, process.returncode, usage = os.wait4(process.pid, 0)
    return [seconds, own / 1024, usage.ru_maxrss / 1024]


_ONE = """
import sys, time
from pathlib import Path
import whatsrelated as wr
from benchmarks.updates import changed, updates
run = updates(Path(sys.argv[1]), Path(sys.argv[2]), changed(wr.open(sys.argv[1]), 1000))
begun = time.process_time()
run()
print(time.process_time() - begun)
"""


def write_list(graph: wr.Graph, path: Path) -> None:
    """All links as text."""
    with path.open("w") as file:
        for page in range(len(graph)):
            url = graph.url(page)
            names = graph.store.urls(graph.links_from(page))
            file.writelines(f"{url}\t{name}\n" for name in names)


def main() -> None:
    sizes = {"pages": 900_000, "links": 16_000_000, "repeats": 4, "text": 1}
    given = sizes_asked_for(__doc__, **sizes).parse_args()
    begun = time.process_time()
    graph = opened(given.folder, given.pages, given.links)
    generated = time.process_time() - begun
    assert graph.store.path is not None
    rivals: dict[str, Callable[[], object]] = {}
    for count in (1, 1_000, 10_000):
        place = given.folder / f"updated-{count}.graph"
        pages = changed(graph, count)
        rivals[f"{count:,} pages"] = updates(graph.store.path, place, pages, as_it_is(graph, pages))
    rivals["files copied"] = partial(copy, graph, given.folder)
    if given.text:
        listed = given.folder / "links.tsv"
        if not listed.exists():
            write_list(graph, listed)
        rivals["build from text"] = partial(wr.build, [listed], given.folder / "built.graph")
    times = interleaved(rivals, given.repeats, time.process_time, choose=min)
    whole = times.get("build from text", generated)
    table(
        f"Updates of {len(graph):,} pages and {graph.n_links:,} links",
        ["", "CPU s", "ns a link", "a build takes this many times as long"],
        [
            [name, spent, spent / graph.n_links * 1e9, whole / spent]
            for name, spent in times.items()
        ],
    )
    if not given.text:
        print(f"\nGenerated and built in {generated:.0f} s of CPU, if it was not there before.")
    table(
        "An update of 1,000 pages in its own process",
        ["CPU s", "peak MiB", "with mapped files"],
        [peak(graph.store.path, given.folder / "updated.graph")],
    )
    slopes(graph, given.folder, given.repeats)


if __name__ == "__main__":
    main()
