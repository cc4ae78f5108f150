"""A random Web for benchmarks: hosts, topics, lists, power-law degrees.

    python -m benchmarks.generate FOLDER --pages 2000000 --links 40000000

The sizes of hosts and the numbers of links per page follow power laws.  A little over half of
a page's links stay on its host, mostly to its front pages.
The others come in runs, as on a real page of links: a run is a piece of the list of one topic,
whose first pages are the popular ones.  Pages listed side by side on one page are therefore
also listed side by side on others, so there is something to find.

The same arguments give the same graph.  It is built once into FOLDER and then opened from there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whatsrelated as wr
from whatsrelated.errors import GraphFormatError
from whatsrelated.stream import NamedLinks, Names

Numbers = NDArray[np.int64]

CHUNK = 200_000
"""Number of pages drawn together; each chunk has its own seed, so chunks are independent."""


class Web:
    """The plan of a generated Web; `chunks` draws its links."""

    def __init__(self, pages: int, links: int, seed: int = 0) -> None:
        self.pages, self.links, self.seed = pages, links, seed
        rng = np.random.default_rng(seed)
        self.host_starts = self._host_starts(rng)
        hosts = len(self.host_starts) - 1
        self.host_of = np.repeat(np.arange(hosts), np.diff(self.host_starts)).astype(np.uint32)
        topics = max(1, pages // 10_000)
        topic_of_host = rng.integers(topics, size=hosts)
        # Each topic lists its pages by popularity: a shuffle with front pages ahead.
        depth = np.arange(pages) - self.host_starts[self.host_of]
        popularity = rng.random(pages) * (1 + depth) ** 0.5
        topic_of_page = topic_of_host[self.host_of]
        self.listed = np.lexsort((popularity, topic_of_page)).astype(np.uint32)
        self.topic_starts = np.searchsorted(topic_of_page[self.listed], np.arange(topics + 1))
        self.topic_of_page = topic_of_page

    def _host_starts(self, rng: np.random.Generator) -> Numbers:
        sizes = np.minimum(rng.pareto(0.9, size=self.pages) * 4 + 1, self.pages / 50 + 1)
        ends = np.cumsum(sizes.astype(np.int64))
        hosts = int(np.searchsorted(ends, self.pages))
        return np.concatenate([[0], ends[:hosts], [self.pages]])

    def chunks(self) -> Iterator[tuple[Numbers, Numbers]]:
        """Sources and targets, in page order, a chunk of pages at a time."""
        for start in range(0, self.pages, CHUNK):
            yield self._chunk(start, min(start + CHUNK, self.pages))

    def _chunk(self, start: int, end: int) -> tuple[Numbers, Numbers]:
        rng = np.random.default_rng([self.seed, start])
        wanted = 1.19 * self.links / self.pages  # a sixth are repeats, and are dropped
        drawn = rng.pareto(1.6, size=end - start) * wanted * 0.6
        degrees = np.minimum(drawn, 3000).astype(np.int64)
        sources = np.repeat(np.arange(start, end), degrees)
        place = np.arange(len(sources)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
        own = rng.random(end - start) < 0.9
        navigation = np.where(own, (degrees * 0.55).astype(np.int64), 0)
        within = place < np.repeat(navigation, degrees)
        targets = np.empty(len(sources), np.int64)
        targets[within] = self._on_host(sources[within], rng)
        targets[~within] = self._in_lists(sources[~within], place[~within], rng)
        keep = sources != targets
        return sources[keep], targets[keep]

    def _on_host(self, sources: Numbers, rng: np.random.Generator) -> Numbers:
        first = self.host_starts[self.host_of[sources]]
        size = self.host_starts[self.host_of[sources] + 1] - first
        return first + (size * rng.random(len(sources)) ** 3).astype(np.int64)

    def _in_lists(self, sources: Numbers, place: Numbers, rng: np.random.Generator) -> Numbers:
        count = len(sources)
        new = np.ones(count, bool)  # a run begins on each new page, and at one link in eight
        new[1:] = (sources[1:] != sources[:-1]) | (rng.random(count - 1) < 0.125)
        run = np.cumsum(new) - 1
        runs = int(run[-1]) + 1 if count else 0
        topics = len(self.topic_starts) - 1
        elsewhere = rng.random(runs) < 0.25
        topic = np.where(
            elsewhere, rng.integers(topics, size=runs), self.topic_of_page[sources[new]]
        )
        size = np.diff(self.topic_starts)[topic]
        begin = (size * rng.random(runs) ** 4).astype(np.int64)
        step = rng.integers(1, 4, size=count)  # a run skips some pages of the list
        position = np.cumsum(step)
        position = position - position[new][run] + begin[run]
        return self.listed[self.topic_starts[topic][run] + position % size[run]].astype(np.int64)

    def names(self) -> Names:
        """The URL of every page, in sorted order."""
        host, depth = self.host_of, np.arange(self.pages) - self.host_starts[self.host_of]
        template = np.frombuffer(b"https://www.s0000000.org/p0000000", np.uint8)
        letters = np.tile(template, (self.pages, 1))
        for digit in range(7):
            letters[:, 19 - digit] += (host // 10**digit % 10).astype(np.uint8)
            letters[:, 32 - digit] += (depth // 10**digit % 10).astype(np.uint8)
        offsets = np.arange(self.pages + 1, dtype=np.uint64) * np.uint64(len(template))
        return Names(letters.reshape(-1), offsets)

    def __iter__(self) -> Iterator[NamedLinks]:
        names = self.names()
        for sources, targets in self.chunks():
            yield NamedLinks(names, sources.astype(np.uint32), targets.astype(np.uint32))


def opened(folder: Path, pages: int, links: int, seed: int = 0) -> wr.Graph:
    """The generated Web of that size, built in the folder on first use."""
    path = folder / f"{pages}-{links}-{seed}.graph"
    try:
        return wr.open(path)
    except GraphFormatError:
        return wr.build(Web(pages, links, seed), path, urls="keep")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder for generated graphs")
    parser.add_argument("--pages", type=int, default=2_000_000)
    parser.add_argument("--links", type=int, default=40_000_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    begun = time.perf_counter()
    graph = opened(chosen.folder, chosen.pages, chosen.links, chosen.seed)
    print(f"{graph!r} after {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
