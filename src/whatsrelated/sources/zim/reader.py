"""The pages of a ZIM file: a wiki or website for offline reading with Kiwix.

1. Read all entries once to find the HTML pages and their clusters.
2. Workers read the pages cluster by cluster, so each cluster is unpacked once.
3. A link leads to its entry, after redirects; links to pictures and style sheets do not count.
  Template links are found as in a folder (sources/html_pages).

Pages are named by their paths or, with a base URL, by their addresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.names.canonical import BadName
from whatsrelated.options import option
from whatsrelated.sources.folder_reader import checked_base
from whatsrelated.sources.html_pages import read_page
from whatsrelated.sources.page_reader import HtmlReader, add_record
from whatsrelated.sources.page_set import PageSet
from whatsrelated.sources.recognition import starts
from whatsrelated.sources.url_joins import UrlBase
from whatsrelated.sources.zim.archive import MAGIC, Archive, ZimEntry
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import ReadContext

ORIGIN = "https://zim.invalid/"
"""The base URL for resolving links."""
MAX_PAGES = 500
"""Maximum number of pages per worker task."""


@dataclass(frozen=True)
class ZimReader(HtmlReader):
    """The pages of a ZIM file."""

    name = "zim"
    sentence = "a ZIM file: a website in one file, as for Kiwix"
    guide = "how-to/wikis.md#zim-files"
    contents = starts(MAGIC)

    base_url: str | None = option(
        None, "URL where pages are served; without it, pages are named by path", only_read=True
    )

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        from whatsrelated.machine import workers
        from whatsrelated.sources.page_records import PageSpool

        if file.is_stream:
            raise ReadError(f"A ZIM file cannot be read from {file.label}; give its path.")
        base = checked_base(self.name, self.base_url)
        archive = Archive(file.path)
        counts = context.counter(self.name)
        counts.update({"pages": 0, "links": 0})
        spool, pages = PageSpool(context.temporary), PageSet()
        work = ReadCluster(str(file.path.absolute()), base, self, context.options.text)
        items = clusters_of(archive, counts)
        try:
            seconds = self.page_seconds * 10
            answers = workers.results(
                work, items, noun="the reader", workers=self.workers, seconds=seconds
            )
            for item, answer in answers:
                if isinstance(answer, workers.Lost):
                    _lose(item, answer.reason, archive, context)
                    continue
                for record in _split(answer):
                    pages.add(add_record(record, spool, counts, context))
            if self.links == "content":
                pages.find_templates(spool)
            pages.find_copies(spool)
            yield from pages.pages(spool, counts)
        finally:
            spool.close()


def _lose(item: str, reason: str, archive: Archive, context: ReadContext) -> None:
    numbers = item.split()
    first = archive.entry(int(numbers[0]))
    context.refuse(reason, f"{archive.path}: {first.path}", len(numbers))


def clusters_of(archive: Archive, counts: Counter[str]) -> Iterator[str]:
    """The numbers of the pages in each cluster, cluster by cluster."""
    numbers, places = [], []
    for number in range(archive.count):
        entry = archive.entry(number)
        if entry.is_redirect:
            counts["redirects"] += 1
        elif entry.is_page:
            numbers.append(number)
            places.append((entry.cluster, entry.blob))
    listed = np.array(numbers, np.uint32)
    clusters = np.array([cluster for cluster, _ in places], np.uint32)
    order = np.lexsort((np.array([blob for _, blob in places], np.uint32), clusters))
    pairs = zip(clusters[order].tolist(), listed[order].tolist(), strict=True)
    for _, members in groupby(pairs, key=lambda pair: pair[0]):
        some = [str(number) for _, number in members]
        for first in range(0, len(some), MAX_PAGES):
            yield " ".join(some[first : first + MAX_PAGES])


@dataclass(frozen=True)
class ReadCluster:
    """A worker's task: read the pages of a cluster."""

    path: str
    base: str
    reader: ZimReader
    text: bool = False

    def __call__(self, item: str) -> bytes:
        from whatsrelated.machine.workers import ItemFailed
        from whatsrelated.sources.page_records import encode_record

        archive = _archive(self.path)
        resolver = _Links(archive, self._name)
        answer = b""
        try:
            blobs: list[bytes] = []
            for number in map(int, item.split()):
                entry = archive.entry(number)
                blobs = blobs or archive.blobs(entry.cluster)
                if entry.blob >= len(blobs):
                    raise ItemFailed("its cluster has no such piece")
                record = read_page(
                    blobs[entry.blob],
                    address_of(entry),
                    self.reader,
                    resolver,
                    name=self._name(entry),
                    path=entry.path,
                    text=self.text,
                )
                record.title = record.title or entry.title
                if ORIGIN not in record.same_as and "://" in record.same_as and not self.base:
                    record.same_as = ""  # this is the site's address on the Web, not another page
                data = encode_record(record)
                answer += len(data).to_bytes(4, "little") + data
        except ReadError as error:
            raise ItemFailed(str(error)) from None
        return answer

    def _name(self, entry: ZimEntry) -> str:
        return self.base + quote(entry.path, "/:@!$&'()*+,;=~") if self.base else entry.path


def _split(answer: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(answer):
        end = at + 4 + int.from_bytes(answer[at : at + 4], "little")
        yield answer[at + 4 : end]
        at = end


@cache
def _archive(path: str) -> Archive:
    return Archive(Path(path))


def address_of(entry: ZimEntry) -> str:
    """The address of a page; an old namespace becomes a folder."""
    folder = f"{entry.namespace}/" if entry.namespace != "C" else ""
    return ORIGIN + folder + quote(entry.path)


class _Links:
    """The targets of links."""

    def __init__(self, archive: Archive, name_of: Callable[[ZimEntry], str]) -> None:
        self._archive = archive
        self._name_of = name_of

    def targets(self, base: UrlBase) -> _Targets:
        return _Targets(base, self)

    def name(self, address: str) -> str:
        """The name of the page at an address; empty if it is not a page."""
        if not address.startswith(ORIGIN):
            return address
        rest = address[len(ORIGIN) :]
        entry = self._find(unquote(rest)) or self._find(unquote(rest.partition("?")[0]))
        if entry is None:
            raise BadName("not in the ZIM file")
        return self._name_of(entry) if entry.is_page else ""

    def _find(self, path: str) -> ZimEntry | None:
        number = self._archive.find("C", path)
        if number is None and path[1:2] == "/":
            number = self._archive.find(path[0], path[2:])
        return self._archive.final(number) if number is not None else None


class _Targets(dict[str, str]):
    """The targets of the links of one page, each resolved once."""

    def __init__(self, base: UrlBase, links: _Links) -> None:
        super().__init__()
        self._base = base
        self._links = links

    def __missing__(self, href: str) -> str:
        bare = href.strip()
        target = self._links.name(self._base.join(bare).partition("#")[0]) if bare else ""
        self[href] = target
        return target
