"""How fast are wiki dumps read, compared with another parser, and how long would Wikipedia take?

    python -m benchmarks.wikis DUMP.xml.bz2 [--repeats 3] [--times 10] [--zim FILE.zim]

DUMP is any MediaWiki dump; its pages are repeated until there is enough to measure.  Rates are
megabytes per second of CPU time on one core, in interleaved runs, so figures from a busy
machine can still be compared.  mwparserfromhell must be installed.
"""

from __future__ import annotations

import argparse
import bz2
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.measure import interleaved, table
from whatsrelated import kernels
from whatsrelated.sources.files import File
from whatsrelated.sources.mediawiki.dump import DumpPage, read_part, site_of
from whatsrelated.sources.mediawiki.links import WikiTextReader
from whatsrelated.sources.mediawiki.parts import ReadPart
from whatsrelated.sources.mediawiki.reader import MediaWikiReader
from whatsrelated.sources.mediawiki.titles import Titles
from whatsrelated.sources.reader import ReadContext

ENWIKI = {"bz2": 24.0, "xml": 103.0}
"""Assumed size of the English Wikipedia of 2026 in gigabytes, compressed and uncompressed."""


def pages_of(path: Path) -> list[DumpPage]:
    return list(read_part(File(path), 0, 0, lambda reason, where: None))


def scanning(path: Path, pages: list[DumpPage], repeats: int) -> None:
    """Extracting links from wikitext in memory."""
    import mwparserfromhell

    texts = [page.text for page in pages]
    data = [text.encode() for text in texts]
    megabytes = sum(map(len, data)) / 1e6
    reader = WikiTextReader(Titles(site_of(File(path))))
    seconds = interleaved(
        {
            "kernel: positions of links, templates, headings": lambda: [
                kernels.wikitext.scan(kernels.wikitext.clean(text, b"includeonly")) for text in data
            ],
            "link targets, as mwparserfromhell returns them": lambda: [
                targets_of(text) for text in data
            ],
            "links as titles, with their marks": lambda: [
                reader.read(page.text, page.title) for page in pages
            ],
            "mwparserfromhell: filter_wikilinks": lambda: [
                mwparserfromhell.parse(text).filter_wikilinks() for text in texts
            ],
        },
        repeats,
    )
    slowest = seconds["mwparserfromhell: filter_wikilinks"]
    table(
        f"Links of {len(pages):,} texts, {megabytes:.1f} MB, one core",
        ["what", "MB/s", "times mwparserfromhell"],
        [[what, megabytes / each, slowest / each] for what, each in seconds.items()],
    )


def targets_of(text: bytes) -> list[str]:
    """The target of each link, as written."""
    clean = kernels.wikitext.clean(text, b"includeonly")
    rows = kernels.wikitext.scan(clean)
    return [clean[start:end].decode() for start, end in rows[rows[:, 0] == 0, 1:3].tolist()]


def agreement(pages: list[DumpPage]) -> None:
    """The number of links that only one of the two parsers finds."""
    import mwparserfromhell

    counts: Counter[str] = Counter()
    for page in pages:
        ours = Counter(targets_of(page.text.encode()))
        found = mwparserfromhell.parse(page.text).filter_wikilinks()
        theirs = Counter(str(link.title) for link in found)
        counts["ours"] += ours.total()
        counts["theirs"] += theirs.total()
        counts["ours alone"] += (ours - theirs).total()
        counts["theirs alone"] += (theirs - ours).total()
    table("Links found", list(counts), [list(counts.values())])


def whole_chain(path: Path, times: int, repeats: int) -> dict[str, float]:
    """From XML to records on one core, and decompression alone."""
    data = File(path).read()
    head, _, rest = data.partition(b"<page>")
    body = b"<page>" + rest.rpartition(b"</page>")[0] + b"</page>\n"
    packed = bz2.compress(data)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "wiki.xml")
        plain.write_bytes(head + body * times + b"</mediawiki>")
        size = plain.stat().st_size / 1e6
        work = ReadPart(MediaWikiReader(), folder)
        seconds = interleaved(
            {
                "XML to records": lambda: work.read(File(plain), 0, 0, 0, ReadContext()),
                "unpacking bzip2": lambda: bz2.decompress(packed),
            },
            repeats,
        )
    speeds = {
        "XML to records": size / seconds["XML to records"],
        "unpacking bzip2": len(data) / 1e6 / seconds["unpacking bzip2"],
    }
    rows = [[what, speed] for what, speed in speeds.items()]
    table(f"The whole chain, {size:.0f} MB of XML, one core", ["what", "MB/s of XML"], rows)
    return speeds


def arithmetic(speeds: dict[str, float]) -> None:
    """The same, extrapolated to the English Wikipedia."""
    xml = ENWIKI["xml"] * 1000
    minutes = sum(xml / speed for speed in speeds.values()) / 60
    table(
        f"English Wikipedia: {ENWIKI['bz2']:.0f} GB packed, {ENWIKI['xml']:.0f} GB of XML",
        ["cores", "minutes"],
        [[cores, minutes / cores] for cores in (1, 2, 8, 16)],
    )


def zim(path: Path) -> None:
    """Contents of a ZIM file in the order of its clusters."""
    from whatsrelated.sources.zim.archive import Archive

    archive = Archive(path)
    begun = time.process_time()
    entries = [archive.entry(number) for number in range(archive.count)]
    listed = time.process_time() - begun
    clusters = sorted({entry.cluster for entry in entries if entry.is_page})
    begun = time.process_time()
    size = sum(len(blob) for cluster in clusters for blob in archive.blobs(cluster))
    seconds = time.process_time() - begun
    table(
        f"{path.name}: {archive.count:,} entries",
        ["entries a second", "MB/s of contents"],
        [[archive.count / listed, size / 1e6 / seconds]],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dump", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--zim", type=Path)
    options = parser.parse_args()
    pages = pages_of(options.dump)
    scanning(options.dump, pages, options.repeats)
    agreement(pages)
    arithmetic(whole_chain(options.dump, options.times, options.repeats))
    if options.zim:
        zim(options.zim)


if __name__ == "__main__":
    main()
