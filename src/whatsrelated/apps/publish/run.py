"""Write the web page of a graph as static files.

The server's own pages are rendered, with links that lead to files. Several processes write the
answers; this one writes everything else:

1. `page/`, `in/` and `out/`: the answer of each page, with reasons and picture, and its links;
2. `index.html`, `graph.html`, `map.html`, `ranks.html`, `pages.html`: the other views;
3. `data/pages.js`: the name of every page, which the search reads on first use;
   `data/related-N.js`: the results of some pages, which the picture reads when a user expands it.
   They are scripts, since a page opened from disk may not read other files;
4. `static/`: styles and scripts.

Gaps are not published: they are for the site's owner.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from urllib.parse import urlencode

from whatsrelated import __version__
from whatsrelated.api import Graph
from whatsrelated.api.asking import DEFAULT_METHOD
from whatsrelated.api.tasks import run_tasks
from whatsrelated.apps.publish.files import (
    FOLDERS,
    MARKER,
    PACKAGE,
    SCRIPT,
    Files,
    file_name,
)
from whatsrelated.apps.publish.folder import replace_site, write
from whatsrelated.apps.serve import static
from whatsrelated.apps.serve.app import Server
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.live import Live
from whatsrelated.apps.serve.page import MAX_ROWS, error_page
from whatsrelated.apps.serve.routes import TABLE
from whatsrelated.contract.markup import SHARED
from whatsrelated.errors import BuildError, RelatedError
from whatsrelated.machine.workers import Lost
from whatsrelated.ranks import RANKS
from whatsrelated.stream import Progress

MAX_PAGES = 50_000
"""Maximum number of pages of a graph that is published."""
CHUNK = 16
"""Number of pages that a process writes at a time."""
BLOCK = 256
"""Number of pages whose results are in one file."""
FIRST = 4 * CHUNK
"""Number of pages written before the size of the site is estimated."""
KNOWN = 30
"""Minimum number of results per page in the data; an expanded page in the picture shows some of
them.
"""
PATIENCE = 1e6
"""Time limit for a query, in seconds: every page is answered in full."""
STYLES = ("design.css", "page.css", "icon.svg")
SCRIPTS = ("page.js", "drawing.js", "picture.js", "tables.js", "map.js")

Neighbours = list[tuple[int, float]]
"""The results of a page: their numbers and scores."""


@dataclass(frozen=True)
class Publication:
    """The settings of a publication: the method, the number of results, the name of the graph, and
    limits.
    """

    by: str = DEFAULT_METHOD
    limit: int = 10
    name: str | None = None
    max_bytes: int = 4 << 30


@dataclass
class Written:
    """The outcome of publishing: numbers of pages and bytes, and the pages without an answer."""

    pages: int = 0
    size: int = 0
    failed: list[str] = field(default_factory=list)


def publish(
    graph: Graph,
    output: Path,
    publication: Publication,
    *,
    processes: int = 0,
    progress: Progress | None = None,
) -> Written:
    """Write the site of a graph into a folder."""
    total = len(graph)
    if total > MAX_PAGES:
        raise BuildError(
            f"publish: the graph has {total:,} pages, and a site may have {MAX_PAGES:,}; "
            "use related serve, or build a graph of hosts (related build --level host)."
        )
    written = Written()
    with replace_site(output) as aside:
        for name, data in _views(graph, publication):
            written.size += write(aside, name, data)
        related: list[Neighbours] = [[] for _ in range(total)]
        for chunk in _answers(graph, aside, publication, processes):
            for page, neighbours in chunk.related.items():
                related[page] = neighbours
            written.pages += len(chunk.related)
            written.size += chunk.size
            written.failed += chunk.failed
            _refuse_large(written, total, publication.max_bytes)
            if progress:
                progress("writing pages", written.pages, total)
        for name, data in _data(graph, related):
            written.size += write(aside, name, data)
        _refuse_large(written, total, publication.max_bytes)
    return written


def _refuse_large(written: Written, total: int, max_size: int) -> None:
    """Stop as soon as the pages written so far show that the site will be too large."""
    if written.pages < min(FIRST, total):
        return
    size = written.size * total / max(written.pages, 1)
    if size > max_size:
        raise BuildError(
            f"publish: the site would take about {size / 1e9:,.2g} GB for {total:,} pages, more "
            f"than {max_size / 1e9:,.2g} GB; use fewer results (--limit), or raise --max-size."
        )


@dataclass
class ChunkReport:
    """The outcome of one task: bytes written, the results of each page, and the pages without an
    answer.
    """

    size: int = 0
    related: dict[int, Neighbours] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


def _answers(
    graph: Graph, aside: Path, publication: Publication, processes: int
) -> Iterator[ChunkReport]:
    """Write the files of all pages.

    A chunk takes pages from all over the graph, so the first chunks show how large the rest is.
    """
    count = -(-len(graph) // CHUNK)
    chunks = [range(first, len(graph), count) for first in range(count)]
    task = WriteChunk(str(aside), publication)
    for chunk, report in run_tasks(graph, task, chunks, processes=processes, seconds=PATIENCE):
        if isinstance(report, Lost):
            url = graph.url(chunk[0])
            raise BuildError(f"publish: a worker process died near {url} ({report.reason}).")
        yield report


@dataclass(frozen=True)
class WriteChunk:
    """A worker's task: write the files of some pages."""

    aside: str
    publication: Publication

    def __call__(self, graph: Graph, pages: Sequence[int]) -> ChunkReport:
        site, report = _site(graph, self.publication), ChunkReport()
        for page in pages:
            url = graph.url(page)
            report.related[page] = []
            try:
                bodies = {folder: site.answer(url, show) for show, folder in FOLDERS.items()}
                report.related[page] = site.neighbours(url)
            except RelatedError as error:
                bodies = dict.fromkeys(FOLDERS.values(), error_page(error, Files("../")).body)
                report.failed.append(url)
            for folder, body in bodies.items():
                name = f"{folder}/{file_name(url)}.html"
                report.size += write(Path(self.aside), name, body)
        return report


class PublishedSite:
    """The pages of a graph, rendered by the server's own code without a server."""

    def __init__(self, graph: Graph, publication: Publication) -> None:
        self.graph, self.publication = graph, publication
        live = Live(lambda: graph, None, 0)
        self.server = Server(live, name=publication.name or "")
        self.server.open()

    def render(self, path: str, fields: list[tuple[str, str]], where: Files) -> bytes:
        """A view of the page, with links to files."""
        call = Call(
            server=self.server,
            served=self.server.live.served,
            endpoint=TABLE[path],
            query=urlencode(fields).encode(),
            deadline=time.monotonic() + PATIENCE,
            where=where,
        )
        return call.endpoint.answer(call).body

    @property
    def _options(self) -> list[tuple[str, str]]:
        return [("by", self.publication.by), ("limit", str(self.publication.limit))]

    def answer(self, url: str, show: str) -> bytes:
        """The answer for a page, or the list of its links."""
        fields = [("url", url), *self._options, *([("show", show)] if show else [])]
        return self.render("/", fields, Files("../"))

    def neighbours(self, url: str) -> Neighbours:
        """The results for a page, as numbers and scores."""
        limit = max(self.publication.limit, KNOWN)
        answer = self.graph.related(url, by=self.publication.by, limit=limit)
        return [(one.page, round(one.score, 4)) for one in answer]


@lru_cache(maxsize=1)
def _site(graph: Graph, publication: Publication) -> PublishedSite:
    """The site of a graph, once for each process."""
    return PublishedSite(graph, publication)


def _views(graph: Graph, publication: Publication) -> Iterator[tuple[str, bytes]]:
    """The views of the whole graph, styles and scripts."""
    site, files = _site(graph, publication), Files()
    for view in ("graph", "map"):
        yield f"{view}.html", site.render(f"/{view}", [], files)
    yield "index.html", site.render("/", [], files)
    for skip in range(0, len(graph), MAX_ROWS):
        name = files.view("pages", skip=skip) if skip else files.view("pages")
        yield name, site.render("/pages", [("skip", str(skip))], files)
    yield "ranks.html", site.render("/ranks", [], files)
    for rank in RANKS.by_name():
        yield files.view("ranks", by=rank), site.render("/ranks", [("by", rank)], files)
    for file in (*STYLES, *SCRIPTS):
        package = SHARED if file == static.DESIGN else static.PACKAGE
        yield f"static/{file}", _resource(package, file)
    yield f"static/{SCRIPT}", _resource(PACKAGE, SCRIPT)
    marker = {"program": f"whatsrelated {__version__}", "graph": graph.store.fingerprint}
    yield MARKER, f"{json.dumps(marker)}\n".encode()


def _data(graph: Graph, related: Sequence[Neighbours]) -> Iterator[tuple[str, bytes]]:
    """The names of all pages, and their results by number."""
    names = [
        [graph.url(page), graph.title(page), len(graph.links_to(page)), file_name(graph.url(page))]
        for page in range(len(graph))
    ]
    yield "data/pages.js", _script("pages", names)
    for block in range(0, len(related), BLOCK):
        number = block // BLOCK
        yield f"data/related-{number}.js", _script("related", number, related[block:][:BLOCK])


def _script(function: str, *values: object) -> bytes:
    """A script that hands data to published.js."""
    listed = ",".join(json.dumps(value, separators=(",", ":")) for value in values)
    return f"published.{function}({listed});\n".encode()


def _resource(package: str, file: str) -> bytes:
    return (resources.files(package) / "static" / file).read_bytes()
