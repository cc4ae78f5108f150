"""How fast are web archives read, compared with a plain script, and how much memory does it take?

    python -m benchmarks.archives [--copies 20] ARCHIVE.warc.gz

The plain script reads records with warcio, parses pages with lxml and joins links with urllib.
Both return the distinct links of every page.  Seconds are CPU time on one core; runs are
interleaved, so the ratio also holds on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from urllib.parse import urljoin

from benchmarks.measure import interleaved, table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--copies", type=int, default=20, help="of the archive, for memory")
    options = parser.parse_args()
    chain(options.archive)
    reading(options.archive)
    workers(options.archive)
    memory(options.archive, options.copies)


def chain(path: Path) -> None:
    """Read the links of all pages from an archive."""
    from whatsrelated.sources import url_joins

    class NoJoin:
        """Replaces `kernels.url_joins.Base`: links take the slow path, or are not joined at all."""

        def __init__(self, *_: object) -> None: ...

        def join(self, href: str) -> str | None:
            return None

    class ForNothing(NoJoin):
        def join(self, href: str) -> str | None:
            return href

    def with_joins(joins: type[NoJoin]) -> int:
        with mock.patch.object(url_joins.kernels, "joins", SimpleNamespace(Base=joins)):
            return ours(path)

    ways = {
        "ours": lambda: ours(path),
        "ours, every link joined by ada": lambda: with_joins(NoJoin),
        "ours, no link joined": lambda: with_joins(ForNothing),
        "warcio, lxml and urllib": lambda: plain_script(path),
    }
    medians = interleaved(ways, 5)
    table(
        f"{path.name} to links, one core",
        ["what", "seconds", "times as long", "links"],
        [
            [what, medians[what], medians[what] / medians["ours"], way()]
            for what, way in ways.items()
        ],
    )


def ours(path: Path) -> int:
    """The links of all pages, as one worker finds them."""
    from whatsrelated.sources.archive.captures import CaptureReader
    from whatsrelated.sources.archive.reader import ArchiveReader
    from whatsrelated.sources.archive.records import Position, Record

    captures = CaptureReader(ArchiveReader(links="all", rel="all"), False)
    records = _records(path)
    for record in records.read(Position(0), records.part.end):
        if isinstance(record, Record):
            captures.add(record, "")
    return sum(len(page.links) for page in captures.results.pages)


def _records(path: Path):
    from whatsrelated.sources.archive.records import ArchiveSlice, RecordReader

    return RecordReader(ArchiveSlice(str(path), 0, path.stat().st_size, "gzip"))


def plain_script(path: Path) -> int:
    """A script of twenty lines."""
    import lxml.html
    from warcio.archiveiterator import ArchiveIterator

    count = 0
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            headers = record.http_headers
            if record.rec_type != "response" or headers is None:
                continue
            if "html" not in (headers.get_header("Content-Type") or ""):
                continue
            if headers.get_statuscode()[:1] != "2":
                continue
            body = record.content_stream().read()
            if not body.strip():
                continue
            tree = lxml.html.document_fromstring(body)
            url = record.rec_headers.get_header("WARC-Target-URI")
            base = next(
                (found.get("href") for found in tree.iter("base") if found.get("href")), url
            )
            links = {}
            for element in tree.iter("a", "area"):
                try:
                    links[urljoin(base, element.get("href") or "").partition("#")[0]] = None
                except ValueError:
                    continue
            count += len(links)
    return count


def reading(path: Path) -> None:
    """Read the records only."""
    from fastwarc.warc import ArchiveIterator

    def own() -> int:
        from whatsrelated.sources.archive.records import Position

        records = _records(path)
        return sum(len(one.content) for one in records.read(Position(0), records.part.end))  # type: ignore[union-attr]

    def fast() -> int:
        with path.open("rb") as file:
            return sum(len(one.reader.read()) for one in ArchiveIterator(file, parse_http=False))

    size = own()
    medians = interleaved({"our records": own, "fastwarc": fast}, 5)
    table(
        "Records with their contents, one core",
        ["what", "MB/s unpacked"],
        [[what, size / 1e6 / seconds] for what, seconds in medians.items()],
    )


def workers(path: Path) -> None:
    """Read several copies of the archive, with one process and with two.

    On a busy machine, seconds mean little.  The CPU time of the coordinating process, relative
    to that of the workers, limits what two workers can gain.
    """
    seconds: dict[int, list[float]] = {count: [] for count in (1, 2)}
    before = os.times()
    for _ in range(3):
        for count, times in seconds.items():
            times.append(_read_with(path, count))
    after = os.times()
    own = after.user + after.system - before.user - before.system
    theirs = after.children_user + after.children_system
    theirs -= before.children_user + before.children_system
    one, two = (min(times) for times in seconds.values())
    table(
        f"Worker processes; the coordinator takes {own / theirs:.1%} of their CPU time",
        ["workers", "seconds", "times as fast"],
        [[1, one, 1.0], [2, two, one / two]],
    )


def _read_with(path: Path, count: int) -> float:
    """Seconds for twelve copies, after a first one to start each worker."""
    from whatsrelated.sources.archive.reader import ArchiveReader
    from whatsrelated.sources.archive.records import ArchiveSlice
    from whatsrelated.sources.archive.splits import ReadRange, read_archives

    size = path.stat().st_size
    parts = [
        ArchiveSlice(str(path), 0, size, "gzip", "warc", f"copy {number}")
        for number in range(4 + 12)
    ]
    begun, done = 0.0, 0
    work = ReadRange(ArchiveReader())
    for batch in read_archives(parts, work, processes=count, seconds=60.0):
        done += batch.next == size
        if done == 4 and not begun:
            begun = time.perf_counter()
    return time.perf_counter() - begun


def memory(path: Path, copies: int) -> None:
    """The memory that the reading process takes, for one file and for many."""
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for count in (1, copies):
            names = [Path(place, f"{number}.warc.gz") for number in range(count)]
            for name in names:
                name.unlink(missing_ok=True)
                name.symlink_to(path.resolve())
            command = [sys.executable, "-c", _PEAK, *map(str, names)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            rows.append([count, int(done.stdout) / 1024])
    table("Memory of reading archives", ["files", "MB at most"], rows)


_PEAK = """
import re, sys
from whatsrelated.sources import open_sources
for page in open_sources(sys.argv[1:], options={"captures": "all"}):
    pass
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


if __name__ == "__main__":
    main()
