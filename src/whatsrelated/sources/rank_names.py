"""Use Common Crawl's rank files as names: the hosts or domains of its graph, best first.

A line has positions and values by harmonic centrality and by PageRank, and a reversed host. A
domain's line also has the number of its hosts. There is no vertex number, but vertices are numbered
in name order. The hosts are therefore sorted the same way (by bytes), and each host's position is
its number.

The file does not guarantee this; we can only check that the highest number in the links belongs to
the last host. All hosts are in memory while they are sorted, at 16 bytes each besides the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.sources import host_names
from whatsrelated.sources.host_names import HostNames
from whatsrelated.stream import Names, NumberedLinks

if TYPE_CHECKING:
    from numpy import uint8, uint64
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import Item, ReadContext

POSITION, HOST, HOSTS = b"harmonicc_pos", b"host_rev", b"n_hosts"


class RankNames(HostNames):
    """The names of numbered hosts, from a file of their ranks."""

    def __init__(self, files: Sequence[File], context: ReadContext) -> None:
        super().__init__(files, context)
        self._count = 0

    @property
    def level(self) -> str:
        return "domain" if HOSTS in _header(self._files[0]) else "host"

    @classmethod
    def takes(cls, files: Sequence[File]) -> bool:
        """Whether all of these files are Common Crawl's ranks."""
        headers = [_header(file) for file in files]
        return {POSITION, HOST} <= set(headers[0]) and headers.count(headers[0]) == len(files)

    def name_links(self, items: Iterator[Item], label: str, first: int | None) -> Iterator[Item]:
        """The same stream with names instead of numbers."""
        return super().name_links(self._counted(items), label, first)

    def _counted(self, items: Iterator[Item]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, NumberedLinks):
                numbers = item.sources, item.targets
                ends = [int(part.max()) + 1 for part in numbers if len(part)]
                self._count = max(self._count, item.pages, *ends)
            yield item

    def count_to(self, count: int) -> None:
        """Set the count if the links were read elsewhere; all their numbers are below it."""
        self._count = count

    def require_all(self) -> None:
        """Raise ReadError unless there are as many names as numbers in the links."""
        names = len(self._names)
        if self._count != names:
            raise ReadError(
                f"{self._files[0].label} has {names:,} hosts, but the links are between "
                f"{self._count:,} numbers: they belong to different graphs, or some hosts have no "
                "rank; use the vertices instead: --names-file."
            )
        counts = {"hosts, numbered in name order": names}
        self._context.counts["names from ranks"] = Counter(counts)

    def _chunks(self) -> Iterator[tuple[int, Names]]:
        """The sorted names with their numbers, in chunks."""
        self._runs = []
        text, ends = self._hosts()
        order = kernels.sort_keys.sort(text, ends)
        for low in range(0, len(order), host_names.CHUNK):
            high = min(low + host_names.CHUNK, len(order))
            hosts, offsets = kernels.sort_keys.take(text, ends, order[low : high + 1])
            if not kernels.sort_keys.differs(hosts, offsets).all():
                raise ReadError(
                    f"{self._files[0].label} lists a host twice; use the vertices instead."
                )
            self._add_run(low, high, self._files[0])
            yield (
                low,
                Names(
                    *kernels.name_lines.restore_hosts(
                        hosts, offsets[: high - low + 1], self._fold_www
                    )
                ),
            )
        if not len(order):
            raise ReadError(f"{self._files[0].label} contains no names.")

    def _hosts(self) -> tuple[NDArray[uint8], NDArray[uint64]]:
        """The hosts of all files; a bad line is an error, since it would shift all numbers."""
        header = _header(self._files[0])
        lines = kernels.name_lines.NameLines(
            ord("\t"), len(header), header.index(POSITION), header.index(HOST)
        )
        for file in self._files:
            start = file.sample.index(b"\n") + 1
            for piece in file.blocks():
                lines.feed(piece, start)
                start = 0
                if lines.bad:
                    _, line = next(shown[0] for _, shown in lines.bad.values() if shown)
                    raise ReadError(
                        f"{file.label} has a line that is not a host's rank, {line[:80]!r}, so "
                        "hosts cannot be numbered; use the vertices instead: --names-file."
                    )
        blob, offsets, *_ = lines.take()
        return blob, offsets


def _header(file: File) -> list[bytes]:
    """The names of the columns; empty if the first line is not a header."""
    line, end, _ = file.sample.partition(b"\n")
    if not (end and line.startswith(b"#")):
        return []
    return [word.strip().lstrip(b"#").lower() for word in line.split(b"\t")]
