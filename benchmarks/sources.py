"""How many links per second does one core read, from URLs, numbers, rows and BVGraph?

    python -m benchmarks.sources FOLDER [--links 4000000 --pages 1000000]

FOLDER receives the input files.  Each rate is compared with a loop in Python or NumPy over
the same file in the same run; times are CPU time.
"""

from __future__ import annotations

import argparse
import gzip
from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.builds import number_list, url_list
from benchmarks.measure import interleaved, table
from whatsrelated.sources import open_sources


def read(path: Path) -> int:
    """Read a whole source, and count its links."""
    return sum(len(batch.sources) for batch in open_sources([path]))  # type: ignore[union-attr]


def by_dict(path: Path) -> int:
    """The plain way to read names, with a dict."""
    ids: dict[bytes, int] = {}
    sources, targets = array("I"), array("I")
    with path.open("rb") as file:
        for line in file:
            source, target = line.rstrip(b"\n").split(b"\t")
            sources.append(ids.setdefault(source, len(ids)))
            targets.append(ids.setdefault(target, len(ids)))
    return len(sources)


def by_numpy(path: Path) -> int:
    """The plain way to read numbers."""
    return len(np.loadtxt(path, np.uint64, delimiter="\t"))


def by_split(path: Path) -> int:
    """The plain way to read rows."""
    sources, targets = array("Q"), array("Q")
    with path.open("rb") as file:
        for page, line in enumerate(file):
            for link in line.split():
                sources.append(page)
                targets.append(int(link))
    return len(sources)


def rows_file(path: Path, links: int, pages: int) -> None:
    """Bare rows of ten links, generated once."""
    if not path.exists():
        drawn = np.random.default_rng(3).integers(0, pages, (links // 10, 10))
        with path.open("w") as file:
            file.write("1\n\n")
            np.savetxt(file, drawn, fmt="%d")


def compare(title: str, path: Path, plainly: Callable[[Path], int], repeats: int) -> None:
    links = read(path)
    assert plainly(path) == links
    taken = interleaved({"ours": lambda: read(path), "plainly": lambda: plainly(path)}, repeats)
    rows = [
        [
            name,
            links / seconds / 1e6,
            path.stat().st_size / seconds / 1e6,
            taken["plainly"] / seconds,
        ]
        for name, seconds in taken.items()
    ]
    table(f"{title}: {links:,} links", ["", "M links/s", "MB/s", "times the plain way"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", type=int, default=4_000_000)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--bvgraph", type=Path, help="a .graph file to decode as well")
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    folder, links, pages = chosen.folder, chosen.links, chosen.pages
    folder.mkdir(parents=True, exist_ok=True)
    urls, numbers = folder / f"urls-{links}-{pages}.tsv", folder / f"numbers-{links}-{pages}.tsv"
    rows = folder / f"rows-{links}-{pages}.txt"
    url_list(urls, links, pages)
    number_list(numbers, links, pages)
    rows_file(rows, links, pages)
    compare("URLs in two columns", urls, by_dict, chosen.repeats)
    compare("numbers in two columns", numbers, by_numpy, chosen.repeats)
    compare("rows of numbers", rows, by_split, chosen.repeats)
    packed = urls.with_suffix(".tsv.gz")
    if not packed.exists():
        packed.write_bytes(gzip.compress(urls.read_bytes(), 6))
    seconds = interleaved({"gzip": lambda: read(packed)}, chosen.repeats)["gzip"]
    table("the same URLs, gzipped", ["M links/s"], [[links / seconds / 1e6]])
    if chosen.bvgraph:
        count = read(chosen.bvgraph)
        seconds = interleaved({"bvgraph": lambda: read(chosen.bvgraph)}, chosen.repeats)["bvgraph"]
        table(
            f"{chosen.bvgraph.name}: {count:,} links",
            ["M links/s", "s in all"],
            [[count / seconds / 1e6, seconds]],
        )


if __name__ == "__main__":
    main()
