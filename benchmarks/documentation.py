"""Builds one graph from the documentation that Debian packages, for benchmarks.

    python -m benchmarks.documentation FOLDER [--links 9400000]

Downloads packages whose names end with -doc with apt-get until their pages have that many links;
nothing is installed.  The largest packages of mostly HTML, which compress well, come first.
A page is an HTML file and its host is the package.  Its links are all links to files of
the same package, including navigation.
"""

from __future__ import annotations

import argparse
import html
import posixpath
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import whatsrelated as wr
from whatsrelated.stream import Page

PACKED_WELL = 8
"""Installed bytes per downloaded byte of a package that is mostly HTML."""
SMALLEST = 5_000
"""Kilobytes of the smallest package to use."""
LINK = re.compile(rb"""<a\s[^>]{0,300}?href\s*=\s*["']([^"'#?:]+)""", re.IGNORECASE)


def packages() -> list[str]:
    """The documentation packages, the largest first."""
    known = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True)
    found = []
    for record in known.stdout.split("\n\n"):
        name = re.search(r"^Package: (.*-doc)$", record, re.MULTILINE)
        if name is None:
            continue
        size = int(re.search(r"^Size: (\d+)", record, re.MULTILINE)[1])
        installed = int(re.search(r"^Installed-Size: (\d+)", record, re.MULTILINE)[1])
        if installed > SMALLEST and 1000 * installed > PACKED_WELL * size:
            found.append((installed, name[1]))
    return [name for _, name in sorted(found, reverse=True)]


def pages(links: int) -> Iterator[Page]:
    """The pages of one package after another, until they have this many links."""
    for name in packages():
        total = 0
        for page in _pages_of(name):
            total += len(page.links)
            yield page
        links -= total
        print(f"{name}: {total:,} links", flush=True)
        if links <= 0:
            return


def _pages_of(name: str) -> Iterator[Page]:
    with tempfile.TemporaryDirectory() as folder:
        fetching = subprocess.run(["apt-get", "download", name], cwd=folder, capture_output=True)
        for path in Path(folder).glob("*.deb") if fetching.returncode == 0 else ():
            words = ["dpkg-deb", "--fsys-tarfile", str(path)]
            with (
                subprocess.Popen(words, stdout=subprocess.PIPE) as unpacking,
                tarfile.open(fileobj=unpacking.stdout, mode="r|") as files,
            ):
                for file in files:
                    if file.isfile() and file.name.endswith((".html", ".htm")):
                        yield _page(name, file.name, files.extractfile(file).read())


def _page(package: str, path: str, text: bytes) -> Page:
    folder = posixpath.join("/", posixpath.dirname(path))
    targets = []
    for link in dict.fromkeys(LINK.findall(text)):
        target = html.unescape(link.decode(errors="replace"))
        if target.endswith((".html", ".htm")):
            targets.append(_url(package, posixpath.normpath(posixpath.join(folder, target))))
    return Page(_url(package, posixpath.normpath(posixpath.join("/", path))), targets)


def _url(package: str, path: str) -> str:
    return f"https://{package}{path}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", type=int, default=9_400_000)
    given = parser.parse_args()
    print(wr.build(pages(given.links), given.folder / "documentation.graph", urls="keep"))


if __name__ == "__main__":
    main()
