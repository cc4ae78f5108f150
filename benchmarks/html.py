"""Folders of HTML and Markdown: speed, accuracy and memory.

    python -m benchmarks.html [--mdn ARCHIVE] [FOLDER...]

reads Debian's documentation packages (python3-doc, and apache2-doc, postgresql-doc,
sqlite3-doc and debian-policy if installed) or the given folders, and MDN's Markdown from the
archive.  Rates are megabytes per second of CPU time on one core.  Parsing alone is also
measured, so figures from a busy machine can still be compared.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.measure import interleaved, table

PYTHON_DOC = Path("/usr/share/doc/python3-doc/html")
OTHERS = [
    Path("/usr/share/doc") / name
    for name in ("apache2-doc", "postgresql-doc-15", "sqlite3", "debian-policy")
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[PYTHON_DOC])
    parser.add_argument("--mdn", type=Path, help="mdn_content_en-us_markdown.tar.zst")
    options = parser.parse_args()
    for folder in options.folders:
        extraction(folder)
        building(folder)
    agreement([*options.folders, *(path for path in OTHERS if path.is_dir())])
    memory()
    if options.mdn:
        markdown(options.mdn)


def html_files(folder: Path) -> list[Path]:
    found = folder.resolve().rglob("*.html*")
    return sorted(
        path
        for path in found
        if re.search(r"\.html(\.[a-z]{2}\b.*)?$", path.name)
        and path.is_file()
        and path.suffix != ".gz"
    )


def extraction(folder: Path) -> None:
    """Extract links from pages in memory, on one core and on two."""
    import turbohtml

    from whatsrelated.sources.html import read_html
    from whatsrelated.sources.html_folder import HtmlFolder, ReadHtml

    root = str(folder.resolve())
    paths = [str(path.relative_to(root)) for path in html_files(folder)]
    pages = [Path(root, path).read_bytes() for path in paths]
    megabytes = sum(map(len, pages)) / 1e6
    work = ReadHtml(root, "https://docs.example.org/", HtmlFolder())
    medians = interleaved(
        {
            "parsing alone": lambda: [turbohtml.parse(page, positions=False) for page in pages],
            "links with their marks": lambda: [read_html(page) for page in pages],
            "links resolved to pages, from files": lambda: [work(path) for path in paths],
        },
        5,
    )
    table(
        f"Links of {folder}: {len(pages):,} pages, {megabytes:.0f} MB, one core",
        ["what", "MB/s"],
        [[what, megabytes / seconds] for what, seconds in medians.items()],
    )
    one, two = (min(_parallel(root, paths, n) for _ in range(3)) for n in (1, 2))
    table(
        f"The same in worker processes ({os.cpu_count()} cores)",
        ["workers", "seconds", "MB/s", "times one"],
        [[1, one, megabytes / one, 1.0], [2, two, megabytes / two, one / two]],
    )


def _parallel(root: str, paths: list[str], count: int) -> float:
    """Seconds from the first answer to the last, not counting the start of the workers."""
    from whatsrelated.machine.workers import results
    from whatsrelated.sources.html_folder import HtmlFolder, ReadHtml

    work = ReadHtml(root, "https://docs.example.org/", HtmlFolder())
    warm = [paths[0]] * count * 2
    begun = time.perf_counter()
    for number, _ in enumerate(
        results(work, [*warm, *paths * 3], noun="the reader", workers=count)
    ):
        if number == len(warm) - 1:
            begun = time.perf_counter()
    return (time.perf_counter() - begun) / 3


def building(folder: Path) -> None:
    """Turn a folder into a graph with the command."""
    with tempfile.TemporaryDirectory() as place:
        rows = [
            [links, *_built(folder, Path(place, f"{links}.graph"), "--links", links)]
            for links in ("content", "all")
        ]
    table(f"{folder} to a graph", ["--links", "seconds", "peak MB", "pages and links"], rows)


def _built(source: Path, graph: Path, *options: str) -> tuple[float, float, str]:
    command = [sys.executable, "-c", _BUILD, "build", str(source), "-o", str(graph)]
    begun = time.perf_counter()
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - begun
    made, peak = done.stdout.splitlines()
    return seconds, int(peak) / 1024, made.partition(": ")[2]


_BUILD = """
import atexit, re
from whatsrelated.cli import main
status = lambda: open("/proc/self/status").read()
atexit.register(lambda: print(re.search(r"VmHWM:\\s+(\\d+)", status())[1]))
main()
"""


def agreement(folders: Iterable[Path]) -> None:
    """Pages on which another parser finds the same links in the same order."""
    from whatsrelated.sources.html import read_html

    rows, differing = [], []
    for folder in folders:
        pages = html_files(folder)
        counts: Counter[str] = Counter()
        for path in pages:
            data = path.read_bytes()
            ours = [href for href, _ in read_html(data).links]
            same = ours == _of_lxml(data)
            if not same and ours == _of_html5lib(data):
                counts["html5lib, not lxml"] += 1
                differing.append(f"{path.name}: lxml misnests a link")
            elif not same:
                counts["neither"] += 1
                differing.append(str(path))
            counts["lxml"] += same
            counts["links"] += len(ours)
        agreed = [counts[name] for name in ("links", "lxml", "html5lib, not lxml", "neither")]
        rows.append([folder, len(pages), *agreed])
    head = ["folder", "pages", "links", "same as lxml", "same as html5lib, not lxml", "neither"]
    table("Links that other parsers find", head, rows)
    print("\n" + "\n".join(differing[:20]))


def _of_lxml(data: bytes) -> list[str]:
    import lxml.etree
    import lxml.html

    try:
        tree = lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser())
    except lxml.etree.ParserError:
        return []
    return [e.get("href") for e in tree.iter("a", "area") if e.get("href") is not None]


def _of_html5lib(data: bytes) -> list[str]:
    import html5lib

    tree = html5lib.parse(data, namespaceHTMLElements=False)
    links = [e for e in tree.iter() if e.tag in ("a", "area")]
    return [e.get("href") for e in links if e.get("href") is not None]


def memory() -> None:
    """The memory that the reading process takes, on sites of 2,000 and 20,000 pages."""
    rows = []
    for pages in (2_000, 20_000):
        with tempfile.TemporaryDirectory() as place:
            for number in range(pages):
                _write_page(Path(place), number, pages)
            command = [sys.executable, "-c", _PEAK, place]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows.append([pages, int(done.stdout) / 1024])
    table("Memory of reading a site", ["pages", "MB at most"], rows)


_PEAK = """
import re, sys
from whatsrelated.sources import open_sources
for page in open_sources(sys.argv[1:]):
    pass
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def _write_page(folder: Path, number: int, pages: int) -> None:
    targets = [f"{(number * 31 + step * step) % pages}.html" for step in range(1, 41)]
    links = "".join(f'<li><a href="{target}">Page {target}</a></li>' for target in targets)
    menu = '<div class="menu"><a href="0.html">Home</a> <a href="1.html">Contact</a></div>'
    path = folder / f"{number}.html"
    path.write_text(f"<title>Page {number}</title>{menu}<ul>{links}</ul>")


def markdown(archive: Path) -> None:
    """Turn MDN's Markdown into a graph with the command."""
    with tempfile.TemporaryDirectory() as place:
        _unpack(archive, place)
        root = Path(place, "files", "en-us")
        megabytes = sum(path.stat().st_size for path in root.rglob("*.md")) / 1e6
        seconds, peak, made = _built(root, Path(place, "mdn.graph"))
    table(
        f"MDN's Markdown, {megabytes:.0f} MB, to a graph",
        ["seconds", "peak MB", "pages and links"],
        [[seconds, peak, made]],
    )


def _unpack(archive: Path, place: str) -> None:
    import zstandard

    with zstandard.open(archive, "rb") as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
        tar.extractall(place, filter="data")


if __name__ == "__main__":
    main()
